package photon.idregistry.raft;

import java.util.List;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RaftConfigurationProto;
import org.apache.ratis.proto.RaftProtos.RaftPeerProto;
import org.apache.ratis.proto.RaftProtos.StateMachineLogEntryProto;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;

/** Entries as a {@link FakeLeader} sends them. */
final class LogEntries {
    private static final ByteString CLIENT = ClientId.randomId().toByteString();

    private LogEntries() {}

    static LogEntryProto members(long term, long index, List<RaftMember> members) {
        return change(term, index, List.of(), members);
    }

    /** Both lists are asked until this is settled. */
    static LogEntryProto change(
            long term, long index, List<RaftMember> before, List<RaftMember> after) {
        return LogEntryProto.newBuilder()
                .setTerm(term)
                .setIndex(index)
                .setConfigurationEntry(
                        RaftConfigurationProto.newBuilder()
                                .addAllPeers(peers(after))
                                .addAllOldPeers(peers(before)))
                .build();
    }

    private static List<RaftPeerProto> peers(List<RaftMember> members) {
        return members.stream()
                .map(
                        member ->
                                RaftPeerProto.newBuilder()
                                        .setId(ByteString.copyFromUtf8(member.name()))
                                        .setAddress(member.address().toString())
                                        .build())
                .toList();
    }

    /** For a {@link SumState}. */
    static LogEntryProto number(long term, long index, long number) {
        return LogEntryProto.newBuilder()
                .setTerm(term)
                .setIndex(index)
                .setStateMachineLogEntry(
                        StateMachineLogEntryProto.newBuilder()
                                .setClientId(CLIENT)
                                .setCallId(index)
                                .setLogData(ByteString.copyFrom(SumState.entry(number))))
                .build();
    }
}
