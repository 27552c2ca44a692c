package photon.server.terminal;

import java.io.Console;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The terminal that somebody sits at. */
public final class Terminal {
    private static final long ASK_MILLIS_MAX = 2_000;

    private Terminal() {}

    /**
     * Its size in characters.
     *
     * @param columns 1 or more
     * @param rows 1 or more
     */
    public record Size(int columns, int rows) {
        /** What every terminal has. */
        public static final Size USUAL = new Size(80, 24);

        /** From {@code rows columns}, as {@code stty size} prints them; empty: it is not that. */
        static Optional<Size> parse(String text) {
            String[] numbers = text.strip().split(" ", -1);
            try {
                int rows = Integer.parseInt(numbers[0]);
                int columns = Integer.parseInt(numbers[numbers.length - 1]);
                return numbers.length == 2 && rows > 0 && columns > 0
                        ? Optional.of(new Size(columns, rows))
                        : Optional.empty();
            } catch (NumberFormatException e) {
                return Optional.empty();
            }
        }
    }

    /** True if people see stdout, and so stderr. */
    public static boolean isThere() {
        return isTerminal(System.console());
    }

    /** True if it can also move its cursor and show colours. */
    public static boolean canDraw() {
        String kind = System.getenv("TERM");
        return isThere() && kind != null && !kind.equals("dumb");
    }

    /** Its size, asked of the terminal; the usual one if it does not say. */
    public static Size size() {
        try {
            Process stty =
                    new ProcessBuilder("stty", "size")
                            .redirectInput(new File("/dev/tty"))
                            .redirectError(ProcessBuilder.Redirect.DISCARD)
                            .start();
            if (!stty.waitFor(ASK_MILLIS_MAX, TimeUnit.MILLISECONDS)) {
                stty.destroyForcibly();
                return Size.USUAL;
            }
            byte[] said = stty.getInputStream().readAllBytes();
            return Size.parse(new String(said, StandardCharsets.US_ASCII)).orElse(Size.USUAL);
        } catch (IOException e) {
            return Size.USUAL; // no such command, or no such device
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Size.USUAL;
        }
    }

    /** From JDK 22 on there is a console without a terminal, too; it can be asked. */
    private static boolean isTerminal(@Nullable Console console) {
        if (console == null) {
            return false;
        }
        try {
            return (boolean) Console.class.getMethod("isTerminal").invoke(console);
        } catch (ReflectiveOperationException e) {
            return true;
        }
    }
}
