package photon.testbed.chaos;

import java.io.IOException;
import photon.core.error.ExitStatus;
import photon.core.error.FailedException;
import photon.server.lifecycle.Shutdown;
import photon.testbed.process.EndedEarlyException;
import photon.testbed.process.TemporaryDirectory;

/** A run from the directory that is made to the one that is gone again. */
public final class Chaos {
    private static final String PREFIX = "photon-chaos-";

    private Chaos() {}

    /**
     * @param json the result as one object, and nothing else, on stdout
     * @return exit status
     */
    public static int registry(ChaosOptions options, boolean json)
            throws IOException, InterruptedException {
        if (!System.getProperty("os.name", "").startsWith("Linux")) {
            throw new FailedException("chaos needs Linux: all of 127.0.0.0/8 is loopback there");
        }
        try (Shutdown shutdown = Shutdown.install()) {
            try (TemporaryDirectory directory =
                    TemporaryDirectory.make(options.directory(), PREFIX, options.keep())) {
                ChaosResult result =
                        ChaosRun.run(options, directory.path(), shutdown, System.err::println);
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
