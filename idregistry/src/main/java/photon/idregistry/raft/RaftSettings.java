package photon.idregistry.raft;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.RaftConfigKeys;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.grpc.GrpcConfigKeys;
import org.apache.ratis.rpc.SupportedRpcType;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.util.SizeInBytes;
import org.apache.ratis.util.TimeDuration;
import photon.core.rpc.HostPort;
import photon.idregistry.replicated.GroupCost;

/**
 * Ratis' settings. All that correctness hangs on is passed explicitly, also where it is Ratis'
 * default today: a default can change with a version, and some in the documentation differ from
 * those in the code.
 */
final class RaftSettings {
    /** The largest entry and the largest AppendEntries. */
    static final int ENTRY_BYTES_MAX = 1 << 20;

    /** Entries that may wait at the log, above what the batchers have in flight together. */
    static final int ENTRIES_WAITING_MAX = 1_024;

    private static final long MIB = 1L << 20;

    /** Must hold the largest AppendEntries and its frame; direct memory, one a group. */
    static final long WRITE_BUFFER_BYTES = GroupCost.DIRECT_BYTES;

    static final long PREALLOCATED_BYTES = GroupCost.DISK_BYTES;

    /**
     * How long a leader waits before it tries an unreachable follower again: pairs of a pause,
     * which is the mean, and how often. Ratis' own makes 5 s of it after 20 s, of which a follower
     * that is back needs several, in which it counts for no majority; and no pause at all after 80
     * minutes.
     */
    static final String UNREACHABLE_FOLLOWER = "1ms,10, 100ms,600, 500ms,1000000000";

    private RaftSettings() {}

    static Path storage(Path data) {
        return data.resolve("raft");
    }

    /** Where what is being deleted lies. */
    static Path removed(Path data) {
        return data.resolve("removed");
    }

    static RaftProperties properties(RaftTuning tuning, Path data, HostPort listen) {
        RaftProperties p = new RaftProperties();
        RaftConfigKeys.Rpc.setType(p, SupportedRpcType.GRPC);
        // The defaults of both lie in the system's temp directory.
        RaftServerConfigKeys.setStorageDir(p, List.of(storage(data).toFile()));
        RaftServerConfigKeys.setRemovedGroupsDir(p, removed(data).toFile());
        durability(p);
        log(p, tuning);
        snapshots(p);
        reads(p);
        time(p, tuning);
        grpc(p, tuning, listen);
        return p;
    }

    private static void durability(RaftProperties p) {
        RaftServerConfigKeys.Log.setUseMemory(p, false);
        RaftServerConfigKeys.setStorageFreeSpaceMin(p, size(0));
        // Either acknowledges what is not forced to disk: asynchronous flush, too, calls what it
        // wrote flushed when the force has failed (Ratis 3.3.0, SegmentedRaftLogWorker). Behind a
        // cut of the log Ratis does so all the same, which is for DurableAcknowledgements to hold
        // back.
        RaftServerConfigKeys.Log.setUnsafeFlushEnabled(p, false);
        RaftServerConfigKeys.Log.setAsyncFlushEnabled(p, false);
        RaftServerConfigKeys.Log.setForceSyncNum(p, 128);
        // The other policy cuts a corrupt log short and carries on.
        RaftServerConfigKeys.Log.setCorruptionPolicy(
                p, RaftServerConfigKeys.Log.CorruptionPolicy.EXCEPTION);
        // Else a follower takes what begins where something under way begins for the same, whatever
        // its term, and confirms entries that it never had (Ratis 3.3.0, NavigableIndices).
        RaftServerConfigKeys.Log.setAppendEntriesComposeEnabled(p, false);
        RaftServerConfigKeys.Log.setReadLockEnabled(p, true);
        // Costs an entry and a force behind each commit. Without, a follower that has just started
        // knows no commit index until its leader tells it.
        RaftServerConfigKeys.Log.setLogMetadataEnabled(p, true);
        RaftServerConfigKeys.LeaderElection.setMemberMajorityAdd(p, false);
    }

    private static void log(RaftProperties p, RaftTuning tuning) {
        RaftServerConfigKeys.Log.Appender.setRetryPolicy(p, UNREACHABLE_FOLLOWER);
        RaftServerConfigKeys.Log.Appender.setBufferByteLimit(p, size(ENTRY_BYTES_MAX));
        RaftServerConfigKeys.Log.setWriteBufferSize(p, size(WRITE_BUFFER_BYTES));
        RaftServerConfigKeys.Log.setSegmentSizeMax(p, size(tuning.segmentBytes()));
        RaftServerConfigKeys.Log.setPreallocatedSize(
                p, size(Math.min(PREALLOCATED_BYTES, tuning.segmentBytes())));
        RaftServerConfigKeys.Log.setSegmentCacheNumMax(p, 2);
        RaftServerConfigKeys.Log.setSegmentCacheSizeMax(p, size(64 * MIB));
        RaftServerConfigKeys.Log.setQueueElementLimit(p, 4_096);
        RaftServerConfigKeys.Log.setQueueByteLimit(p, size(64 * MIB));
        // These refuse instead of blocking.
        RaftServerConfigKeys.Write.setElementLimit(p, ENTRIES_WAITING_MAX);
        RaftServerConfigKeys.Write.setByteLimit(p, size(64 * MIB));
        // A reply a write, of up to 64 KiB and more, is kept that long; we never ask Ratis twice.
        RaftServerConfigKeys.RetryCache.setExpiryTime(p, seconds(2));
        RaftServerConfigKeys.Read.ReadAfterWriteConsistent.setWriteIndexCacheExpiryTime(
                p, seconds(10));
    }

