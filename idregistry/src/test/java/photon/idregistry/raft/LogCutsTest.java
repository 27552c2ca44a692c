package photon.idregistry.raft;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftGroupMemberId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.server.raftlog.LogProtoUtils;
import org.apache.ratis.server.raftlog.segmented.SegmentedRaftLog;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.statemachine.impl.BaseStateMachine;
import org.apache.ratis.util.SizeInBytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import photon.core.rpc.HostPort;
import photon.idregistry.raft.workaround.LogCuts;

@Timeout(300)
class LogCutsTest {
    private final LogCuts cuts = new LogCuts();

    @Test
    void aFlushBehindTheLastCutMakesTheFlushIndexRight() throws Exception {
        assertThat(cuts.none()).isTrue();
        CompletableFuture<Void> first = cuts.queued();
        CompletableFuture<Void> second = cuts.queued();
        assertThat(first).isDone();
        assertThat(cuts.none()).isFalse();
        // A flush of what was written before.
        cuts.flushing();
        assertThat(cuts.none()).isFalse();
        first.get();
        cuts.flushing();
        assertThat(cuts.none()).isFalse();
        second.get();
        assertThat(cuts.none()).isFalse();
        cuts.flushing();
        assertThat(cuts.none()).isTrue();
    }

    @Test
    void aCutThatASnapshotMadeRatisDropIsNotWaitedForForEver() throws Exception {
        CompletableFuture<Void> dropped = cuts.queued();
        cuts.snapshotComes();
        assertThat(cuts.none()).as("it is queued still, perhaps").isFalse();
        CompletableFuture<Void> next = cuts.queued();
        cuts.snapshotIsThere();
        assertThat(cuts.none()).isFalse();
        next.get();
        cuts.flushing();
        assertThat(cuts.none()).isTrue();
        assertThat(cuts.count()).isEqualTo(2);
        // It was done in the last moment.
        dropped.get();
        assertThat(cuts.none()).isFalse();
        cuts.flushing();
        assertThat(cuts.none()).isTrue();
    }

    @Test
    void aCutThatIsDoneBesideASnapshotCountsOnce() throws Exception {
        CompletableFuture<Void> first = cuts.queued();
        CompletableFuture<Void> second = cuts.queued();
        cuts.snapshotComes();
        first.get();
        cuts.flushing();
        assertThat(cuts.none()).isFalse();
        second.get();
        cuts.flushing();
        assertThat(cuts.none()).isTrue();
    }

    /** Tells the cuts as {@link StateCarrier} does, and holds the log's writer at a flush. */
    private final class Machine extends BaseStateMachine {
        private volatile CountDownLatch gate = new CountDownLatch(0);

        @Override
        public CompletableFuture<Void> truncate(long index) {
            return cuts.queued();
        }

        @Override
        public CompletableFuture<Void> flush(long index) {
            try {
                assertThat(gate.await(30, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            cuts.flushing();
            return CompletableFuture.completedFuture(null);
        }
    }

    private static List<LogEntryProto> entries(long term, long from, long to) {
        return LongStream.range(from, to)
                .mapToObj(index -> LogProtoUtils.toLogEntryProto(0, term, index))
                .toList();
    }

    private static void join(List<CompletableFuture<Long>> written) throws Exception {
        for (CompletableFuture<Long> one : written) {
            one.get(30, TimeUnit.SECONDS);
        }
    }

    @Test
    void ratisCommitsWhatIsNotFlushedUntilItHasCutAndTellsWhenItHas(@TempDir Path root)
            throws Exception {
        RaftProperties properties =
                RaftSettings.properties(TestNodes.FAST, root, new HostPort("127.0.0.1", 1));
        Machine machine = new Machine();
        RaftStorage storage =
                RaftStorage.newBuilder()
                        .setDirectory(root.resolve("group").toFile())
                        .setOption(RaftStorage.StartupOption.FORMAT)
                        .setLogCorruptionPolicy(RaftServerConfigKeys.Log.CorruptionPolicy.EXCEPTION)
                        .setStorageFreeSpaceMin(SizeInBytes.valueOf(0))
                        .build();
        storage.initialize();
        try (SegmentedRaftLog log =
                SegmentedRaftLog.newBuilder()
                        .setMemberId(
                                RaftGroupMemberId.valueOf(
                                        RaftPeerId.valueOf("n0"),
                                        RaftGroupId.valueOf(TestNodes.GROUP)))
                        .setStateMachine(machine)
                        .setStorage(storage)
                        .setProperties(properties)
                        .build()) {
            log.open(-1, null);
            join(log.append(entries(1, 0, 10)));
            assertThat(log.getFlushIndex()).isEqualTo(9);
            assertThat(cuts.none()).isTrue();

            machine.gate = new CountDownLatch(1);
            List<CompletableFuture<Long>> last = log.append(entries(1, 10, 11));
            // Another leader never had those from 5 on. What a heartbeat of it commits then:
            List<CompletableFuture<Long>> others = log.append(entries(2, 5, 8));
            assertThat(log.updateCommitIndex(7, 2, false)).isTrue();
            assertThat(log.getLastCommittedIndex()).isEqualTo(7);
            assertThat(log.getFlushIndex()).as("of the old entries").isEqualTo(9);
            assertThat(cuts.none()).isFalse();

            machine.gate.countDown();
            join(others);
            assertThat(last.get(0)).isDone();
            assertThat(log.getFlushIndex()).isEqualTo(7);
            assertThat(cuts.none()).isTrue();
        }
    }
}
