package photon.idregistry.server;

import java.util.function.Consumer;
import photon.core.rpc.Handler;
import photon.idregistry.shard.ShardEntries;
import photon.idregistry.shard.ShardResults;
import photon.proto.v1.AdvanceBoundaryRequest;
import photon.proto.v1.AdvanceBoundaryResponse;
import photon.proto.v1.Progress;

/** Moves a shard's boundary by hand, an entry a request; {@link BoundaryKeeper} does by itself. */
final class BoundaryHandler implements Handler<AdvanceBoundaryRequest, AdvanceBoundaryResponse> {
    private final Groups groups;

    BoundaryHandler(Groups groups) {
        this.groups = groups;
    }

    @Override
    public void handle(AdvanceBoundaryRequest request, Consumer<AdvanceBoundaryResponse> respond) {
        ShardGroup shard = groups.shard(request.getShard());
        if (shard == null) {
            respond.accept(
                    groups.dropped(request.getShard())
                            .map(DroppedShards::advanceBoundary)
                            .orElseGet(() -> refused(groups.absent(request.getShard()), "")));
            return;
        }
        shard.entries()
                .submit(
                        ShardEntries.advanceBoundary(request.getBoundaryMicros()),
                        result ->
                                respond.accept(
                                        AdvanceBoundaryResponse.newBuilder()
                                                .setProgress(Progress.DECIDED)
                                                .setBoundaryMicros(ShardResults.boundary(result))
                                                .build()),
                        progress -> respond.accept(refused(progress, shard.group().leader())));
    }

    private static AdvanceBoundaryResponse refused(Progress progress, String leader) {
        return AdvanceBoundaryResponse.newBuilder().setProgress(progress).setLeader(leader).build();
    }
}
