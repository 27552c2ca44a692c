package photon.testbed.chaos;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** What can happen to a registry, and how often, compared with the others. */
public enum ActionKind {
    /** {@code kill -9} of a replica that leads a shard or the control group; started again. */
    KILL_LEADER(Category.FAULTS, 1, 3),
    /** The same of a replica that leads nothing, if there is one. */
    KILL_FOLLOWER(Category.FAULTS, 1, 1),
    /** A leader and another one at the same moment. */
    KILL_TWO(Category.FAULTS, 2, 1),
    /** SIGSTOP of a leader, for longer than an election takes, sometimes longer than 10 s. */
    PAUSE_LEADER(Category.FAULTS, 1, 2),
    /** A leader is cut off from all replicas and clients. */
    CUT_OFF(Category.FAULTS, 1, 2),
    /** A leader hears nobody, or is heard by nobody, but for what comes back on connections. */
    CUT_ONE_WAY(Category.FAULTS, 1, 1),
    /** Clients do not reach a leader, which replicas do. */
    CUT_FROM_CLIENTS(Category.FAULTS, 1, 1),
    /** A leader and another one are cut off from the rest, and from clients. */
    SPLIT(Category.FAULTS, 2, 1),
    /** Three of five are killed or stopped: commits must stop, and go on afterwards. */
    MAJORITY_LOST(Category.FAULTS, 3, 1),
    /** All are ended by SIGTERM and started again, one after another. */
    ROLLING_RESTART(Category.FAULTS, 1, 1),
    /** A replica's disk is lost for ever, and another one takes its place. */
    REPLACE_MEMBER(Category.FAULTS, 1, 1),
    /** Another number of shards: more, fewer, more. */
    RESHARD(Category.CHANGES, 0, 4),
    /** The same, and somebody changes their mind. */
    RESHARD_CANCEL(Category.CHANGES, 0, 2),
    /** Another retention, and with it another pace of the boundary. */
    BOUNDARY(Category.CHANGES, 0, 2),
    /** A client starts over: its old incarnation is fenced, and ids of it are removed. */
    START_OVER(Category.CHANGES, 0, 2);

    /** What happens at the same time as what: one thing of each category. */
    enum Category {
        /** To processes and the network. */
        FAULTS,
        /** As operators and clients wish. */
        CHANGES
    }

    final Category category;

    /** How many replicas are down, stopped or cut off at the same time, at the most. */
    final int victims;

    final int weight;

    ActionKind(Category category, int victims, int weight) {
        this.category = category;
        this.victims = victims;
        this.weight = weight;
    }

    /** As on the command line: {@code kill-leader}. */
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    static List<ActionKind> of(Category category) {
        return Arrays.stream(values()).filter(kind -> kind.category == category).toList();
    }
}
