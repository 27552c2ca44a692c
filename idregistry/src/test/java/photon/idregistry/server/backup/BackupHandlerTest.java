package photon.idregistry.server.backup;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import photon.core.loop.ManualLoop;
import photon.idregistry.batch.BatchLimits;
import photon.idregistry.control.ControlState;
import photon.idregistry.replicated.GroupCut;
import photon.idregistry.replicated.MemorySnapshot;
import photon.idregistry.replicated.ReplicatedLog;
import photon.idregistry.server.groups.FakeLog;
import photon.idregistry.server.groups.Group;
import photon.idregistry.server.groups.Readers;
import photon.idregistry.server.groups.ServedGroups;
import photon.proto.v1.CutGroupRequest;
import photon.proto.v1.CutGroupResponse;
import photon.proto.v1.Progress;
import photon.proto.v1.ReadCutRequest;
import photon.proto.v1.ReadCutResponse;

final class BackupHandlerTest {
    private final ManualLoop loop = new ManualLoop();
    private final Cutting control = new Cutting();
    private final BackupHandler handler =
            new BackupHandler(
                    new ServedGroups(loop, new BatchLimits(4, 1, 4), control), Readers.atOnce());

    /** A control group, each of whose snapshots holds another byte. */
    private static final class Cutting implements Group<ControlState> {
        private final Group<ControlState> group =
                FakeLog.group(new FakeLog(new ControlState()), ControlState.class, "c:1", null);
        private byte cuts;

        @Override
        public ReplicatedLog log() {
            return group.log();
        }

        @Override
        public String leader() {
            return group.leader();
        }

        @Override
        public boolean caughtUp() {
            return true;
        }

        @Override
        public <T extends @Nullable Object> T read(Function<ControlState, T> reader) {
            return group.read(reader);
        }

        @Override
        public CompletableFuture<Void> readBarrier() {
            return group.readBarrier();
        }

        @Override
        public CompletableFuture<GroupCut> cut() {
            cuts++;
            return CompletableFuture.completedFuture(
                    new GroupCut(1, cuts, MemorySnapshot.of("state", new byte[] {cuts})));
        }
    }

    private long cut() {
        List<CutGroupResponse> out = new ArrayList<>();
        handler.cut(CutGroupRequest.getDefaultInstance(), out::add);
        loop.runUntilIdle();
        assertThat(out.get(0).getProgress()).isEqualTo(Progress.DECIDED);
        return out.get(0).getIndex();
    }

    private ReadCutResponse read(long index) {
        List<ReadCutResponse> out = new ArrayList<>();
        handler.read(
                ReadCutRequest.newBuilder().setIndex(index).setFile("state").setLimit(10).build(),
                out::add);
        loop.runUntilIdle();
        return out.get(0);
    }

    @Test
    void twoBackupsAtOnceReadASnapshotEach() {
        long first = cut();
        long second = cut();
        assertThat(read(second).getBytes().byteAt(0)).isEqualTo((byte) second);
        assertThat(read(first).getBytes().byteAt(0)).isEqualTo((byte) first);
    }

    @Test
    void ofAGroupFewAreKept() {
        long first = cut();
        for (int i = 0; i < 4; i++) {
            cut();
        }
        ReadCutResponse gone = read(first);
        assertThat(gone.getProgress()).isEqualTo(Progress.UNKNOWN);
        assertThat(gone.getTrouble()).contains("taken others since");
    }
}
