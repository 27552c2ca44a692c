package photon.bench.registry;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Commands to Java VMs of this user, through the tool that stands beside {@code java}. */
final class Jcmd {
    private static final int SECONDS_MAX = 150;
    private static final int ATTACH_MILLIS_MAX = 60_000;

    private Jcmd() {}

    /**
     * Waits for its end.
     *
     * @param output where the VM's answer goes
     * @return the answer; empty if this Java has no such tool, or the VM does not obey
     */
    static Optional<String> run(long pid, Path output, String... arguments) throws IOException {
        Path tool = Path.of(System.getProperty("java.home"), "bin", "jcmd");
        if (!Files.isExecutable(tool)) {
            return Optional.empty();
        }
        List<String> command =
                new ArrayList<>(
                        List.of(
                                tool.toString(),
                                "-J-Dsun.tools.attach.attachTimeout=" + ATTACH_MILLIS_MAX,
                                Long.toString(pid)));
        command.addAll(List.of(arguments));
        return run(command, output);
    }

    private static Optional<String> run(List<String> command, Path output) throws IOException {
        Process process =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile())
                        .start();
        try {
            if (!process.waitFor(SECONDS_MAX, TimeUnit.SECONDS) || process.exitValue() != 0) {
                return Optional.empty();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        } finally {
            process.destroyForcibly();
        }
        return Optional.of(Files.readString(output, StandardCharsets.UTF_8));
    }
}
