package photon.idregistry.raft.workaround;

import java.util.Collection;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RaftConfigurationProto;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.server.raftlog.LogProtoUtils;
import org.apache.ratis.util.ProtoUtils;

/**
 * A follower that was found on disk forgets its members with each piece of a snapshot that it
 * installs, and learns them again at once (Ratis 3.3.0, SnapshotInstallationHandler). Should its
 * election time-out end in that moment, it finds that it is no member and closes itself. In between
 * Ratis puts the members into words, logged or not; a JVM that does this for the first time loads
 * classes for it, on a busy machine for longer than the time-out. So that is done before.
 */
public final class ClassPreloading {
    private ClassPreloading() {}

    /** Does what Ratis does in that moment, so that nothing has to be loaded then. */
    public static void preload(Collection<RaftPeer> peers) {
        RaftConfigurationProto.Builder members = RaftConfigurationProto.newBuilder();
        peers.forEach(peer -> members.addPeers(peer.getRaftPeerProto()));
        LogEntryProto entry =
                LogEntryProto.newBuilder()
                        .setTerm(1)
                        .setIndex(1)
                        .setConfigurationEntry(members)
                        .build();
        var unused = LogProtoUtils.toRaftConfiguration(entry);
        var unusedToo = ProtoUtils.shortDebugString(entry);
    }
}
