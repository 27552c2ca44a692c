package photon.registry.client;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import photon.core.loop.EventLoop;
import photon.registry.api.IdRegistry;

/**
 * The calls of a thread-safe client: takes them from any thread into the loop, ends each by its
 * deadline, and all of them at the end. What is not said to be for any thread is used in the loop.
 */
final class Calls {
    private final EventLoop loop;
    private final Runnable someExpired;
    private final HandOver handOver = new HandOver();
    private final DeadlineWheel wheel;
    private final CompletableFuture<Void> closed = new CompletableFuture<>();
    private volatile boolean closing;
    private volatile @Nullable Thread loopThread;
    private boolean ticking;
    private Runnable whenEnded = () -> {};

    /**
     * @param someExpired told after calls were ended by their deadlines
     */
    Calls(EventLoop loop, Runnable someExpired) {
        this.loop = loop;
        this.someExpired = someExpired;
        this.wheel = new DeadlineWheel(IdRegistry.Options.DEADLINE_TICK.toNanos(), loop.nanoTime());
    }

    /** For any thread. */
    long deadline(Duration timeout) {
        return loop.nanoTime() + timeout.toNanos();
    }

    /** So long until the deadline; 0 or less behind it. For any thread. */
    long nanosUntil(long deadline) {
        return deadline - loop.nanoTime();
    }

    /** For any thread. */
    boolean isClosing() {
        return closing;
    }

    /** True in the thread that completes the futures: it must not wait. For any thread. */
    boolean isInLoop() {
        return Thread.currentThread() == loopThread;
    }

    /** Takes a call in, or turns it away. For any thread. */
    void put(Call<?> call) {
        switch (closing ? HandOver.Put.CLOSED : handOver.put(call)) {
            case FIRST -> loop.execute(this::takeIn);
            case BEHIND_OTHERS -> {}
            case CLOSED -> call.turnAway(Outcomes.CLOSED);
        }
    }

    private void takeIn() {
        loopThread = Thread.currentThread();
        Call<?> call = handOver.takeAll();
        long now = loop.nanoTime();
        while (call != null) {
            Call<?> behind = call.next;
            call.next = null;
            if (call.deadlineNanos - now <= 0) {
                call.turnAway(Outcomes.DEADLINE);
            } else {
                wheel.add(call);
                call.begin();
            }
            call = behind;
        }
        tickSoon();
    }

    private void tickSoon() {
        if (!ticking && wheel.size() > 0) {
            ticking = true;
            loop.schedule(IdRegistry.Options.DEADLINE_TICK, this::tick);
        }
    }

    private void tick() {
        ticking = false;
        int before = wheel.size();
        wheel.advance(loop.nanoTime(), call -> call.giveUp(Outcomes.DEADLINE));
        if (wheel.size() < before) {
            someExpired.run();
            endIfIdle();
        }
        tickSoon();
    }

    /** A call is answered. */
    void ended(Call<?> call) {
        wheel.remove(call);
        endIfIdle();
    }

    private void endIfIdle() {
        if (closing && wheel.size() == 0) {
            // Behind what is at hand: whoever waits for the last call hears of it first.
            loop.execute(this::endIfStillIdle);
        }
    }

    /** Calls that were put in before the close may only be heard of now. */
    private void endIfStillIdle() {
        takeIn();
        if (wheel.size() == 0) {
            end();
        }
    }

    /**
     * Turns new calls away, and ends those that are left after a while. For any thread.
     *
     * @param ended told once, in the loop, when there are none
     * @return completes behind that
     */
    CompletableFuture<Void> close(Duration drain, Runnable ended) {
        closing = true;
        loop.execute(
                () -> {
                    whenEnded = ended;
                    takeIn();
                    endIfIdle();
                });
        loop.schedule(drain, this::end);
        return closed;
    }

    private void end() {
        if (closed.isDone()) {
            return;
        }
        Call<?> call = handOver.close();
        while (call != null) {
            Call<?> behind = call.next;
            call.turnAway(Outcomes.CLOSED);
            call = behind;
        }
        wheel.takeAll(left -> left.giveUp(Outcomes.CLOSED));
        whenEnded.run();
        closed.complete(null);
    }
}
