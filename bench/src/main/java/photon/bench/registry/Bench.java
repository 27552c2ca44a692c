package photon.bench.registry;

import java.io.IOException;
import photon.core.error.ExitStatus;
import photon.core.error.FailedException;
import photon.server.lifecycle.Shutdown;
import photon.server.terminal.TerminalLine;
import photon.testbed.process.EndedEarlyException;
import photon.testbed.process.TemporaryDirectory;

/** A run from the directory that is made to the one that is gone again. */
public final class Bench {
    private static final String PREFIX = "photon-bench-";

    private Bench() {}

    /**
     * @param json the result as one object, and nothing else, on stdout
     * @return exit status
     */
    public static int registry(RegistryBenchOptions options, boolean json) throws IOException {
        if (!ProcessFigures.areThere()) {
            throw new FailedException("bench needs Linux: it reads /proc");
        }
        try (Shutdown shutdown = Shutdown.install()) {
            try (TemporaryDirectory directory =
                            TemporaryDirectory.make(options.directory(), PREFIX, options.keep());
                    TerminalLine line = TerminalLine.onTerminal(true)) {
                BenchResult result =
                        RegistryBench.run(options, directory.path(), shutdown, line::show);
                line.clear();
                print(result, json);
                shutdown.finished(result.exitStatus());
                return result.exitStatus();
            } catch (EndedEarlyException e) {
                System.err.println("photon: ended early: there is no result");
                return ExitStatus.FAILED;
            }
        }
    }

    private static void print(BenchResult result, boolean json) {
        if (json) {
            System.out.println(result.toJson());
        } else {
            result.lines().forEach(System.out::println);
        }
    }
}
