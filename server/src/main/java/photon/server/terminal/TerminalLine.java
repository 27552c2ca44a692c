package photon.server.terminal;

import java.io.PrintStream;

/** One line on a terminal that is written over and over. Nothing where there is no terminal. */
public final class TerminalLine implements AutoCloseable {
    private final PrintStream out;
    private final boolean shown;
    private int width;

    private TerminalLine(PrintStream out, boolean shown) {
        this.out = out;
        this.shown = shown;
    }

    /** On stderr. */
    public static TerminalLine onTerminal(boolean wanted) {
        return new TerminalLine(System.err, wanted && Terminal.isThere());
    }

    /** False where nobody would see it. */
    public boolean shown() {
        return shown;
    }

    public void show(String text) {
        if (shown) {
            out.print("\r" + text + " ".repeat(Math.max(0, width - text.length())));
            out.flush();
            width = text.length();
        }
    }

    /** Wipes the line, so that something else may be printed; it can be shown again. */
    public void clear() {
        if (width > 0) {
            out.print("\r" + " ".repeat(width) + "\r");
            out.flush();
            width = 0;
        }
    }

    @Override
    public void close() {
        clear();
    }
}