    private static void snapshots(RaftProperties p) {
        // Ratis counts entries, which says nothing of bytes, and would write on the apply thread:
        // SnapshotScheduler takes them by itself.
        RaftServerConfigKeys.Snapshot.setAutoTriggerEnabled(p, false);
        RaftServerConfigKeys.Snapshot.setTriggerWhenStopEnabled(p, false);
        RaftServerConfigKeys.Snapshot.setTriggerWhenRemoveEnabled(p, false);
        // SnapshotStorage knows which may go.
        RaftServerConfigKeys.Snapshot.setRetentionFileNum(p, -1);
        RaftServerConfigKeys.Log.Appender.setInstallSnapshotEnabled(p, true);
        RaftServerConfigKeys.Log.Appender.setSnapshotChunkSizeMax(p, size(4 * MIB));
        // Else a dead follower keeps every log for ever.
        RaftServerConfigKeys.Log.setPurgeUptoSnapshotIndex(p, true);
        RaftServerConfigKeys.Log.setPurgeGap(p, 1);
    }

    /** Of followers alone, to whom {@code ReadIndexes} tells what to wait for. */
    private static void reads(RaftProperties p) {
        RaftServerConfigKeys.Read.setOption(p, RaftServerConfigKeys.Read.Option.LINEARIZABLE);
        // A lease trusts clocks (docs/protocol.md section 3).
        RaftServerConfigKeys.Read.setLeaderLeaseEnabled(p, false);
        RaftServerConfigKeys.Read.setLeaderHeartbeatCheckEnabled(p, true);
        RaftServerConfigKeys.Read.ReadIndex.setType(
                p, RaftServerConfigKeys.Read.ReadIndex.Type.COMMIT_INDEX);
        RaftServerConfigKeys.Read.setTimeout(p, seconds(5));
    }

    private static void time(RaftProperties p, RaftTuning tuning) {
        RaftServerConfigKeys.Log.setPurgePreservationLogNum(p, tuning.entriesKept());
        RaftServerConfigKeys.Rpc.setTimeoutMin(p, millis(tuning.electionMin()));
        RaftServerConfigKeys.Rpc.setTimeoutMax(p, millis(tuning.electionMax()));
        RaftServerConfigKeys.Rpc.setFirstElectionTimeoutMin(p, millis(tuning.firstElectionMin()));
        RaftServerConfigKeys.Rpc.setFirstElectionTimeoutMax(p, millis(tuning.firstElectionMax()));
        // Who is asked for a vote has no less time than who waits for the votes.
        RaftServerConfigKeys.Rpc.setRequestTimeout(p, longer(seconds(3), tuning.electionMax()));
        RaftServerConfigKeys.LeaderElection.setPreVote(p, true);
        // Also the length of a pause of the process after which it steps down: no follower stands
        // for election within a shorter one than it waits for.
        RaftServerConfigKeys.LeaderElection.setLeaderStepDownWaitTime(
                p, longer(seconds(2), tuning.electionMin()));
        RaftServerConfigKeys.setSleepDeviationThreshold(p, millis(Duration.ofMillis(300)));
        // A longer pause closes the server, which RaftNode reports as a bug.
        RaftServerConfigKeys.setCloseThreshold(p, seconds(60));
    }

    private static void grpc(RaftProperties p, RaftTuning tuning, HostPort listen) {
        GrpcConfigKeys.Server.setHost(p, listen.host());
        GrpcConfigKeys.Server.setPort(p, listen.port());
        GrpcConfigKeys.setMessageSizeMax(p, size(64 * MIB));
        GrpcConfigKeys.setFlowControlWindow(p, size(tuning.flowWindowBytes()));
        GrpcConfigKeys.Server.setLeaderOutstandingAppendsMax(p, tuning.appendsInFlight());
        // Of a snapshot: the last piece is answered when all of it is on the follower's disk.
        GrpcConfigKeys.Server.setInstallSnapshotRequestElementLimit(p, 8);
        GrpcConfigKeys.Server.setInstallSnapshotRequestTimeout(p, seconds(15));
        GrpcConfigKeys.Server.setHeartbeatChannel(p, true);
        // A process has our own gRPC beside Ratis'.
        GrpcConfigKeys.Server.setBossGroupSize(p, 1);
        GrpcConfigKeys.Server.setWorkerGroupSize(p, 2);
    }

    private static TimeDuration longer(TimeDuration one, Duration other) {
        TimeDuration duration = millis(other);
        return duration.compareTo(one) > 0 ? duration : one;
    }

    private static SizeInBytes size(long bytes) {
        return SizeInBytes.valueOf(bytes);
    }

    private static TimeDuration seconds(int seconds) {
        return TimeDuration.valueOf(seconds, TimeUnit.SECONDS);
    }

    private static TimeDuration millis(Duration duration) {
        return TimeDuration.valueOf(duration.toMillis(), TimeUnit.MILLISECONDS);
    }
}
