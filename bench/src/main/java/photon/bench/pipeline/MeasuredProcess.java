package photon.bench.pipeline;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import photon.core.error.FailedException;
import photon.server.lifecycle.Shutdown;

/**
 * A process that was measured from its command to its end.
 *
 * @param status its exit status
 * @param wholeMicros from the command to the end
 * @param report what it wrote about itself
 */
record MeasuredProcess(int status, long wholeMicros, ProcessReport report) {
    private static final Duration ENDS_WITHIN = Duration.ofHours(2);
    private static final Duration KILLED_WITHIN = Duration.ofMinutes(1);
    private static final long LOOK_MILLIS = 100;
    private static final int LINES_TOLD = 15;
    private static final String ARCHIVE = "-XX:SharedArchiveFile=";

    /** As the launcher gives {@code photon local}, so that Flink has the same. */
    static List<String> options() {
        List<String> options = new ArrayList<>();
        options.add("-XX:+UseParallelGC");
        options.add("-XX:CompileThresholdScaling=5");
        options.add("-Xmx" + heap());
        options.add("-XX:MaxDirectMemorySize=1g");
        options.add("-XX:+ExitOnOutOfMemoryError");
        options.add("-Xshare:auto");
        options.add("-Xlog:cds=off");
        options.add("-Xlog:cds+dynamic=off");
        return options;
    }

    static String heap() {
        return Optional.ofNullable(System.getenv("PHOTON_HEAP")).orElse("2g");
    }

    /** The class archive of this process, from which {@code photon local} starts faster. */
    static List<String> archive() {
        return ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(argument -> argument.startsWith(ARCHIVE))
                .toList();
    }

    /**
     * Starts it and waits for its end.
     *
     * @param name of its files in {@code work}
     * @param work an existing directory
     * @param main takes the time of the command, the file for the figures, and then {@code
     *     arguments}
     * @throws FailedException if it leaves no figures, or a signal came
     */
    static MeasuredProcess run(
            String name,
            Path work,
            List<String> options,
            String classPath,
            Class<?> main,
            List<String> arguments,
            Shutdown shutdown)
            throws IOException {
        Path figures = work.resolve(name + ".figures");
        Path log = work.resolve(name + ".log");
        Path temporary = Files.createDirectories(work.resolve(name + ".tmp"));
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options);
        command.add("-Djava.io.tmpdir=" + temporary);
        command.addAll(List.of("-cp", classPath, main.getName()));
        command.add(Long.toString(System.currentTimeMillis()));
        command.add(figures.toString());
        command.addAll(arguments);
        long started = System.nanoTime();
        Process process =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(log.toFile())
                        .start();
        awaitEnd(name, process, shutdown);
        long wholeMicros = TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - started);
        if (!Files.exists(figures)) {
            throw new FailedException(
                    "%s ended with status %d and without figures:%n%s"
                            .formatted(name, process.exitValue(), end(log)));
        }
        return new MeasuredProcess(
                process.exitValue(), wholeMicros, ProcessReport.parse(Files.readAllLines(figures)));
    }

    private static void awaitEnd(String name, Process process, Shutdown shutdown) {
        long deadline = System.nanoTime() + ENDS_WITHIN.toNanos();
        try {
            while (!process.waitFor(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
                if (shutdown.awaitRequest(Duration.ZERO)) {
                    throw new FailedException("ended early: there is no result");
                }
                if (System.nanoTime() > deadline) {
                    throw new FailedException(
                            "%s did not end within %d hours"
                                    .formatted(name, ENDS_WITHIN.toHours()));
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new FailedException("interrupted: there is no result");
        } finally {
            kill(process);
        }
    }

    private static void kill(Process process) {
        if (process.isAlive()) {
            process.destroyForcibly();
            try {
                process.waitFor(KILLED_WITHIN.toSeconds(), TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static String end(Path log) throws IOException {
        List<String> lines = Files.readAllLines(log);
        return "  "
                + String.join(
                        "\n  ",
                        lines.subList(Math.max(0, lines.size() - LINES_TOLD), lines.size()));
    }
}
