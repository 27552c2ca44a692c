package photon.idregistry.raft;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotRequestProto;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RaftGroupIdProto;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.RaftProtos.ReadIndexRequestProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.proto.RaftProtos.StartLeaderElectionRequestProto;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.junit.jupiter.api.Test;
import photon.idregistry.raft.AppendTurns.Turn;

class InTurnTest {
    private static final ByteString GROUP = ByteString.copyFromUtf8("group");
    private static final RaftRpcRequestProto HEADER =
            RaftRpcRequestProto.newBuilder()
                    .setRaftGroupId(RaftGroupIdProto.newBuilder().setId(GROUP))
                    .build();

    @Test
    void whatReadsOrWritesTheLogTakesATurn() {
        AppendEntriesRequestProto heartbeat =
                AppendEntriesRequestProto.newBuilder()
                        .setServerRequest(HEADER)
                        .setLeaderTerm(7)
                        .build();
        assertThat(InTurn.task(heartbeat))
                .isEqualTo(new InTurn.Task(GROUP, Turn.ofLeader(7, false)));
        assertThat(
                        InTurn.task(
                                heartbeat.toBuilder()
                                        .addEntries(LogEntryProto.getDefaultInstance())
                                        .build()))
                .isEqualTo(new InTurn.Task(GROUP, Turn.ofLeader(7, true)));

        InTurn.Task other = new InTurn.Task(GROUP, Turn.ofOther());
        RequestVoteRequestProto vote =
                RequestVoteRequestProto.newBuilder().setServerRequest(HEADER).build();
        assertThat(InTurn.task(vote)).isEqualTo(other);
        assertThat(InTurn.task(vote.toBuilder().setPreVote(true).build())).isNull();
        assertThat(
                        InTurn.task(
                                InstallSnapshotRequestProto.newBuilder()
                                        .setServerRequest(HEADER)
                                        .build()))
                .isEqualTo(other);
        assertThat(
                        InTurn.task(
                                StartLeaderElectionRequestProto.newBuilder()
                                        .setServerRequest(HEADER)
                                        .build()))
                .isEqualTo(other);
        assertThat(InTurn.task(ReadIndexRequestProto.getDefaultInstance())).isNull();
    }
}
