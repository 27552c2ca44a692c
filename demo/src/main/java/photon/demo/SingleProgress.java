package photon.demo;

import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import photon.server.local.LocalRun;

/**
 * Tells every few seconds how far a run in one process is, where no terminal shows it all the time.
 * Used by one thread.
 */
final class SingleProgress implements LocalRun.Progress {
    private static final long TOLD_EVERY_MILLIS = 5_000;

    private final Consumer<String> out;
    private final long beganNanos;
    private final boolean shownOtherwise;
    private long toldMillis;

    SingleProgress(Consumer<String> out, long beganNanos, boolean shownOtherwise) {
        this.out = out;
        this.beganNanos = beganNanos;
        this.shownOtherwise = shownOtherwise;
    }

    @Override
    public void at(long read, long joined) {
        at(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beganNanos), read, joined);
    }

    void at(long millis, long read, long joined) {
        if (!shownOtherwise && millis - toldMillis >= TOLD_EVERY_MILLIS) {
            toldMillis = millis;
            out.accept(
                    String.format(
                            Locale.ROOT,
                            "%s  %,d records read by each datacenter, %,d clicks joined",
                            ViewPage.time(millis),
                            read / DemoLayout.DATACENTERS.size(),
                            joined));
        }
    }
}
