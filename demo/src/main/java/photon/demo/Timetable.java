package photon.demo;

import static photon.core.error.Checks.check;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What is killed and started when. All times in milliseconds since the load began. Immutable.
 *
 * @param warmUpMillis before it, latency does not count: 30 s, at most a third of the run
 * @param actions in order of time
 */
public record Timetable(long endMillis, long warmUpMillis, List<Action> actions) {
    private static final long WARM_UP_MILLIS = 30_000;
    private static final long JOINER_KILL_EVERY_MILLIS = 5_000;
    private static final long JOINER_RESTART_MILLIS = 500;

    /** Free of joiner kills at the end, so that repairs end within the run. */
    private static final long QUIET_END_MILLIS = 15_000;

    /** What a datacenter that is back has to read again is not what a join takes. */
    private static final long CATCH_UP_MILLIS = 10_000;

    /** Something to do at a time. */
    public record Action(long atMillis, Kind kind) {}

    /** In the order in which actions of one moment are done. */
    public enum Kind {
        /** What was killed last is started again. */
        RESTART_JOINER,
        KILL_DATACENTER,
        RETURN_DATACENTER,
        /** The one that has served longest. */
        KILL_JOINER,
        /**
         * A dispatcher, an event store or a joiner; when it is started again depends on what comes
         * of it.
         */
        KILL_WORKER,
        /** Of HDFS. */
        KILL_DATANODE,
        RETURN_DATANODE
    }

    public Timetable {
        actions = List.copyOf(actions);
    }

    /**
     * @param killDatacenter at a third of the time; it returns at two thirds
     * @param killJoiners one every 5 s from the end of warm-up on, each started again at once
     */
    public static Timetable of(int seconds, boolean killDatacenter, boolean killJoiners) {
        return of(seconds, killDatacenter, killJoiners, warmUp(seconds));
    }

    /**
     * @param firstJoinerKillMillis when the first joiner is killed
     */
    static Timetable of(
            int seconds, boolean killDatacenter, boolean killJoiners, long firstJoinerKillMillis) {
        check(seconds > 0, "Expected a run of one second or more, but got %s", seconds);
        long end = seconds * 1_000L;
        long killed = end / 3;
        long returned = end * 2 / 3;
        List<Action> actions = new ArrayList<>();
        if (killDatacenter) {
            actions.add(new Action(killed, Kind.KILL_DATACENTER));
            actions.add(new Action(returned, Kind.RETURN_DATACENTER));
        }
        long last = end - Math.min(QUIET_END_MILLIS, end / 3);
        for (long at = firstJoinerKillMillis;
                killJoiners && at <= last;
                at += JOINER_KILL_EVERY_MILLIS) {
            long restart = at + JOINER_RESTART_MILLIS;
            // Nothing is started again in a datacenter that was killed meanwhile.
            if (!killDatacenter || restart < killed || at > killed) {
                actions.add(new Action(at, Kind.KILL_JOINER));
                actions.add(new Action(restart, Kind.RESTART_JOINER));
            }
        }
        actions.sort(Comparator.comparingLong(Action::atMillis).thenComparing(Action::kind));
        return new Timetable(end, warmUp(seconds), actions);
    }

    /**
     * Of a run on HDFS.
     *
     * @param killWorkers one every 5 s from the end of warm-up on
     * @param killDataNode one, at two fifths of the time; it returns at three fifths
     */
    static Timetable onHdfs(int seconds, boolean killWorkers, boolean killDataNode) {
        check(seconds > 0, "Expected a run of one second or more, but got %s", seconds);
        long end = seconds * 1_000L;
        List<Action> actions = new ArrayList<>();
        long last = end - Math.min(QUIET_END_MILLIS, end / 3);
        for (long at = warmUp(seconds); killWorkers && at <= last; at += JOINER_KILL_EVERY_MILLIS) {
            actions.add(new Action(at, Kind.KILL_WORKER));
        }
        if (killDataNode) {
            actions.add(new Action(end * 2 / 5, Kind.KILL_DATANODE));
            actions.add(new Action(end * 3 / 5, Kind.RETURN_DATANODE));
        }
        actions.sort(Comparator.comparingLong(Action::atMillis).thenComparing(Action::kind));
        return new Timetable(end, warmUp(seconds), actions);
    }

    private static long warmUp(int seconds) {
        return Math.min(WARM_UP_MILLIS, seconds * 1_000L / 3);
    }

    /** True at times whose latency counts: warm, no datacenter is down or reads what it missed. */
    public boolean isCalm(long atMillis) {
        if (atMillis < warmUpMillis || atMillis > endMillis) {
            return false;
        }
        long killed = first(Kind.KILL_DATACENTER);
        long returned = first(Kind.RETURN_DATACENTER);
        return killed < 0 || atMillis < killed || atMillis >= returned + CATCH_UP_MILLIS;
    }

    /** The time of the first action of this kind; negative: there is none. */
    public long first(Kind kind) {
        return actions.stream()
                .filter(action -> action.kind() == kind)
                .mapToLong(Action::atMillis)
                .findFirst()
                .orElse(-1);
    }

    /**
     * The one to kill.
     *
     * @param startedMillis of those that serve; of two that started at one time the first of the
     *     map's order is taken
     */
    public static <P> Optional<P> longestServing(Map<P, Long> startedMillis) {
        return startedMillis.entrySet().stream()
                .min(Map.Entry.comparingByValue())
                .map(Map.Entry::getKey);
    }
}
