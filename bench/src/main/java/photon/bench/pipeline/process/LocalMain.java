package photon.bench.pipeline.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import photon.core.config.ConfigLoader;
import photon.core.error.ExitStatus;
import photon.server.local.LocalRun;

/** {@code photon local --until-idle 1s}, measured. */
public final class LocalMain {
    private static final Duration QUIET = Duration.ofSeconds(1);

    private LocalMain() {}

    /**
     * @param args when the command began, the file for the figures, the configuration, the
     *     directories for output and state, the file for the books
     */
    public static void main(String[] args) {
        try {
            System.exit(run(args));
        } catch (IOException | RuntimeException e) {
            e.printStackTrace();
            System.exit(ExitStatus.FAILED);
        }
    }

    @SuppressWarnings("try") // The meter measures until it is closed.
    private static int run(String[] args) throws IOException {
        AtomicLong eventsRead = new AtomicLong();
        AtomicLong eventsJoined = new AtomicLong();
        try (Meter meter =
                Meter.start(
                        Path.of(args[1]),
                        Long.parseLong(args[0]),
                        eventsRead::get,
                        eventsJoined::get)) {
            return LocalRun.measured(
                    ConfigLoader.load(Path.of(args[2])).pipeline(),
                    Path.of(args[3]),
                    Path.of(args[4]),
                    new LocalRun.Idle(QUIET, () -> true),
                    (read, joined) -> {
                        eventsRead.set(read);
                        eventsJoined.set(joined);
                    },
                    books -> {
                        Files.writeString(Path.of(args[5]), books.toJson().toString());
                        return books.balanced() ? ExitStatus.DONE : ExitStatus.FAILED;
                    });
        }
    }
}
