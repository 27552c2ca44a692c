package photon.idregistry.server.data;

import com.google.protobuf.UnsafeByteOperations;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import photon.core.id.EventId;
import photon.core.id.Incarnation;
import photon.core.id.Packed;
import photon.core.rpc.Handler;
import photon.idregistry.control.ControlState;
import photon.idregistry.server.groups.Groups;
import photon.idregistry.server.groups.Readers;
import photon.idregistry.server.groups.RequestValidation;
import photon.idregistry.server.groups.ShardGroup;
import photon.idregistry.shard.ShardState;
import photon.idregistry.table.IdPage;
import photon.proto.v1.Progress;
import photon.proto.v1.ScanRequest;
import photon.proto.v1.ScanResponse;

/**
 * Pages of scans, by incarnation and by time, of this replica's own state, if it has applied the
 * index that is asked for: at or after a fence's index nothing is accepted for the incarnation any
 * more, so that any such replica gives the same (docs/protocol.md section 6).
 */
public final class ScanHandler implements Handler<ScanRequest, ScanResponse> {
    /** Milliseconds, where the ids are in memory. */
    private static final long ROWS_A_PIECE = 1 << 18;

    /** Less than a second, from a disk of 250 MB/s. */
    private static final int PIECES_MAX = 16;

    private final Groups groups;
    private final Readers readers;
    private final long rowsAPiece;

    public ScanHandler(Groups groups, Readers readers) {
        this(groups, readers, ROWS_A_PIECE);
    }

    /**
     * @param rowsAPiece roughly how many ids one piece looks at, while nothing is applied
     */
    ScanHandler(Groups groups, Readers readers, long rowsAPiece) {
        this.groups = groups;
        this.readers = readers;
        this.rowsAPiece = rowsAPiece;
    }

    @Override
    public void handle(ScanRequest request, Consumer<ScanResponse> respond) {
        ShardGroup shard = groups.shard(request.getShard());
        if (shard == null) {
            DroppedShards.answer(
                    groups, request.getShard(), DroppedShards::scan, ScanHandler::refused, respond);
        } else if (!wellFormed(request)) {
            RequestValidation.malformed("scan");
            respond.accept(refused(Progress.PROGRESS_UNSPECIFIED));
        } else if (request.hasIncarnation()
                && request.getLife() < groups.control().read(ControlState::lostSlots)) {
            respond.accept(
                    ScanResponse.newBuilder()
                            .setProgress(Progress.DECIDED)
                            .setOtherLife(true)
                            .build());
        } else if (request.getLinearizable()) {
            shard.entries()
                    .await(
                            shard.group()::readBarrier,
                            sure -> read(request, shard, respond),
                            progress -> respond.accept(refused(progress)));
        } else if (!shard.group().caughtUp()) {
            respond.accept(refused(Progress.UNKNOWN));
        } else {
            read(request, shard, respond);
        }
    }

    private static boolean wellFormed(ScanRequest request) {
        boolean onePlace =
                request.getAfter().size() <= EventId.BYTES
                        && RequestValidation.wholeIds(request.getAfter());
        boolean whose =
                !request.hasIncarnation()
                        || RequestValidation.incarnation(request.getIncarnation()) != null;
        return onePlace && whose && request.getLimit() > 0;
    }

    private void read(ScanRequest request, ShardGroup shard, Consumer<ScanResponse> respond) {
        if (!shard.reads().read(readers, () -> scan(request, shard), respond)) {
            respond.accept(refused(Progress.RESOURCE_EXHAUSTED));
        }
    }

    /** Nothing is applied while a piece is read, so the pieces are small. */
    private ScanResponse scan(ScanRequest request, ShardGroup shard) {
        EventId after = RequestValidation.oneId(request.getAfter());
        for (int pieces = 1; ; pieces++) {
            EventId from = after;
            Piece piece = shard.group().read(state -> piece(request, from, state));
            if (piece.goesOnAfter() == null) {
                return piece.response();
            }
            if (request.getMayBePartial() && pieces >= PIECES_MAX) {
                return piece.response().toBuilder()
                        .setResumeAfter(Packed.ids(List.of(piece.goesOnAfter())))
                        .build();
            }
            after = piece.goesOnAfter();
        }
    }

    /**
     * @param goesOnAfter of one that has found nothing, and is not the last; null: it is the answer
     */
    private record Piece(ScanResponse response, @Nullable EventId goesOnAfter) {}

    private Piece piece(ScanRequest request, @Nullable EventId after, ShardState state) {
        if (state.lastIndex() < request.getMinIndex()) {
            return new Piece(refused(Progress.UNKNOWN), null);
        }
        if (state.map() == null) {
            // Its ids may not be there yet: it is restored from a backup, or new.
            return new Piece(refused(Progress.UNKNOWN), null);
        }
        @Nullable Incarnation incarnation =
                request.hasIncarnation()
                        ? RequestValidation.incarnation(request.getIncarnation())
                        : null;
        IdPage page =
                state.scan(
                        incarnation,
                        request.getFromMicros(),
                        request.getToMicros() == 0 ? Long.MAX_VALUE : request.getToMicros(),
                        after,
                        Math.min(request.getLimit(), RequestValidation.READ_MAX),
                        rowsAPiece);
        ScanResponse response =
                ScanResponse.newBuilder()
                        .setProgress(Progress.DECIDED)
                        .setIds(UnsafeByteOperations.unsafeWrap(page.ids()))
                        .setTokens(UnsafeByteOperations.unsafeWrap(page.holders()))
                        .setMore(page.more())
                        .setBoundaryMicros(state.boundaryMicros())
                        .setIndex(state.lastIndex())
                        .build();
        return new Piece(response, page.size() == 0 && page.more() ? page.resumeAfter() : null);
    }

    private static ScanResponse refused(Progress progress) {
        return ScanResponse.newBuilder().setProgress(progress).build();
    }
}
