package photon.idregistry.raft;

import java.io.IOException;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.server.RaftServer;
import org.jspecify.annotations.Nullable;
import photon.idregistry.raft.workaround.PendingAcknowledgements;

/** The log of one of Ratis' replicas. Thread-safe. */
record DivisionLog(RaftServer.Division division, StateCarrier carrier)
        implements PendingAcknowledgements.Log {
    /** Null if there is no such group. */
    static @Nullable DivisionLog of(RaftGroupId group, RaftServer server) {
        try {
            RaftServer.Division division = server.getDivision(group);
            return new DivisionLog(division, (StateCarrier) division.getStateMachine());
        } catch (IOException | RuntimeException e) {
            // Not yet, or not any more.
            return null;
        }
    }

    @Override
    public boolean alive() {
        return division.getInfo().isAlive();
    }

    @Override
    public boolean isOnDisk(long index) {
        return carrier.cuts().none() && division.getRaftLog().getFlushIndex() >= index;
    }

    @Override
    public long cuts() {
        return carrier.cuts().count();
    }
}
