package photon.server.health;

import photon.proto.v1.DescribeServerResponse;
import photon.proto.v1.PipelineStatus;
import photon.proto.v1.ReplicaStatus;
import photon.proto.v1.ShardRef;

/** The names of Raft groups. */
public final class GroupName {
    private GroupName() {}

    /** As people call it: {@code control}, or pipeline/epoch/shard. */
    public static String of(ReplicaStatus replica, DescribeServerResponse server) {
        if (!replica.hasShard()) {
            return "control";
        }
        ShardRef shard = replica.getShard();
        String pipeline =
                server.getPipelinesList().stream()
                        .filter(p -> p.getUuid().equals(shard.getPipeline()))
                        .map(PipelineStatus::getName)
                        .findFirst()
                        .orElse("?");
        return pipeline + "/" + shard.getEpoch() + "/" + shard.getShard();
    }
}
