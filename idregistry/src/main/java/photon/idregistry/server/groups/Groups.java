package photon.idregistry.server.groups;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import photon.idregistry.control.ControlState;
import photon.idregistry.control.DroppedShard;
import photon.proto.v1.Progress;
import photon.proto.v1.ShardRef;

/** The groups that this server has a replica of. Used in the server's loop. */
public interface Groups {
    /** Null if this server has no such shard, or not yet. */
    @Nullable ShardGroup shard(ShardRef ref);

    /** What is known of a shard that was dropped; empty for every other. */
    default Optional<DroppedShard> dropped(ShardRef ref) {
        return control().read(state -> state.dropped(ref));
    }

    /**
     * What whoever asks for a shard that is not here is answered: NO_SUCH_SHARD or PIPELINE_GONE.
     */
    Progress absent(ShardRef ref);

    Group<ControlState> control();

    DirectEntries controlEntries();
}
