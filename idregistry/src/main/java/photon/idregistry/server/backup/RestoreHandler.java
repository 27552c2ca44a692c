package photon.idregistry.server.backup;

import com.google.protobuf.UnsafeByteOperations;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import photon.core.id.EventId;
import photon.idregistry.control.ControlEntries;
import photon.idregistry.control.ControlState;
import photon.idregistry.replicated.FeatureLevel;
import photon.idregistry.server.groups.ControlRequests;
import photon.idregistry.server.groups.Readers;
import photon.idregistry.server.groups.RequestValidation;
import photon.idregistry.server.groups.ServedGroups;
import photon.idregistry.server.groups.ShardGroup;
import photon.idregistry.server.groups.Stamping;
import photon.idregistry.shard.ShardEntries;
import photon.idregistry.shard.ShardResults;
import photon.idregistry.shard.ShardState;
import photon.proto.v1.LoadIdsRequest;
import photon.proto.v1.LoadIdsResponse;
import photon.proto.v1.LoadKind;
import photon.proto.v1.Progress;
import photon.proto.v1.RestoreRequest;
import photon.proto.v1.RestoreResponse;
import photon.registry.api.RegistryClient.Shard;
import photon.registry.api.RegistryProtos;
import photon.registry.api.ShardMap;

/** The steps of a restore: an entry each, of the control group's log or of a shard's. */
public final class RestoreHandler {
    /** Of a piece of the backup's control group, far below what an entry of the log may be. */
    static final int ENTRY_BYTES_MAX = 512 << 10;

    private static final Logger LOG = LoggerFactory.getLogger(RestoreHandler.class);

    private final ServedGroups groups;
    private final Stamping stamping;
    private final Readers readers;
    private final int idsMax;

    /**
     * @param idsMax of one entry
     */
    public RestoreHandler(ServedGroups groups, Stamping stamping, Readers readers, int idsMax) {
        this.groups = groups;
        this.stamping = stamping;
        this.readers = readers;
        this.idsMax = idsMax;
    }

    public void restore(RestoreRequest request, Consumer<RestoreResponse> respond) {
        if ((request.hasBegin() || request.hasPiece()) && level() == FeatureLevel.LOWEST) {
            // The servers have not told yet what they know, and what they might not is left out of
            // a backup that is opened: it is asked again.
            respond.accept(
                    RestoreResponse.newBuilder()
                            .setProgress(Progress.UNKNOWN)
                            .setLeader(groups.control().leader())
                            .build());
            return;
        }
        byte[] entry = stamping.stamped(request.getActor(), ControlEntries.restore(request));
        if (entry.length > ENTRY_BYTES_MAX) {
            RequestValidation.malformed("restore");
            respond.accept(RestoreResponse.getDefaultInstance());
            return;
        }
        groups.controlEntries()
                .submit(
                        entry,
                        result -> {
                            RestoreResponse answer =
                                    ControlRequests.parse(RestoreResponse.parser(), result);
                            if (!request.hasLook() && !request.hasPiece()) {
                                LOG.info(
                                        "Restore {}: {}, {}",
                                        request.getStepCase(),
                                        answer.getVerdict(),
                                        answer.getStatus().getPhase());
                            }
                            respond.accept(answer);
                        },
                        progress ->
                                respond.accept(
                                        RestoreResponse.newBuilder()
                                                .setProgress(progress)
                                                .setLeader(groups.control().leader())
                                                .build()));
    }

    public void load(LoadIdsRequest request, Consumer<LoadIdsResponse> respond) {
        ShardGroup shard = groups.shard(request.getShard());
        if (shard == null) {
            respond.accept(refused(groups.absent(request.getShard()), ""));
        } else if (request.getKind() == LoadKind.LOAD_HEAD) {
            head(request, shard, respond);
        } else if (!wellFormed(request)) {
            RequestValidation.malformed("load of ids");
            respond.accept(refused(Progress.PROGRESS_UNSPECIFIED, ""));
        } else if (request.getIds().size() > idsMax * EventId.BYTES) {
            respond.accept(refused(Progress.RESOURCE_EXHAUSTED, ""));
        } else if (ShardEntries.anyUnmatched(request.getTokens())
                && level() < FeatureLevel.UNMATCHED_KIND) {
            // At the lowest the servers have not told yet: it is asked again.
            respond.accept(
                    LoadIdsResponse.newBuilder()
                            .setProgress(
                                    level() == FeatureLevel.LOWEST
                                            ? Progress.UNKNOWN
                                            : Progress.DECIDED)
                            .setFeatureLevelTooLow(level())
                            .build());
        } else if (request.getKind() == LoadKind.LOAD_LOOK) {
            shard.entries()
                    .await(
                            shard.group()::readBarrier,
                            sure -> look(request, shard, respond),
                            progress -> respond.accept(refused(progress, shard.group().leader())));
        } else {
            submit(
                    shard,
                    request.getKind() == LoadKind.LOAD_BACKUP
                            ? ShardEntries.restoreBackup(request.getIds(), request.getTokens())
                            : ShardEntries.restorePublished(request.getIds(), request.getTokens()),
                    ShardResults::restoreRows,
                    respond);
        }
    }

