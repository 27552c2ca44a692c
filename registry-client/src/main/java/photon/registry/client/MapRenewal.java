package photon.registry.client;

import com.google.protobuf.ByteString;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import photon.proto.v1.DescribePipelineRequest;
import photon.proto.v1.Pipeline;
import photon.registry.api.ShardMap;

/**
 * Asks for the newest shard map: who only reads hears of a new one in no other way. Used in the
 * loop.
 */
final class MapRenewal {
    private static final Duration EVERY_MIN = Duration.ofSeconds(1);

    private final Asking asking;
    private final Leaders leaders;
    private final String name;
    private final ByteString uuid;
    private final Consumer<ShardMap> heard;

    /** True: it was asked for a moment ago. */
    private boolean renewing;

    /**
     * @param described the pipeline, as some server knows it
     */
    MapRenewal(Asking asking, Leaders leaders, Pipeline described, Consumer<ShardMap> heard) {
        this.asking = asking;
        this.leaders = leaders;
        this.name = described.getName();
        this.uuid = described.getUuid();
        this.heard = heard;
    }

    /** However often it is called, not more than once a second. */
    void soon() {
        if (!renewing) {
            renewing = true;
            now(() -> asking.later(EVERY_MIN, () -> renewing = false));
        }
    }

    void now(Runnable then) {
        now(() -> false, then);
    }

    /**
     * @param over true: nobody waits for it any more
     */
    void now(BooleanSupplier over, Runnable then) {
        asking.any(
                leaders.servers(),
                RegistryTransport.Server::describePipeline,
                DescribePipelineRequest.newBuilder().setName(name).build(),
                over,
                // A server that is behind may still know a dropped one of this name, with a map
                // whose version is higher.
                described ->
                        described.hasPipeline() && described.getPipeline().getUuid().equals(uuid),
                described -> {
                    heard.accept(ShardMap.of(described.getPipeline().getMap()));
                    then.run();
                });
    }
}
