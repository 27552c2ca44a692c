package photon.idregistry.server;

import java.util.function.Consumer;
import photon.core.id.EventId;
import photon.core.id.Incarnation;
import photon.core.id.Packed;
import photon.core.rpc.Handler;
import photon.idregistry.api.ControlClient.ScanPage;
import photon.idregistry.api.RegistryClient.Commit;
import photon.idregistry.shard.ShardState;
import photon.proto.v1.Progress;
import photon.proto.v1.ScanRequest;
import photon.proto.v1.ScanResponse;

/**
 * Scans by incarnation, of this replica's own state, if it has applied the index that is asked for:
 * at or after a fence's index nothing is accepted for the incarnation any more, so that any such
 * replica gives the same (docs/protocol.md section 6).
 */
final class ScanHandler implements Handler<ScanRequest, ScanResponse> {
    private final Groups groups;

    ScanHandler(Groups groups) {
        this.groups = groups;
    }

    @Override
    public void handle(ScanRequest request, Consumer<ScanResponse> respond) {
        ShardGroup shard = groups.shard(request.getShard());
        Incarnation incarnation = Door.incarnation(request.getIncarnation());
        boolean onePlace =
                request.getAfter().size() <= EventId.BYTES && Door.wholeIds(request.getAfter());
        if (shard == null) {
            respond.accept(refused(Progress.NO_SUCH_SHARD));
        } else if (incarnation == null || !onePlace || request.getLimit() <= 0) {
            Door.malformed("scan");
            respond.accept(refused(Progress.PROGRESS_UNSPECIFIED));
        } else {
            respond.accept(shard.group().read(state -> scan(request, incarnation, state)));
        }
    }

    private static ScanResponse scan(
            ScanRequest request, Incarnation incarnation, ShardState state) {
        if (state.lastIndex() < request.getMinIndex()) {
            return refused(Progress.UNKNOWN);
        }
        int limit = Math.min(request.getLimit(), Door.READ_MAX);
        ScanPage page = state.scan(incarnation, Door.oneId(request.getAfter()), limit);
        return ScanResponse.newBuilder()
                .setProgress(Progress.DECIDED)
                .setIds(Packed.ids(page.held().stream().map(Commit::id).toList()))
                .setTokens(Packed.tokens(page.held().stream().map(Commit::token).toList()))
                .setMore(page.more())
                .setBoundaryMicros(page.boundaryMicros())
                .build();
    }

    private static ScanResponse refused(Progress progress) {
        return ScanResponse.newBuilder().setProgress(progress).build();
    }
}
