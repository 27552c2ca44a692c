package photon.idregistry.raft;

import java.time.Duration;
import photon.core.error.ConfigException;

/**
 * What of Raft's settings differs between networks. What correctness hangs on is not here but fixed
 * in {@link RaftSettings}.
 *
 * @param electionMin without word from a leader for between this ...
 * @param electionMax ... and this, an election begins. A pause of the leader, as by garbage
 *     collection, of that length changes it; WAN: 1500 to 3000 ms
 * @param firstElectionMin the same for the first election after a start
 * @param firstElectionMax the same for the first election after a start
 * @param segmentBytes size of one log file; old ones are deleted whole
 * @param entriesKept log entries kept behind a snapshot, so that a follower that lags a little
 *     needs no snapshot
 * @param snapshotLogBytes a snapshot is taken when so much was applied since the last
 * @param snapshotEvery or when anything was applied and so much time has passed
 * @param snapshotBytesPerSecond a snapshot is written no faster, so that the log finds the disk
 *     free
 * @param flowWindowBytes on their way to one other member at most, all groups together: no less
 *     than bandwidth times round trip
 * @param appendsInFlight requests on their way to one follower of one group at most; each carries
 *     up to {@link RaftSettings#ENTRY_BYTES_MAX}
 */
public record RaftTuning(
        Duration electionMin,
        Duration electionMax,
        Duration firstElectionMin,
        Duration firstElectionMax,
        long segmentBytes,
        long entriesKept,
        long snapshotLogBytes,
        Duration snapshotEvery,
        long snapshotBytesPerSecond,
        long flowWindowBytes,
        int appendsInFlight) {

    /** Round trips of a few milliseconds at most. */
    public static final RaftTuning LAN =
            new RaftTuning(
                    Duration.ofMillis(500),
                    Duration.ofMillis(1_000),
                    Duration.ofMillis(100),
                    Duration.ofMillis(400),
                    64L << 20,
                    2_000,
                    256L << 20,
                    Duration.ofMinutes(30),
                    32L << 20,
                    4L << 20,
                    32);

    /**
     * Round trips of up to some 300 ms. The window of {@link #LAN} would hold one follower to 40
     * MB/s at 100 ms, and an election would begin with each hiccup of the line.
     */
    public static final RaftTuning WAN =
            new RaftTuning(
                    Duration.ofMillis(1_500),
                    Duration.ofMillis(3_000),
                    Duration.ofMillis(500),
                    Duration.ofMillis(1_500),
                    LAN.segmentBytes,
                    LAN.entriesKept,
                    LAN.snapshotLogBytes,
                    LAN.snapshotEvery,
                    LAN.snapshotBytesPerSecond,
                    32L << 20,
                    128);

    public RaftTuning {
        ordered("raft.election-timeout", electionMin, electionMax);
        ordered("raft.first-election-timeout", firstElectionMin, firstElectionMax);
        positive("raft.segment-bytes", segmentBytes);
        positive("raft.entries-kept", entriesKept);
        positive("raft.snapshot-log-bytes", snapshotLogBytes);
        positive("raft.snapshot-every", snapshotEvery.toMillis());
        positive("raft.snapshot-bytes-per-second", snapshotBytesPerSecond);
        positive("raft.appends-in-flight", appendsInFlight);
        if (flowWindowBytes < RaftSettings.ENTRY_BYTES_MAX || flowWindowBytes > Integer.MAX_VALUE) {
            throw new ConfigException(
                    "Expected raft.flow-window-bytes from "
                            + RaftSettings.ENTRY_BYTES_MAX
                            + " to "
                            + Integer.MAX_VALUE
                            + ", but got "
                            + flowWindowBytes);
        }
    }

    /** The same with other election timeouts, for the first election too. */
    public RaftTuning withElection(Duration min, Duration max) {
        return new RaftTuning(
                min,
                max,
                min.compareTo(firstElectionMin) < 0 ? min : firstElectionMin,
                max.compareTo(firstElectionMax) < 0 ? max : firstElectionMax,
                segmentBytes,
                entriesKept,
                snapshotLogBytes,
                snapshotEvery,
                snapshotBytesPerSecond,
                flowWindowBytes,
                appendsInFlight);
    }

    /** The same with other timeouts for the first election after a start. */
    public RaftTuning withFirstElection(Duration min, Duration max) {
        return new RaftTuning(
                electionMin,
                electionMax,
                min,
                max,
                segmentBytes,
                entriesKept,
                snapshotLogBytes,
                snapshotEvery,
                snapshotBytesPerSecond,
                flowWindowBytes,
                appendsInFlight);
    }

    /** The same with another log length. */
    public RaftTuning withLog(long segment, long kept, long bytesASnapshot) {
        return new RaftTuning(
                electionMin,
                electionMax,
                firstElectionMin,
                firstElectionMax,
                segment,
                kept,
                bytesASnapshot,
                snapshotEvery,
                snapshotBytesPerSecond,
                flowWindowBytes,
                appendsInFlight);
    }

    private static void ordered(String key, Duration min, Duration max) {
        if (min.toMillis() < 10 || min.compareTo(max) >= 0) {
            throw new ConfigException(
                    "Expected "
                            + key
                            + " as two durations from 10 ms on, the first below the second, but"
                            + " got "
                            + min
                            + " and "
                            + max);
        }
    }

    private static void positive(String key, long value) {
        if (value <= 0) {
            throw new ConfigException("Expected " + key + " above 0, but got " + value);
        }
    }
}
