package photon.registry.admin;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.time.Instant;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.UUID;
import photon.core.hash.Sha256;
import photon.idregistry.control.ControlState;
import photon.idregistry.control.PipelineView;
import photon.idregistry.shard.ShardState;
import photon.proto.v1.IncarnationInfo;
import photon.proto.v1.LoadIdsRequest;
import photon.proto.v1.LoadIdsResponse;
import photon.proto.v1.LoadKind;
import photon.proto.v1.LoadOutcome;
import photon.proto.v1.RestoreBegin;
import photon.proto.v1.RestoreLoaded;
import photon.proto.v1.RestorePhase;
import photon.proto.v1.RestorePiece;
import photon.proto.v1.RestoreRequest;
import photon.proto.v1.RestoreStatus;
import photon.proto.v1.ShardRef;
import photon.registry.admin.RestoreCalls.RefusedException;
import photon.registry.admin.backup.Backup;
import photon.registry.admin.backup.BackupPlan;
import photon.registry.api.RegistryProtos;

/**
 * Brings a backup onto an empty registry, up to where datacenters have to report. Goes on where a
 * run before it has ended (docs/protocol.md section 10).
 */
public final class RestoreRun {
    private static final int PIECE_BYTES = 256 << 10;

    /** Numbers of restores are the seconds since: it lasts until 2083. */
    private static final Instant EPOCH = Instant.parse("2020-01-01T00:00:00Z");

    private static final long ABOVE_MAX = 2_000_000_000;

    /** No more than servers put into one entry. */
    private static final int IDS_AT_ONCE = 4_096;

    private static final int ID_BYTES = photon.core.id.EventId.BYTES;
    private static final int TOKEN_BYTES = photon.core.id.CommitToken.BYTES;

    private final Backup backup;
    private final SortedSet<String> datacenters;
    private final RestoreCalls calls;
    private final ByteString restore;
    private final int above;

    /**
     * @param backup verified
     * @param datacenters all that ever wrote output
     * @param begun higher with each restore, so that two of one backup issue no number twice
     */
    public RestoreRun(Backup backup, Set<String> datacenters, Instant begun, RestoreCalls calls) {
        this.backup = backup;
        this.datacenters = new TreeSet<>(datacenters);
        this.calls = calls;
        this.above =
                (int)
                        Math.max(
                                0,
                                Math.min(
                                        ABOVE_MAX,
                                        begun.getEpochSecond() - EPOCH.getEpochSecond()));
        this.restore = RegistryProtos.bytes(UUID.nameUUIDFromBytes(backup.manifest().toBytes()));
    }

    /** Datacenters that have joiners in the backup. */
    public static SortedSet<String> datacenters(Backup backup) throws IOException {
        SortedSet<String> known = new TreeSet<>();
        ControlState control = backup.control();
        for (PipelineView pipeline : control.pipelines()) {
            for (IncarnationInfo info : control.incarnations(pipeline.uuid(), "")) {
                known.add(ControlState.datacenter(info.getSlotName()));
            }
        }
        return known;
    }

    /** Does all that is left to do of it. */
    public RestoreStatus run()
            throws IOException, LeaderCalls.UndecidedException, RefusedException {
        byte[] content = backup.controlBytes();
        RestoreStatus status =
                calls.step(
                        step().setBegin(
                                        RestoreBegin.newBuilder()
                                                .setBytes(content.length)
                                                .setAbove(above)
                                                .setSha256(Sha256.of(content))
                                                .addAllDatacenters(datacenters)));
        while (status.getPhase() == RestorePhase.RESTORE_RECEIVING) {
            int from = (int) status.getReceived();
            int to = Math.min(content.length, from + PIECE_BYTES);
            status =
                    calls.step(
                            step().setPiece(
                                            RestorePiece.newBuilder()
                                                    .setOffset(from)
                                                    .setBytes(
                                                            ByteString.copyFrom(
                                                                    content, from, to - from))));
        }
        if (status.getPhase() == RestorePhase.RESTORE_LOADING) {
            for (BackupPlan.Cut cut : BackupPlan.of(backup.control()).cuts()) {
                load(cut);
            }
            status = calls.step(step().setLoaded(RestoreLoaded.getDefaultInstance()));
        }
        return status;
    }

    private RestoreRequest.Builder step() {
        return RestoreRequest.newBuilder().setRestore(restore);
    }

    private void load(BackupPlan.Cut cut)
            throws IOException, LeaderCalls.UndecidedException, RefusedException {
        ShardRef ref = RegistryProtos.shardRef(cut.pipeline(), cut.shard());
        // What is small is known before the first page.
        ShardState small = backup.forEachPage(cut.pipeline(), cut.shard(), (state, page) -> {});
        send(
                LoadIdsRequest.newBuilder()
                        .setShard(ref)
                        .setKind(LoadKind.LOAD_HEAD)
                        .setBoundaryMicros(small.boundaryMicros())
                        .setMaxAcceptedMicros(small.maxAcceptedMicros()));
        FailedPage failed = new FailedPage();
        backup.forEachPage(
                cut.pipeline(), cut.shard(), (state, page) -> failed.guard(() -> send(ref, page)));
        failed.rethrow();
    }

    private void send(ShardRef ref, Backup.Page page)
            throws LeaderCalls.UndecidedException, RefusedException {
        for (int from = 0; from < page.rows(); from += IDS_AT_ONCE) {
            int count = Math.min(IDS_AT_ONCE, page.rows() - from);
            send(
                    LoadIdsRequest.newBuilder()
                            .setShard(ref)
                            .setKind(LoadKind.LOAD_BACKUP)
                            .setIds(
                                    ByteString.copyFrom(
                                            page.ids(), from * ID_BYTES, count * ID_BYTES))
                            .setTokens(
                                    ByteString.copyFrom(
                                            page.tokens(),
                                            from * TOKEN_BYTES,
                                            count * TOKEN_BYTES)));
        }
    }

    private void send(LoadIdsRequest.Builder request)
            throws LeaderCalls.UndecidedException, RefusedException {
        LoadIdsResponse answer = calls.load(request);
        if (answer.getLive()) {
            throw new RefusedException(
                    "a shard already accepts commits: another restore has ended");
        }
        for (int i = 0; i < answer.getOutcomes().size(); i++) {
            if (answer.getOutcomes().byteAt(i) == LoadOutcome.LOAD_WRONG_SHARD_VALUE) {
                throw new RefusedException(
                        "shard %d/%d does not own an id that it has in the backup"
                                .formatted(
                                        request.getShard().getEpoch(),
                                        request.getShard().getShard()));
            }
        }
    }

    /** Carries what a page's sender throws over the reader. */
    private static final class FailedPage {
        private LeaderCalls.@org.jspecify.annotations.Nullable UndecidedException undecided;
        private @org.jspecify.annotations.Nullable RefusedException refused;

        interface Sending {
            void run() throws LeaderCalls.UndecidedException, RefusedException;
        }

        void guard(Sending sending) {
            if (undecided != null || refused != null) {
                return;
            }
            try {
                sending.run();
            } catch (LeaderCalls.UndecidedException e) {
                undecided = e;
            } catch (RefusedException e) {
                refused = e;
            }
        }

        void rethrow() throws LeaderCalls.UndecidedException, RefusedException {
            if (undecided != null) {
                throw undecided;
            }
            if (refused != null) {
                throw refused;
            }
        }
    }
}
