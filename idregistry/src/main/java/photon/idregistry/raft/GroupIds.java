package photon.idregistry.raft;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/** The names of the Raft groups: made from what a group is, so that every server finds the same. */
public final class GroupIds {
    private static final UUID CONTROL =
            UUID.nameUUIDFromBytes("photon control group".getBytes(StandardCharsets.US_ASCII));

    private GroupIds() {}

    /** The one group that holds pipelines, slots and generations. */
    public static UUID control() {
        return CONTROL;
    }

    /** A shard of one epoch of one pipeline. Never change it: groups would be lost. */
    public static UUID shard(UUID pipeline, int epoch, int shard) {
        ByteBuffer name = ByteBuffer.allocate(24);
        name.putLong(pipeline.getMostSignificantBits()).putLong(pipeline.getLeastSignificantBits());
        name.putInt(epoch).putInt(shard);
        return UUID.nameUUIDFromBytes(name.array());
    }
}
