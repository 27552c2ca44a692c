package photon.demo.chaos;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import photon.core.error.ExitStatus;
import photon.core.error.FailedException;
import photon.core.time.SystemClock;
import photon.server.lifecycle.Shutdown;
import photon.storage.files.HadoopFileStore;
import photon.testbed.process.EndedEarlyException;
import photon.testbed.process.TemporaryDirectory;

/** A run from the directory that is made to the one that is gone again. */
public final class PipelineChaos {
    private static final String PREFIX = "photon-chaos-";

    /** One machine, one clock: its error against itself. */
    private static final Duration CLOCK_BOUND = Duration.ofMillis(1);

    private PipelineChaos() {}

    /**
     * @param json the result as one object, and nothing else, on stdout
     * @param home where the repository stands
     * @return exit status
     */
    public static int run(PipelineChaosOptions options, boolean json, Path home)
            throws IOException, InterruptedException {
        if (!System.getProperty("os.name", "").startsWith("Linux")) {
            throw new FailedException("chaos needs Linux: it reads /proc");
        }
        try (Shutdown shutdown = Shutdown.install()) {
            try (TemporaryDirectory directory =
                    TemporaryDirectory.make(options.directory(), PREFIX, options.keep())) {
                PipelineChaosResult result =
                        new PipelineChaosRun(
                                        options,
                                        new HadoopFileStore(),
                                        new SystemClock(CLOCK_BOUND),
                                        shutdown,
                                        home,
                                        System.err::println)
                                .run(directory.path());
                if (json) {
                    System.out.println(result.toJson());
                } else {
                    result.lines().forEach(System.out::println);
                }
                if (result.exitStatus() != ExitStatus.DONE) {
                    directory.keep();
                }
                shutdown.finished(result.exitStatus());
                return result.exitStatus();
            } catch (EndedEarlyException e) {
                System.err.println("photon: ended early: nothing was judged");
                return ExitStatus.FAILED;
            }
        }
    }
}
