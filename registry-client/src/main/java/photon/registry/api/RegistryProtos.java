package photon.registry.api;

import com.google.protobuf.ByteString;
import java.nio.ByteBuffer;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import photon.core.id.Incarnation;
import photon.proto.v1.ShardRef;
import photon.registry.api.RegistryClient.Shard;

/** How ids of pipelines, and names of groups and incarnations, travel. */
public final class RegistryProtos {
    private RegistryProtos() {}

    /** Names a group on the wire. */
    public static ShardRef shardRef(UUID pipeline, Shard shard) {
        return ShardRef.newBuilder()
                .setPipeline(bytes(pipeline))
                .setEpoch(shard.epoch())
                .setShard(shard.number())
                .build();
    }

    /** Names an incarnation on the wire. */
    public static photon.proto.v1.Incarnation incarnation(Incarnation incarnation) {
        return photon.proto.v1.Incarnation.newBuilder()
                .setSlot(incarnation.slot())
                .setGeneration(incarnation.generation())
                .build();
    }

    /** 16 bytes, big-endian. */
    public static ByteString bytes(UUID uuid) {
        return ByteString.copyFrom(
                ByteBuffer.allocate(16)
                        .putLong(uuid.getMostSignificantBits())
                        .putLong(uuid.getLeastSignificantBits())
                        .array());
    }

    /** The same; empty for null. */
    public static ByteString bytesOrNone(@Nullable UUID uuid) {
        return uuid == null ? ByteString.EMPTY : bytes(uuid);
    }

    /** The opposite of {@link #bytes}; null if it is not 16 bytes. */
    public static @Nullable UUID uuid(ByteString bytes) {
        if (bytes.size() != 16) {
            return null;
        }
        ByteBuffer in = bytes.asReadOnlyByteBuffer();
        return new UUID(in.getLong(), in.getLong());
    }
}
