package photon.demo;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import photon.core.error.ExitStatus;
import photon.core.time.SystemClock;
import photon.server.lifecycle.Shutdown;
import photon.storage.files.HadoopFileStore;
import photon.testbed.process.TemporaryDirectory;

/** The two ways to run a demo, from the directory that is made to the one that is gone again. */
public final class Demo {
    /** One machine, one clock: its error against itself. */
    private static final Duration CLOCK_BOUND = Duration.ofMillis(1);

    private Demo() {}

    /**
     * Each part a process of its own.
     *
     * @param keep the directory stays
     * @param home where the repository stands
     * @return exit status
     */
    public static int inProcesses(DemoOptions options, boolean keep, Path home) throws IOException {
        try (Shutdown shutdown = Shutdown.install()) {
            try (TemporaryDirectory directory = TemporaryDirectory.make("photon-demo-", keep)) {
                DemoResult result =
                        new DemoRun(
                                        options,
                                        new HadoopFileStore(),
                                        new SystemClock(CLOCK_BOUND),
                                        shutdown,
                                        home)
                                .run(directory.path());
                print(result, options.json());
                shutdown.finished(result.exitStatus());
                return result.exitStatus();
            } catch (DemoRun.EndedEarlyException e) {
                // Said before the shutdown goes on, which ends the process.
                System.err.println("photon: ended early: nothing was judged");
                return ExitStatus.FAILED;
            }
        }
    }

    /**
     * All parts in this process.
     *
     * @param keep the directory stays
     * @param home where the repository stands
     * @return exit status
     */
    public static int inThisProcess(DemoOptions options, boolean keep, Path home)
            throws IOException {
        try (TemporaryDirectory directory = TemporaryDirectory.make("photon-demo-", keep)) {
            return new SingleProcess(
                            options,
                            new HadoopFileStore(),
                            new SystemClock(CLOCK_BOUND),
                            directory.path(),
                            home)
                    .run();
        }
    }

    static void print(DemoResult result, boolean json) {
        if (json) {
            System.out.println(result.toJson());
        } else {
            result.table().forEach(System.out::println);
        }
    }
}
