package photon.simulation.network;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import photon.simulation.kernel.Timeline;

/** How the ways between hosts are now: what is cut, slow, lossy or repeats. Each way is one-way. */
public final class SimulatedLinks {
    private static final int USUAL_DELAY_NANOS = 2_000_000;
    private static final long LATEST_NANOS = 120_000_000_000L;

    private final Timeline timeline;
    private final RandomGenerator random;
    private final List<Trouble> troubles = new ArrayList<>();
    private final List<Held> holding = new ArrayList<>();

    /** Method to the end of it. */
    private final Map<String, Long> lostAnswers = new LinkedHashMap<>();

    /** By method and host. */
    private final Map<String, Delayed> delayed = new LinkedHashMap<>();

    private long lost;
    private long repeated;

    private record Delayed(long nanos, Runnable sent) {}

    /** What may be wrong with a way. */
    public enum Kind {
        CUT,
        SLOW,
        LOSSY,
        REPEATING,
        LATE
    }

    /**
     * @param share SLOW: the longest delay in seconds; LOSSY, REPEATING, LATE: how many of the
     *     messages or of their copies, 0 to 1
     */
    private record Trouble(
            Kind kind,
            Predicate<String> from,
            Predicate<String> to,
            double share,
            long untilNanos) {}

    public SimulatedLinks(Timeline timeline) {
        this.timeline = timeline;
        this.random = timeline.random().split();
    }

    /** Messages of these hosts to those: both are told by the host's name. */
    public void trouble(
            Kind kind,
            Predicate<String> from,
            Predicate<String> to,
            double share,
            Duration length) {
        troubles.add(new Trouble(kind, from, to, share, timeline.nowNanos() + length.toNanos()));
    }

    /** For so long no answer to this method arrives anywhere. */
    public void loseAnswers(String method, Duration length) {
        lostAnswers.put(method, timeline.nowNanos() + length.toNanos());
    }

    /** True if it does not arrive. */
    boolean losesAnswer(String method) {
        return !lostAnswers.isEmpty()
                && timeline.nowNanos() < lostAnswers.getOrDefault(method, Long.MIN_VALUE);
    }

    /** All ways are good again. */
    public void mend() {
        troubles.clear();
        lostAnswers.clear();
        holding.clear();
        delayed.clear();
    }

    private boolean has(Kind kind, String from, String to) {
        return share(kind, from, to) >= 0;
    }

    private double share(Kind kind, String from, String to) {
        if (troubles.isEmpty()) {
            return -1;
        }
        troubles.removeIf(trouble -> trouble.untilNanos <= timeline.nowNanos());
        for (Trouble trouble : troubles) {
            if (trouble.kind == kind && trouble.from.test(from) && trouble.to.test(to)) {
                return trouble.share;
            }
        }
        return -1;
    }

    /** True if a message sent now gets there, losses apart. */
    public boolean reaches(String from, String to) {
        return from.equals(to) || !has(Kind.CUT, from, to);
    }

    /** A fresh delay of one message. */
    public long delayNanos(String from, String to) {
        if (from.equals(to)) {
            return 1_000L + random.nextInt(200_000);
        }
        double slow = share(Kind.SLOW, from, to);
        if (slow > 0) {
            return (long) (slow * 1e9 * random.nextDouble());
        }
        return random.nextInt(100) == 0
                ? random.nextInt(200_000_000)
                : 50_000L + random.nextInt(USUAL_DELAY_NANOS);
    }

    /**
     * The next call of this method by this host comes so late, wherever it goes.
     *
     * @param sent told when it is on its way
     */
    public void delayNext(String method, String from, Duration late, Runnable sent) {
        delayed.put(method + " " + from, new Delayed(late.toNanos(), sent));
    }

    /** By how much this one call comes late. */
    long delayedNanos(String method, String from) {
        Delayed found = delayed.isEmpty() ? null : delayed.remove(method + " " + from);
        if (found == null) {
            return 0;
        }
        found.sent.run();
        return found.nanos;
    }

    /** By how much a call comes later than it should: minutes perhaps, if it is late at all. */
    long lateNanos(String from, String to) {
        double late = share(Kind.LATE, from, to);
        return late > 0 && random.nextDouble() < late ? random.nextLong(LATEST_NANOS) : 0;
    }

    /** How many copies of a message get there: 0 if it is lost. */
    public int copies(String from, String to) {
        if (!reaches(from, to)) {
            lost++;
            return 0;
        }
        double loss = share(Kind.LOSSY, from, to);
        if (loss > 0 && random.nextDouble() < loss) {
            lost++;
            return 0;
        }
        double repeat = share(Kind.REPEATING, from, to);
        if (repeat > 0 && random.nextDouble() < repeat) {
            repeated++;
            return 2;
        }
        return 1;
    }

    /**
     * For so long this share of what comes once, of all that this host sends, is held back; what is
     * not released comes in the end.
     */
    public Held hold(String from, double share, Duration length) {
        Held held = new Held(from, share, timeline.nowNanos() + length.toNanos());
        holding.add(held);
        return held;
    }

    /** True if the message comes later. */
    boolean hold(String from, Runnable arrival) {
        holding.removeIf(held -> held.untilNanos <= timeline.nowNanos());
        for (Held held : holding) {
            if (held.from.equals(from) && random.nextDouble() < held.share) {
                held.messages.add(arrival);
                timeline.at(
                        timeline.nowNanos() + LATEST_NANOS,
                        () -> {
                            if (held.messages.remove(arrival)) {
                                arrival.run();
                            }
                        });
                return true;
            }
        }
        return false;
    }

    /** Messages that are on their way for long. */
    public final class Held {
        private final String from;
        private final double share;
        private final long untilNanos;
        private final List<Runnable> messages = new ArrayList<>();

        Held(String from, double share, long untilNanos) {
            this.from = from;
            this.share = share;
            this.untilNanos = untilNanos;
        }

        /** Half of them arrive now. */
        public void releaseSome() {
            for (Runnable arrival : List.copyOf(messages)) {
                if (random.nextBoolean() && messages.remove(arrival)) {
                    arrival.run();
                }
            }
        }
    }

    /** Messages lost so far. */
    public long lost() {
        return lost;
    }

    /** Messages that came twice so far. */
    public long repeated() {
        return repeated;
    }
}
