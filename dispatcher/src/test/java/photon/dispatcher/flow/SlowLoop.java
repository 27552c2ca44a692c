package photon.dispatcher.flow;

import java.time.Duration;
import java.util.random.RandomGenerator;
import photon.core.loop.EventLoop;

/** A loop whose tasks take their time, in the order in which they came: a disk that is busy. */
final class SlowLoop implements EventLoop {
    private final EventLoop clock;
    private final RandomGenerator random;
    private final int delayMillisMax;
    private long freeAtNanos;

    SlowLoop(EventLoop clock, RandomGenerator random, int delayMillisMax) {
        this.clock = clock;
        this.random = random;
        this.delayMillisMax = delayMillisMax;
        this.freeAtNanos = clock.nanoTime();
    }

    @Override
    public void execute(Runnable task) {
        long now = clock.nanoTime();
        long delay = random.nextInt(delayMillisMax + 1) * 1_000_000L;
        freeAtNanos = Math.max(freeAtNanos, now) + delay;
        clock.schedule(Duration.ofNanos(freeAtNanos - now), task);
    }

    @Override
    public boolean offer(Runnable task) {
        execute(task);
        return true;
    }

    @Override
    public Cancellable schedule(Duration delay, Runnable task) {
        return clock.schedule(delay, () -> execute(task));
    }

    @Override
    public long nanoTime() {
        return clock.nanoTime();
    }

    @Override
    public void checkInLoop() {}

    @Override
    public void close() {}
}
