package photon.simulation.raft;

/** What has happened in all groups of a cluster so far. */
public final class Counts {
    long elections;
    long entriesCommittedAfterDeposed;
    long unknownSubmits;
    long snapshotsRestored;
    long snapshotsInstalled;
    long statesCompared;

    Counts() {}

    /** Leaders that came into office. */
    public long elections() {
        return elections;
    }

    /** Entries that were committed by another than the leader they were submitted to. */
    public long entriesCommittedAfterDeposed() {
        return entriesCommittedAfterDeposed;
    }

    /** Submits whose end their submitter was never told, or told that it is unknown. */
    public long unknownSubmits() {
        return unknownSubmits;
    }

    /** Replicas that came back with a snapshot of their own. */
    public long snapshotsRestored() {
        return snapshotsRestored;
    }

    /** Replicas whose state was replaced by the leader's snapshot. */
    public long snapshotsInstalled() {
        return snapshotsInstalled;
    }

    /** Hashes of states that were compared with another replica's at the same index. */
    public long statesCompared() {
        return statesCompared;
    }
}
