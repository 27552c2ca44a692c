package photon.idregistry.raft.workaround;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.ratis.proto.RaftProtos.InstallSnapshotRequestProto;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class StaleSnapshotsTest {
    private static final ByteString SENDER = ByteString.copyFromUtf8("r1");
    private static final ByteString ANOTHER = ByteString.copyFromUtf8("r2");

    private static InstallSnapshotRequestProto piece(long term, long members) {
        return InstallSnapshotRequestProto.newBuilder()
                .setServerRequest(RaftRpcRequestProto.newBuilder().setRequestorId(SENDER))
                .setLeaderTerm(term)
                .setLastRaftConfigurationLogEntryProto(LogEntryProto.newBuilder().setIndex(members))
                .build();
    }

    private static boolean isStale(
            InstallSnapshotRequestProto piece,
            long term,
            @Nullable ByteString leader,
            long members) {
        return StaleSnapshots.isStale(piece, new StaleSnapshots.Standing(term, leader, members));
    }

    @Test
    void anOlderTermIsStaleWhateverItsMembers() {
        assertThat(isStale(piece(4, 90), 5, null, -1)).isTrue();
        assertThat(isStale(piece(4, 90), 5, SENDER, 10)).isTrue();
    }

    @Test
    void aNewerTermIsNotWhoeverLedBeforeAndWhateverItsMembers() {
        assertThat(isStale(piece(6, 10), 5, ANOTHER, 90)).isFalse();
        assertThat(isStale(piece(6, 10), 5, null, 90)).isFalse();
    }

    @Test
    void inOneTermItIsTheKnownLeadersOrAnybodysIfNobodyIsKnown() {
        assertThat(isStale(piece(5, 90), 5, ANOTHER, -1)).isTrue();
        assertThat(isStale(piece(5, 90), 5, SENDER, -1)).isFalse();
        assertThat(isStale(piece(5, 90), 5, null, -1)).isFalse();
    }

    @Test
    void inOneTermMembersDoNotGetOlder() {
        assertThat(isStale(piece(5, 89), 5, SENDER, 90)).isTrue();
        assertThat(isStale(piece(5, 89), 5, null, 90)).isTrue();
        assertThat(isStale(piece(5, 90), 5, SENDER, 90)).isFalse();
        assertThat(isStale(piece(5, 91), 5, SENDER, 90)).isFalse();
        assertThat(isStale(piece(5, 0), 5, SENDER, -1)).isFalse();
    }

    @Test
    void whatBringsNoMembersIsJudgedByItsTermAndSenderAlone() {
        InstallSnapshotRequestProto none =
                piece(5, 0).toBuilder().clearLastRaftConfigurationLogEntryProto().build();
        assertThat(isStale(none, 5, SENDER, 90)).isFalse();
        assertThat(isStale(none, 6, SENDER, -1)).isTrue();
        assertThat(isStale(none, 5, ANOTHER, -1)).isTrue();
    }
}
