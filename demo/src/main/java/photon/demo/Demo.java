package photon.demo;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import photon.core.error.ConfigException;
import photon.core.error.ExitStatus;
import photon.core.time.SystemClock;
import photon.demo.hdfs.HdfsJar;
import photon.server.lifecycle.Shutdown;
import photon.server.terminal.Terminal;
import photon.storage.files.HadoopFileStore;
import photon.testbed.process.EndedEarlyException;
import photon.testbed.process.TemporaryDirectory;

/** The two ways to run a demo, from the directory that is made to the one that is gone again. */
public final class Demo {
    private static final String DIRECTORY_PREFIX = "photon-demo-";

    /** Another prefix: it stays. */
    private static final String PAGE_PREFIX = "photon-run-";

    /** One machine, one clock: its error against itself. */
    private static final Duration CLOCK_BOUND = Duration.ofMillis(1);

    private final DemoOptions options;
    private final boolean keep;

    private Demo(DemoOptions options, boolean keep) {
        this.options = options;
        this.keep = keep;
    }

    /** Runs it in a directory. */
    private interface Run {
        /**
         * @throws EndedEarlyException if a signal came
         */
        DemoReport in(Path directory) throws IOException;
    }

    /**
     * @param keep the directory stays; it does so, too, if the run fails
     * @param home where the repository stands
     * @return exit status
     * @throws ConfigException if what it stands on is not there
     */
    public static int run(DemoOptions options, boolean keep, Path home) throws IOException {
        if (options.hdfs()) {
            HdfsJar.find(home); // before anything is made that would have to be cleaned up
        }
        try (Shutdown shutdown = Shutdown.install()) {
            Demo demo = new Demo(options, keep);
            int status =
                    demo.run(
                            options.singleProcess()
                                    ? directory -> demo.inThisProcess(directory, home, shutdown)
                                    : directory -> demo.inProcesses(directory, home, shutdown));
            shutdown.finished(status);
            return status;
        }
    }

    private DemoReport inProcesses(Path directory, Path home, Shutdown shutdown)
            throws IOException {
        return new DemoRun(
                        options,
                        new HadoopFileStore(),
                        new SystemClock(CLOCK_BOUND),
                        shutdown,
                        home)
                .run(directory);
    }

    private DemoReport inThisProcess(Path directory, Path home, Shutdown shutdown)
            throws IOException {
        return new SingleProcess(
                        options,
                        new HadoopFileStore(),
                        new SystemClock(CLOCK_BOUND),
                        directory,
                        home,
                        shutdown)
                .run();
    }

    private int run(Run run) throws IOException {
        try (TemporaryDirectory directory = TemporaryDirectory.make(DIRECTORY_PREFIX, keep)) {
            try {
                DemoReport report = run.in(directory.path());
                int status = report.result().exitStatus();
                boolean stays = keep || status != ExitStatus.DONE;
                if (stays) {
                    directory.keep();
                }
                tell(report, stays);
                return status;
            } catch (EndedEarlyException e) {
                System.err.println("photon: the run ended early, so there is no verdict");
                return ExitStatus.FAILED;
            } catch (IOException | RuntimeException e) {
                directory.keep();
                throw e;
            }
        }
    }

    private void tell(DemoReport report, boolean stays) throws IOException {
        DemoStory story = new DemoStory(report.result(), options);
        if (options.json()) {
            System.out.println(report.result().toJson());
            System.err.println(story.verdict());
        } else {
            System.out.println();
            report.result().table().forEach(System.out::println);
            System.out.println();
            story.lines(stays ? Optional.of(report.files()) : Optional.empty(), Terminal.canDraw())
                    .forEach(System.out::println);
        }
        if (options.plot().isPresent()) {
            write(options.plot().get(), report.picture());
        }
        if (options.html().isPresent() || options.open()) {
            Path page =
                    options.html().isPresent()
                            ? options.html().get()
                            : Files.createTempFile(PAGE_PREFIX, ".html");
            write(page, new DemoPage(report, story).html());
            if (options.open()) {
                PageOpener.open(page);
            }
        }
    }

    private static void write(Path file, String text) throws IOException {
        Files.writeString(file, text, StandardCharsets.UTF_8);
    }
}
