package photon.server.local;

import java.util.List;
import java.util.Locale;
import photon.server.terminal.TerminalLine;

/** One line on a terminal that tells how far the run is. Nothing where there is no terminal. */
final class ProgressLine implements AutoCloseable {
    private static final long SHOW_EVERY_NANOS = 250_000_000L;

    private final TerminalLine line;
    private long shownAt;
    private long joinedBefore = -1;

    private ProgressLine(TerminalLine line) {
        this.line = line;
    }

    static ProgressLine onTerminal(boolean wanted) {
        return new ProgressLine(TerminalLine.onTerminal(wanted));
    }

    void show(List<LocalDatacenter.Status> datacenters, long nanoTime) {
        if (!line.shown() || nanoTime - shownAt < SHOW_EVERY_NANOS) {
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
        line.show(
                String.format(
                        Locale.ROOT,
                        "read %,d  joined %,d  waiting %,d  %,.0f events/s  lag %,d KiB",
                        read,
                        joined,
                        waiting,
                        rate,
                        lag >> 10));
        joinedBefore = joined;
        shownAt = nanoTime;
    }

    @Override
    public void close() {
        line.close();
    }
}
