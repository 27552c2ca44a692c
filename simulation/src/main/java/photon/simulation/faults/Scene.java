package photon.simulation.faults;

import java.time.Duration;
import java.util.List;
import photon.simulation.disk.DiskFaults;
import photon.simulation.kernel.HostClock;
import photon.simulation.kernel.Timeline;
import photon.simulation.network.SimulatedLinks;

/** What the injector can reach of a world. */
public interface Scene {
    Timeline timeline();

    SimulatedLinks links();

    /** Registry servers and all processes of all datacenters, in a fixed order. */
    List<Victim> victims();

    List<String> datacenters();

    DiskFaults disk(String datacenter);

    /** All processes of the datacenter end, what was not synced is lost; supervisors start them. */
    void losePower(String datacenter);

    /** For so long this process does not see some of its datacenter's published files. */
    void hideFiles(Victim process, Duration length);

    /** The datacenter's processes end and are not started again for so long. */
    void outage(String datacenter, Duration length);

    /** The clocks of all machines, those of the registry's servers first. */
    List<HostClock> clocks();

    /** So many are of the registry's servers: they move the boundary. */
    int registryClocks();

    /** What this joiner sends to the registry meanwhile is held back, this share of it. */
    Held holdCommits(Victim joiner, double share, Duration length);

    /** Commits that are held back: they come in the end, perhaps minutes late. */
    interface Held {
        /** Some of them come now. */
        void releaseSome();
    }

    /** Each time when lost tokens were removed for this joiner, and it does not know yet. */
    void afterRemovals(Victim joiner, Runnable task);

    /** By which a verifier hands repair rows over. */
    String repairRowsMethod();

    /** What the dispatcher has read of the datacenter's foreign logs is there no more. */
    void putForeignLogsAway(String datacenter);

    /** For so long this process does not see some of its datacenter's foreign logs. */
    void hideForeignLogs(Victim process, int oneIn, Duration length);

    /** For so long the directory of the foreign logs is not there for this process. */
    void hideForeignDirectory(Victim process, Duration length);

    /**
     * The disk of the datacenter's dispatcher is lost for good, and the dispatcher starts without
     * its state. So much later an operator declares the state lost.
     *
     * @return false: it is not done, since logs that the lost state has read are gone, too
     */
    boolean loseDispatcherState(String datacenter, Duration undeclared);

    /**
     * A published file of this datacenter is gone for good, drawn by this number. So much later an
     * operator looks after it: as soon as its incarnation is fenced it is declared lost.
     *
     * @return false: there is none
     */
    boolean loseFile(String datacenter, long draw, Duration undeclared);

    /** A log that is away may be taken for one that retention has passed. */
    boolean logsMayGo();

    /** What has not renewed for so long is fenced. */
    Duration fenceAfter();

    /**
     * The next fence of an incarnation that this verifier asks the registry for comes so late.
     *
     * @param sent told when it is on its way
     */
    void fenceComesLate(Victim verifier, Duration late, Runnable sent);

    /** How long a repair looks for what is in no log, at least. */
    Duration giveUpAfter();

    /**
     * The clocks of just enough of the registry's servers are so wrong for so long that the
     * boundary comes to where the time is, or so much ahead of it.
     *
     * @param ahead may be below 0
     */
    void leapBoundary(Duration ahead, Duration length);

    /** Some group gets another leader, if a majority can be had. */
    void changeLeader();

    /** All groups do. */
    void changeLeaders();

    /** This server's replicas apply nothing for so long. */
    void lag(Victim registryServer, Duration length);

    /** For so long a sync of any group's log takes up to some seconds. */
    void slowRegistryDisks(Duration length);

    /** No follower in the control group applies anything for so long; in the shards they do. */
    void lagInControl(Duration length);

    /**
     * Begins an attempt at another number of shards, and for so long nobody who leads it hears that
     * a shard is prepared.
     *
     * @param prepared told when the first is
     */
    void reshardUnheard(Duration length, Runnable prepared);

    /** Begins as many attempts at another number of shards, all from the map that stands. */
    void reshard(int attempts);
}
