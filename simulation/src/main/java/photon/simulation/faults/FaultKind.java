package photon.simulation.faults;

/** Everything that a world does to its processes, disks, links and clocks. */
public enum FaultKind {
    /** A process ends at any moment; a supervisor starts it again. */
    KILL(10),
    /** A process ends at one of the pipeline's crash points, within the step. */
    KILL_AT_POINT(10),
    /** A process ends before one of its operations on files. */
    KILL_IN_FILE_OPERATION(8),
    /** A process is stopped in good order, and started again. */
    RESTART(3),
    /** All processes of a datacenter end; what they had not synced is lost or torn. */
    POWER_LOSS(5),
    /** The same, from within a step or an operation on files. */
    POWER_LOSS_IN_STEP(6),
    /** A datacenter is gone for minutes. */
    OUTAGE(2),
    /**
     * A joiner dies with ids that it holds and has not written, another closes in good order, and
     * calls come twice, the second copy late.
     */
    DEATH_AND_CLOSE(5),
    /**
     * A dispatcher falls asleep while it writes repair rows down, and wakes when another has its
     * place.
     */
    LATE_OWNER(5),
    /**
     * A joiner sleeps while its output is sealed, and writes on just when the verifier dies in
     * that.
     */
    LATE_WRITER(5),
    /**
     * What two datacenters commit at once is lost by the one that got it, while an older copy of
     * the other's commit is on its way, which closes and is away, or lives on.
     */
    LATE_COPIES(5),
    /**
     * A joiner dies with ids that it has not written; before it is repaired, the foreign logs that
     * are read are gone.
     */
    LOGS_GONE(4),
    /**
     * A joiner dies with ids that it has not written, and its datacenter's verifier does not see
     * some of the foreign logs, or their directory, for longer than it looks for what is in no log.
     */
    LOGS_AWAY(5),
    /** A joiner dies with ids that it has not written, and nobody takes its slot again. */
    SLOT_GONE(6),
    /**
     * A joiner falls asleep with ids that it has not written, and wakes as its verifier sends the
     * fence, which comes seconds later.
     */
    LATE_FENCE(5),
    /**
     * A dispatcher's disk is lost, with the repair rows of a joiner that has died, perhaps; after a
     * while an operator declares the state lost.
     */
    STATE_LOST(5),
    /**
     * A published file is gone for good; after a while an operator declares it lost. Planned beside
     * the others, where nothing else takes away what its events are joined from.
     */
    FILE_LOST(0),
    /** A process stands still, and goes on. */
    PAUSE(5),
    /** A process is taken for dead while it only stands still: another takes its place. */
    ZOMBIE(8),
    /** The same, from within a step between commit and answer. */
    ZOMBIE_AT_POINT(8),
    /** The same, from within an operation on files. */
    ZOMBIE_IN_FILE_OPERATION(6),
    /** A process is cut off from all others, both ways. */
    PARTITION(5),
    /** Messages go one way only. */
    ONE_WAY_PARTITION(5),
    /** A datacenter is cut off from the registry's majority. */
    DATACENTER_CUT_OFF(3),
    /** Messages take seconds. */
    SLOW_LINK(4),
    /** Messages are lost. */
    LOSSY_LINK(4),
    /** Calls come twice, the second copy perhaps much later. */
    REPEATING_LINK(6),
    /** Some calls come minutes late, when nobody waits for them any more. */
    LATE_CALLS(6),
    /** A datacenter's disk is full for a while. */
    DISK_FULL(3),
    /** Operations on files fail now and then. */
    DISK_ERRORS(4),
    /** Operations on files take seconds. */
    DISK_SLOW(3),
    /** A verifier's machine does not see some published files. */
    FILES_AWAY(5),
    /** A machine's clock is set wrong by up to an hour. */
    CLOCK_JUMP(5),
    /**
     * Most clocks leap, and the boundary would pass ids whose commits are not answered, or whose
     * joiner is dead and not repaired. Only where the retention is short.
     */
    BOUNDARY_LEAPS(0),
    /** A machine's clock runs wrong. */
    CLOCK_DRIFT(2),
    /** Clocks of registry servers are wrong by up to an hour, and know it. */
    CLOCK_UNSYNCHRONISED(3),
    /** A group gets another leader; the old one may not know for a while. */
    LEADER_CHANGE(8),
    /** All groups do, just when a joiner has asked or was answered. */
    LEADER_CHANGE_IN_STEP(6),
    /** A replica falls behind. */
    LAGGING_REPLICA(5),
    /** The registry's disks take seconds to sync: what is not answered is asked again meanwhile. */
    SLOW_COMMITS(5),
    /** Servers know late what the control group has decided, and lead shards meanwhile. */
    LAGGING_CONTROL(4),
    /** A registry server ends. */
    REGISTRY_KILL(5),
    /** A registry server stands still. */
    REGISTRY_PAUSE(4),
    /** All registry servers stand still. */
    REGISTRY_AWAY(2),
    /** The pipeline gets another number of shards. */
    RESHARD(6),
    /** Two operators do so at once, from one map. */
    RESHARD_RACE(6),
    /**
     * One stands still in the midst of it, and a joiner falls asleep, which is replaced and
     * repaired before the one goes on or the other wakes.
     */
    RESHARD_ASLEEP(5);

    private final int weight;

    FaultKind(int weight) {
        this.weight = weight;
    }

    /** How often it happens, against the others. */
    int weight() {
        return weight;
    }
}
