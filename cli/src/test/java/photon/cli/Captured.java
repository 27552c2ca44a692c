package photon.cli;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.function.IntSupplier;

/**
 * {@code photon} in this process, with what it printed: for what it refuses before it starts
 * anything.
 */
public record Captured(int status, String stdout, String stderr) {

    public static Captured run(String... args) {
        return of(() -> Photon.run(args));
    }

    /** What it prints, and its exit status. */
    public static Captured of(IntSupplier command) {
        PrintStream out = System.out;
        PrintStream err = System.err;
        ByteArrayOutputStream outBytes = new ByteArrayOutputStream();
        ByteArrayOutputStream errBytes = new ByteArrayOutputStream();
        try (PrintStream newOut = new PrintStream(outBytes, true, StandardCharsets.UTF_8);
                PrintStream newErr = new PrintStream(errBytes, true, StandardCharsets.UTF_8)) {
            System.setOut(newOut);
            System.setErr(newErr);
            int status = command.getAsInt();
            return new Captured(
                    status,
                    outBytes.toString(StandardCharsets.UTF_8),
                    errBytes.toString(StandardCharsets.UTF_8));
        } finally {
            System.setOut(out);
            System.setErr(err);
        }
    }
}
