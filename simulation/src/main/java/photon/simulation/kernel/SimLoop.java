package photon.simulation.kernel;

import static photon.core.error.Checks.check;

import java.time.Duration;
import java.util.ArrayDeque;
import photon.core.loop.EventLoop;

/**
 * A loop of a simulated process: its tasks run one after another in simulated time, each a little
 * later than it could, so that loops interleave otherwise with every seed.
 */
final class SimLoop implements EventLoop {
    private static final int OFFERS_MAX = 4_096;

    private final Life life;
    private final Timeline timeline;
    private final String name;
    private final ArrayDeque<Runnable> queue = new ArrayDeque<>();

    /** A run of the next task stands in the timeline. */
    private boolean armed;

    /** A task is on the stack, perhaps blocked there. */
    private boolean running;

    private boolean closed;

    SimLoop(Life life, String name) {
        this.life = life;
        this.timeline = life.timeline();
        this.name = name;
    }

    @Override
    public void execute(Runnable task) {
        if (life.alive() && !closed) {
            queue.add(task);
            arm();
        }
    }

    @Override
    public boolean offer(Runnable task) {
        if (queue.size() >= OFFERS_MAX) {
            return false;
        }
        execute(task);
        return true;
    }

    private void arm() {
        if (!armed && !running) {
            armed = true;
            timeline.at(timeline.nowNanos() + latencyNanos(), this::runNext);
        }
    }

    /** Mostly a moment, now and then as long as a collection of garbage. */
    private long latencyNanos() {
        int kind = life.random().nextInt(200);
        if (kind == 0) {
            return life.random().nextInt(80_000_000);
        }
        return kind < 8 ? life.random().nextInt(4_000_000) : life.random().nextInt(60_000);
    }

    private void runNext() {
        armed = false;
        if (!life.alive() || closed || running) {
            return;
        }
        if (life.paused()) {
            armed = true;
            timeline.at(life.pausedUntilNanos(), this::runNext);
            return;
        }
        Runnable task = queue.poll();
        if (task != null) {
            run(task);
            if (!queue.isEmpty()) {
                arm();
            }
        }
    }

    private void run(Runnable task) {
        timeline.trace().mix(life.process(), name);
        running = true;
        try {
            task.run();
        } catch (ProcessEnded ended) {
            // Of a task that was under way when its process ended: nothing more to do.
            check(!life.alive() || closed, "Expected %s to have ended", life);
        } catch (Throwable bug) {
            life.met(name, bug);
        } finally {
            running = false;
        }
    }

    @Override
    public Cancellable schedule(Duration delay, Runnable task) {
        Timer timer = new Timer(task);
        timeline.at(timeline.nowNanos() + Math.max(0, delay.toNanos()), timer::due);
        return timer;
    }

    private final class Timer implements Cancellable {
        private final Runnable task;
        private boolean over;

        Timer(Runnable task) {
            this.task = task;
        }

        void due() {
            if (!over) {
                execute(
                        () -> {
                            if (!over) {
                                over = true;
                                task.run();
                            }
                        });
            }
        }

        @Override
        public void cancel() {
            over = true;
        }
    }

    @Override
    public long nanoTime() {
        return timeline.nowNanos() + life.number() * 1_000_000_000_000L;
    }

    @Override
    public void checkInLoop() {
        check(running, "Expected to run in %s", this);
    }

    @Override
    public void close() {
        closed = true;
        clear();
    }

    void clear() {
        queue.clear();
    }

    int queued() {
        return queue.size();
    }

    @Override
    public String toString() {
        return life + "/" + name;
    }
}
