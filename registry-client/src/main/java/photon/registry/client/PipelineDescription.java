package photon.registry.client;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import java.util.UUID;
import photon.proto.v1.DescribePipelineResponse;
import photon.registry.api.RegistryProtos;
import photon.registry.api.ShardMap;

/**
 * What a server said of a pipeline: where its clients begin. What has changed since, they are told
 * by the shards.
 */
public final class PipelineDescription {
    final DescribePipelineResponse described;

    PipelineDescription(DescribePipelineResponse described) {
        this.described = described;
    }

    /** The pipeline's own id. */
    public UUID uuid() {
        return Objects.requireNonNull(
                RegistryProtos.uuid(described.getPipeline().getUuid()), "Expected 16 bytes");
    }

    /** Older ids are refused and dropped; zero: none ever is. */
    public Duration retention() {
        return Duration.of(
                described.getPipeline().getSettings().getRetentionMicros(), ChronoUnit.MICROS);
    }

    /** The map as that server knew it. */
    public ShardMap map() {
        return ShardMap.of(described.getPipeline().getMap());
    }
}
