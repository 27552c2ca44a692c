package photon.core.time;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Starts {@code chronyc} for each question; one that hangs is ended. Thread-safe. */
public final class ChronycProcess implements Chronyc {
    /** By default chronyc itself gives up sooner. */
    public static final Duration PATIENCE = Duration.ofSeconds(5);

    private static final int OUTPUT_MAX = 4_096;

    private final String program;
    private final Duration patience;

    /**
     * @param program a path, or a name to be found in {@code PATH}
     */
    public ChronycProcess(String program) {
        this(program, PATIENCE);
    }

    ChronycProcess(String program, Duration patience) {
        this.program = program;
        this.patience = patience;
    }

    @Override
    public String tracking() throws IOException, InterruptedException {
        Process process =
                new ProcessBuilder(program, "-c", "-n", "tracking")
                        .redirectErrorStream(true)
                        .start();
        try (InputStream output = process.getInputStream()) {
            process.getOutputStream().close();
            // What it says fits into the pipe: it need not be read before it ends.
            if (!process.waitFor(patience.toNanos(), TimeUnit.NANOSECONDS)) {
                throw new IOException(
                        "%s has not answered within %d ms".formatted(program, patience.toMillis()));
            }
            // No more than is there: a process that it has left behind may hold the pipe open.
            String answer =
                    new String(
                            output.readNBytes(Math.min(output.available(), OUTPUT_MAX)),
                            StandardCharsets.UTF_8);
            if (process.exitValue() != 0) {
                throw new IOException(
                        "%s ends with status %d: %s"
                                .formatted(program, process.exitValue(), answer.strip()));
            }
            return answer;
        } finally {
            process.destroyForcibly();
        }
    }
}
