package photon.cli.local;

import java.io.Console;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** One line on a terminal that tells how far the run is. Nothing where there is no terminal. */
final class StatusLine implements AutoCloseable {
    private static final long SHOW_EVERY_NANOS = 250_000_000L;

    private final PrintStream out;
    private final boolean shown;
    private long shownAt;
    private long joinedBefore = -1;
    private int width;

    private StatusLine(PrintStream out, boolean shown) {
        this.out = out;
        this.shown = shown;
    }

    static StatusLine onTerminal(boolean wanted) {
        return new StatusLine(System.err, wanted && isTerminal(System.console()));
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

    void show(List<Datacenter.Status> datacenters, long nanoTime) {
        if (!shown || nanoTime - shownAt < SHOW_EVERY_NANOS) {
            return;
        }
        long read =
                datacenters.stream().mapToLong(d -> d.dispatcher().eventsRead()).max().orElse(0);
        long joined = datacenters.stream().mapToLong(d -> d.joiner().joined()).sum();
        long waiting =
                datacenters.stream().mapToLong(d -> d.dispatcher().waitingRows()).max().orElse(0);
        long lag =
                datacenters.stream()
                        .mapToLong(d -> d.dispatcher().lagBytes() + d.eventStore().lagBytes())
                        .sum();
        double seconds = (nanoTime - shownAt) / 1e9;
        double rate = joinedBefore < 0 ? 0 : (joined - joinedBefore) / seconds;
        String text =
                String.format(
                        Locale.ROOT,
                        "read %,d  joined %,d  waiting %,d  %,.0f events/s  lag %,d KiB",
                        read,
                        joined,
                        waiting,
                        rate,
                        lag >> 10);
        out.print("\r" + text + " ".repeat(Math.max(0, width - text.length())));
        out.flush();
        width = text.length();
        joinedBefore = joined;
        shownAt = nanoTime;
    }

    @Override
    public void close() {
        if (width > 0) {
            out.print("\r" + " ".repeat(width) + "\r");
            out.flush();
        }
    }
}
