package photon.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import photon.demo.DemoFigures.Audit;

/** Runs the auditor, which comes to the same books with code of its own (docs/audit). */
final class Auditor {
    private Auditor() {}

    /**
     * Without python3, or without the auditor's file, nothing is audited; that is said on stderr.
     *
     * @param home where the repository stands
     * @param report what the auditor says goes there
     */
    static Audit audit(Path home, Path output, Path state, Path report) throws IOException {
        Path script = home.resolve("docs/audit/audit.py");
        if (!Files.exists(script)) {
            System.err.println("photon: audit skipped: no " + script);
            return Audit.SKIPPED;
        }
        Process auditor;
        try {
            auditor =
                    new ProcessBuilder(
                                    "python3",
                                    script.toString(),
                                    "--output",
                                    output.toString(),
                                    "--state",
                                    state.toString())
                            .redirectErrorStream(true)
                            .redirectOutput(report.toFile())
                            .start();
        } catch (IOException e) {
            System.err.println(
                    "photon: audit skipped: no 'python3' on the PATH; install Python 3 to have the result"
                            + " checked by the independent auditor");
            return Audit.SKIPPED;
        }
        try {
            if (auditor.waitFor() == 0) {
                return Audit.AGREES;
            }
        } catch (InterruptedException e) {
            auditor.destroyForcibly();
            Thread.currentThread().interrupt();
        }
        System.err.print(Files.readString(report));
        return Audit.DIFFERS;
    }
}
