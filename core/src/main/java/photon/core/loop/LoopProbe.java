package photon.core.loop;

import java.util.OptionalLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Asks a loop now and then for something that only the loop may read. How long the loop has owed
 * the answer says whether it still runs what it is handed. Thread-safe.
 *
 * @param <T> what is read
 */
public final class LoopProbe<T> {
    private final String name;
    private final EventLoop loop;
    private final Supplier<T> read;
    private volatile @Nullable T last;
    private long askedNanos;
    private boolean asked;

    /**
     * @param name of the loop, for people
     * @param read called in the loop; quick
     */
    public LoopProbe(String name, EventLoop loop, Supplier<T> read) {
        this.name = name;
        this.loop = loop;
        this.read = read;
    }

    /** One that only sees whether the loop runs. */
    public static LoopProbe<Boolean> of(String name, EventLoop loop) {
        return new LoopProbe<>(name, loop, () -> true);
    }

    public String name() {
        return name;
    }

    /** Asks, unless the loop still owes an answer. */
    public void ask(long nanoTime) {
        synchronized (this) {
            if (asked) {
                return;
            }
            asked = true;
            askedNanos = nanoTime;
        }
        loop.execute(
                () -> {
                    last = read.get();
                    answered();
                });
    }

    private synchronized void answered() {
        asked = false;
    }

    /** The last answer; null before the first. */
    public @Nullable T last() {
        return last;
    }

    /** When the answer was asked for that the loop owes; empty: it owes none. */
    public synchronized OptionalLong owedSinceNanos() {
        return asked ? OptionalLong.of(askedNanos) : OptionalLong.empty();
    }
}
