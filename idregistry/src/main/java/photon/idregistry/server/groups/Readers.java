package photon.idregistry.server.groups;

import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Supplier;
import photon.core.loop.EventLoop;

/**
 * Where a replica's state is read for others: beside the server's loop, which commits go through,
 * since a read of old ids waits for the disk. Used in the loop.
 */
public interface Readers {
    /**
     * Reads, and tells in the loop.
     *
     * @return false, and {@code then} is never told, if too much waits to be read
     */
    <R> boolean read(Supplier<R> reading, Consumer<R> then);

    /** At once, where it is asked: for a world of one thread. */
    static Readers atOnce() {
        return new Readers() {
            @Override
            public <R> boolean read(Supplier<R> reading, Consumer<R> then) {
                then.accept(reading.get());
                return true;
            }
        };
    }

    /**
     * In other threads.
     *
     * @param loop in which answers are told
     * @param waitingMax readings under way at once
     */
    static Readers in(Executor threads, EventLoop loop, int waitingMax) {
        return new Readers() {
            private int waiting;

            @Override
            public <R> boolean read(Supplier<R> reading, Consumer<R> then) {
                loop.checkInLoop();
                if (waiting == waitingMax) {
                    return false;
                }
                waiting++;
                threads.execute(
                        () -> {
                            R answer = reading.get();
                            loop.execute(
                                    () -> {
                                        waiting--;
                                        then.accept(answer);
                                    });
                        });
                return true;
            }
        };
    }
}