    private static boolean wellFormed(LoadIdsRequest request) {
        return switch (request.getKind()) {
            case LOAD_BACKUP ->
                    !request.getIds().isEmpty()
                            && ShardEntries.wellFormedRows(request.getIds(), request.getTokens());
            case LOAD_PUBLISHED, LOAD_LOOK ->
                    !request.getIds().isEmpty()
                            && ShardEntries.wellFormed(request.getIds(), request.getTokens());
            default -> false;
        };
    }

    private int level() {
        return groups.control().read(ControlState::featureLevel);
    }

    private void look(LoadIdsRequest request, ShardGroup shard, Consumer<LoadIdsResponse> respond) {
        if (!shard.reads()
                .read(readers, () -> shard.group().read(state -> look(request, state)), respond)) {
            respond.accept(refused(Progress.RESOURCE_EXHAUSTED, ""));
        }
    }

    private static LoadIdsResponse look(LoadIdsRequest request, ShardState state) {
        byte[] outcomes =
                state.lookPublished(
                        request.getIds().asReadOnlyByteBuffer(),
                        request.getTokens().asReadOnlyByteBuffer());
        return outcomes == null
                ? refused(Progress.UNKNOWN, "")
                : LoadIdsResponse.newBuilder()
                        .setProgress(Progress.DECIDED)
                        .setLive(true)
                        .setOutcomes(UnsafeByteOperations.unsafeWrap(outcomes))
                        .build();
    }

    private record Place(ShardMap map, int lostSlots) {}

    private void head(LoadIdsRequest request, ShardGroup shard, Consumer<LoadIdsResponse> respond) {
        Shard self = new Shard(request.getShard().getEpoch(), request.getShard().getShard());
        Optional<Place> place =
                groups.control()
                        .read(
                                state ->
                                        place(state, request)
                                                .filter(one -> one.map().contains(self)));
        if (place.isEmpty()) {
            respond.accept(refused(Progress.UNKNOWN, ""));
            return;
        }
        submit(
                shard,
                ShardEntries.restoreHead(
                        place.get().map(),
                        self,
                        place.get().lostSlots(),
                        request.getBoundaryMicros(),
                        request.getMaxAcceptedMicros()),
                ShardResults::restoreHead,
                respond);
    }

    private static Optional<Place> place(ControlState state, LoadIdsRequest request) {
        return state.pipelines().stream()
                .filter(
                        view ->
                                state.isRestoring()
                                        && RegistryProtos.bytes(view.uuid())
                                                .equals(request.getShard().getPipeline()))
                .findFirst()
                .map(view -> new Place(view.map(), state.restoreStatus().getSlotsBelow()));
    }

    private static void submit(
            ShardGroup shard,
            byte[] entry,
            Function<byte[], ShardResults.Loaded> reader,
            Consumer<LoadIdsResponse> respond) {
        shard.entries()
                .submit(
                        entry,
                        result -> {
                            ShardResults.Loaded loaded = reader.apply(result);
                            respond.accept(
                                    LoadIdsResponse.newBuilder()
                                            .setProgress(
                                                    loaded.taken() || loaded.live()
                                                            ? Progress.DECIDED
                                                            : Progress.UNKNOWN)
                                            .setLive(loaded.live())
                                            .setOutcomes(loaded.outcomes())
                                            .build());
                        },
                        progress -> respond.accept(refused(progress, shard.group().leader())));
    }

    private static LoadIdsResponse refused(Progress progress, String leader) {
        return LoadIdsResponse.newBuilder().setProgress(progress).setLeader(leader).build();
    }
}
