package photon.simulation.kernel;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import photon.core.error.BugHandler;
import photon.core.loop.EventLoop;
import photon.core.time.IntervalClock;

/**
 * One life of one simulated process, from its start to its end. What it does goes through here and
 * through what is made from it; once it has ended nothing of it does anything.
 */
public final class Life {
    private final Timeline timeline;
    private final HostClock clock;
    private final String process;
    private final int number;
    private final Bugs bugs;
    private final RandomGenerator random;
    private final List<SimLoop> loops = new ArrayList<>();
    private final List<Runnable> onEnd = new ArrayList<>();
    private long pausedUntilNanos;
    private boolean ended;

    /**
     * @param process its name, such as {@code east/joiner-0}
     * @param number counts the process's lives from 1
     */
    public Life(Timeline timeline, HostClock clock, String process, int number, Bugs bugs) {
        this.timeline = timeline;
        this.clock = clock;
        this.process = process;
        this.number = number;
        this.bugs = bugs;
        this.random = timeline.random().split();
        timeline.trace().add(process, "starts, life %d", number);
    }

    public String process() {
        return process;
    }

    public int number() {
        return number;
    }

    public Timeline timeline() {
        return timeline;
    }

    public boolean alive() {
        return !ended;
    }

    /** A new loop of this process: a thread of its own. */
    public EventLoop loop(String name) {
        SimLoop loop = new SimLoop(this, name);
        loops.add(loop);
        return loop;
    }

    /** The clock of its machine. */
    public IntervalClock clock() {
        return clock;
    }

    public RandomGenerator random() {
        return random;
    }

    /** Stops at once, as by kill -9; whoever listens is told. Safe to call twice. */
    public void end(String why) {
        if (ended) {
            return;
        }
        ended = true;
        timeline.trace().add(process, "ends: %s", why);
        loops.forEach(SimLoop::clear);
        List<Runnable> listeners = List.copyOf(onEnd);
        onEnd.clear();
        listeners.forEach(Runnable::run);
    }

    /** Told once this life has ended; at once if it has. */
    public void onEnd(Runnable listener) {
        if (ended) {
            listener.run();
        } else {
            onEnd.add(listener);
        }
    }

    /** Stops all its loops for so long, between two tasks; what comes in waits. */
    public void pause(Duration length) {
        timeline.trace().add(process, "pauses for %d ms", length.toMillis());
        pausedUntilNanos = Math.max(pausedUntilNanos, timeline.nowNanos() + length.toNanos());
    }

    public boolean paused() {
        return timeline.nowNanos() < pausedUntilNanos;
    }

    long pausedUntilNanos() {
        return pausedUntilNanos;
    }

    /**
     * Called from within a task of this process: the task stops here for so long while everything
     * else goes on, this process's other loops too.
     *
     * @throws ProcessEnded if the process was ended meanwhile
     */
    public void block(Duration length) {
        if (timeline.mayBlock()) {
            timeline.runUntil(timeline.nowNanos() + length.toNanos());
        }
        checkAlive();
        awaitPause();
    }

    /**
     * Called from within a task: if the process pauses, the task does too, here.
     *
     * @throws ProcessEnded if the process was ended meanwhile
     */
    public void awaitPause() {
        while (paused() && timeline.mayBlock()) {
            timeline.runUntil(pausedUntilNanos);
            checkAlive();
        }
    }

    /**
     * @throws ProcessEnded if it has ended
     */
    public void checkAlive() {
        if (ended) {
            throw new ProcessEnded(process);
        }
    }

    /** Told of what must not happen: as in production the process then stops. */
    public BugHandler bugHandler() {
        return this::met;
    }

    void met(String where, Throwable bug) {
        if (!ended) {
            timeline.trace().add(process, "meets in %s: %s", where, bug.toString());
            bugs.met(this, where, bug);
        }
    }

    /** The longest queue of any of its loops now. */
    public int longestQueue() {
        int longest = 0;
        for (SimLoop loop : loops) {
            longest = Math.max(longest, loop.queued());
        }
        return longest;
    }

    @Override
    public String toString() {
        return process + "#" + number;
    }
}
