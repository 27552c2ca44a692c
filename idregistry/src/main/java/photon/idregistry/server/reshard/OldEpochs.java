package photon.idregistry.server.reshard;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import photon.core.loop.EventLoop;
import photon.idregistry.control.ControlEntries;
import photon.idregistry.control.PipelineView;
import photon.idregistry.server.groups.ControlRequests;
import photon.idregistry.server.groups.Groups;
import photon.idregistry.server.groups.ServerPeers;
import photon.idregistry.server.groups.ShardGroup;
import photon.idregistry.server.groups.Stamping;
import photon.idregistry.shard.ShardState;
import photon.proto.v1.DropEpochRequest;
import photon.proto.v1.DropEpochResponse;
import photon.proto.v1.ShardBoundary;
import photon.proto.v1.ShardRef;
import photon.registry.api.RegistryClient.Shard;
import photon.registry.api.RegistryProtos;
import photon.registry.api.ShardMap;

/**
 * Has a pipeline's first epoch dropped once the boundary has passed its last possible id
 * (docs/protocol.md section 4): the control group's leader asks for it, and names what its own
 * replicas of the shards have applied, which is never more than the truth. Runs in the server's
 * loop.
 */
public final class OldEpochs {
    private static final Logger LOG = LoggerFactory.getLogger(OldEpochs.class);
    private static final long EVERY_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final EventLoop loop;
    private final Groups groups;
    private final String actor;
    private final Stamping stamping;
    private long nextLookNanos;
    private boolean busy;

    public OldEpochs(EventLoop loop, Groups groups, ServerPeers peers, Stamping stamping) {
        this.loop = loop;
        this.groups = groups;
        this.actor = peers.actor();
        this.stamping = stamping;
        this.nextLookNanos = loop.nanoTime();
    }

    public void look(List<PipelineView> pipelines) {
        if (busy || loop.nanoTime() - nextLookNanos < 0 || !groups.control().log().leads()) {
            return;
        }
        nextLookNanos = loop.nanoTime() + EVERY_NANOS;
        for (PipelineView pipeline : pipelines) {
            DropEpochRequest request = toDrop(pipeline);
            if (request != null) {
                drop(pipeline, request);
                return;
            }
        }
    }

    /** Null if nothing is to be dropped now. */
    private @Nullable DropEpochRequest toDrop(PipelineView pipeline) {
        ShardMap map = pipeline.map();
        if (map.epochs().size() < 2 || !pipeline.reshards().open().isEmpty()) {
            return null;
        }
        long end = map.epochs().get(1).startMicros();
        List<Shard> shards = new ArrayList<>(ShardMap.shardsOf(map.epochs().get(0)));
        shards.addAll(ShardMap.shardsOf(map.epochs().get(1)));
        DropEpochRequest.Builder request =
                DropEpochRequest.newBuilder()
                        .setPipeline(RegistryProtos.bytes(pipeline.uuid()))
                        .setEpoch(map.firstEpoch().number());
        for (Shard shard : shards) {
            ShardRef ref = RegistryProtos.shardRef(pipeline.uuid(), shard);
            ShardGroup served = groups.shard(ref);
            long boundary =
                    served == null
                            ? Long.MIN_VALUE
                            : served.group().read(ShardState::boundaryMicros);
            if (boundary < end) {
                return null;
            }
            request.addBoundaries(
                    ShardBoundary.newBuilder().setShard(ref).setBoundaryMicros(boundary));
        }
        return request.build();
    }

    /** What is refused or lost is asked again at a later look. */
    private void drop(PipelineView pipeline, DropEpochRequest request) {
        busy = true;
        groups.controlEntries()
                .submit(
                        stamping.stamped(actor, ControlEntries.dropEpoch(request)),
                        result -> {
                            busy = false;
                            if (ControlRequests.parse(DropEpochResponse.parser(), result)
                                    .getDropped()) {
                                LOG.info(
                                        "Epoch {} of pipeline {} is dropped: its ids are too old",
                                        request.getEpoch(),
                                        pipeline.name());
                            }
                        },
                        refused -> busy = false);
    }
}
