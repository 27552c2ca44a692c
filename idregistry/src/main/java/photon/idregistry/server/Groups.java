package photon.idregistry.server;

import org.jspecify.annotations.Nullable;
import photon.idregistry.control.ControlState;
import photon.proto.v1.ShardRef;

/** The groups that this server has a replica of. Used in the server's loop. */
interface Groups {
    /** Null if this server has no such shard, or not yet. */
    @Nullable ShardGroup shard(ShardRef ref);

    Group<ControlState> control();

    DirectEntries controlEntries();
}
