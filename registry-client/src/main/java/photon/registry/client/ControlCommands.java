package photon.registry.client;

import static photon.core.error.Checks.check;

import com.google.protobuf.ByteString;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.core.id.Incarnation;
import photon.core.id.Packed;
import photon.proto.v1.FenceIncarnationRequest;
import photon.proto.v1.FenceIncarnationResponse;
import photon.proto.v1.FenceRequest;
import photon.proto.v1.ListIncarnationsRequest;
import photon.proto.v1.OpenPipelineRequest;
import photon.proto.v1.OpenPipelineResponse;
import photon.proto.v1.PipelineSettings;
import photon.proto.v1.Progress;
import photon.proto.v1.RenewIncarnationRequest;
import photon.proto.v1.ScanRequest;
import photon.proto.v1.ScanResponse;
import photon.proto.v1.SetIncarnationStateRequest;
import photon.proto.v1.ShardRef;
import photon.registry.api.ControlClient;
import photon.registry.api.PipelineDroppedException;
import photon.registry.api.RegistrationRefusedException;
import photon.registry.api.RegistryClient;
import photon.registry.api.RegistryClient.Commit;
import photon.registry.api.RegistryProtos;
import photon.registry.api.RegistryUnavailableException;
import photon.registry.api.RetiredDatacenter;
import photon.registry.api.ShardMap;
import photon.registry.api.UnknownIncarnationException;

/** Asks each command of the leader that it concerns until the answer is definite. */
final class ControlCommands implements ControlClient {
    /** A joiner that says more says it wrongly: it renews every few minutes at least. */
    private static final Duration RENEWS_WITHIN_MAX = Duration.ofHours(1);

    private final Asking asking;
    private final Leaders leaders;

    /** UUIDs of the pipelines that were opened here, by name. */
    private final Map<String, ByteString> openedHere = new HashMap<>();

    ControlCommands(Asking asking, Leaders leaders) {
        this.asking = asking;
        this.leaders = leaders;
    }

    private <Q, R> void control(Rpc<Q, R> rpc, Q request, Consumer<R> decided) {
        asking.loop.checkInLoop();
        asking.leader(leaders.ofControl(), rpc, request, decided);
    }

    /**
     * Whether a description is not of an older pipeline of the same name, which a replica that lags
     * may know still.
     */
    boolean mayBe(photon.proto.v1.Pipeline described) {
        ByteString known = openedHere.get(described.getName());
        return known == null || known.equals(described.getUuid());
    }

    private static Optional<Duration> retention(PipelineSettings settings) {
        long micros = settings.getRetentionMicros();
        return micros == 0 ? Optional.empty() : Optional.of(Duration.of(micros, ChronoUnit.MICROS));
    }

    @Override
    public CompletableFuture<Pipeline> openPipeline(
            String name, UUID uuid, String identityFingerprint, int shards, Duration retention) {
        CompletableFuture<Pipeline> future = new CompletableFuture<>();
        OpenPipelineRequest request =
                OpenPipelineRequest.newBuilder()
                        .setName(name)
                        .setUuid(RegistryProtos.bytes(uuid))
                        .setIdentityFingerprint(identityFingerprint)
                        .setShards(shards)
                        .setSettings(
                                PipelineSettings.newBuilder()
                                        .setRetentionMicros(
                                                TimeUnit.NANOSECONDS.toMicros(retention.toNanos())))
                        .setActor(asking.actor())
                        .build();
        control(
                Rpc.OPEN_PIPELINE,
                request,
                answer -> {
                    photon.proto.v1.Pipeline opened = answer.getPipeline();
                    UUID held = RegistryProtos.uuid(opened.getUuid());
                    if (held == null
                            || answer.getVerdict() == OpenPipelineResponse.Verdict.UUID_DROPPED) {
                        future.completeExceptionally(notOpened(answer, name, uuid, shards));
                    } else {
                        openedHere.put(opened.getName(), opened.getUuid());
                        future.complete(
                                new Pipeline(
                                        held,
                                        opened.getName(),
                                        opened.getIdentityFingerprint(),
                                        retention(opened.getSettings()),
                                        opened.getDatacentersList(),
                                        opened.getRetiredList().stream()
                                                .map(RetiredDatacenter::of)
                                                .toList()));
                    }
                });
        return future;
    }

    private static RuntimeException notOpened(
            OpenPipelineResponse answer, String name, UUID uuid, int shards) {
        if (answer.getVerdict() == OpenPipelineResponse.Verdict.UUID_DROPPED) {
            return new PipelineDroppedException(
                    ("Pipeline %s of UUID %s was dropped from the registry, and its UUID is never"
                                    + " used again; the one wanted here is %s of UUID %s")
                            .formatted(answer.getDropped().getName(), uuid, name, uuid));
        }
        if (shards == 0) {
            return new RegistrationRefusedException(
                    ("The registry has no pipeline %s, which was opened before with UUID %s: it is"
                                    + " another registry, or one that has lost its disks. To make"
                                    + " the pipeline anew would join everything twice: bring a"
                                    + " backup back with 'photon registry restore'")
                            .formatted(name, uuid));
        }
        return new RegistrationRefusedException(
                ("Expected a pipeline name, 1 to %s shards and a UUID that no other pipeline has,"
                                + " but got '%s', %s and %s")
                        .formatted(ShardMap.SHARDS_MAX, name, shards, uuid));
    }

    @Override
    public CompletableFuture<Incarnation> register(Registration registration) {
        CompletableFuture<Incarnation> future = new CompletableFuture<>();
        control(
                Rpc.REGISTER,
                Registering.request(registration),
                answer -> {
                    RuntimeException refusal = Registering.refusal(registration, answer);
                    if (refusal == null) {
                        future.complete(incarnation(answer.getIncarnation()));
                    } else {
                        future.completeExceptionally(refusal);
                    }
                });
        return future;
    }

    @Override
    public CompletableFuture<List<IncarnationInfo>> incarnations(UUID pipeline, String slotPrefix) {
        CompletableFuture<List<IncarnationInfo>> future = new CompletableFuture<>();
        control(
                Rpc.LIST_INCARNATIONS,
                ListIncarnationsRequest.newBuilder()
                        .setPipeline(RegistryProtos.bytes(pipeline))
                        .setSlotPrefix(slotPrefix)
                        .build(),
                answer ->
                        future.complete(
                                answer.getIncarnationsList().stream()
                                        .map(ControlCommands::info)
                                        .toList()));
        return future;
    }

    @Override
    public CompletableFuture<List<Fenced>> fence(UUID pipeline, Incarnation incarnation) {
        CompletableFuture<List<Fenced>> future = new CompletableFuture<>();
        control(
                Rpc.FENCE_INCARNATION,
                FenceIncarnationRequest.newBuilder()
                        .setPipeline(RegistryProtos.bytes(pipeline))
                        .setIncarnation(RegistryProtos.incarnation(incarnation))
                        .setActor(asking.actor())
                        .build(),
                answer -> {
                    if (answer.getShardsCount() == 0) {
                        future.completeExceptionally(
                                noSuch(incarnation, answer.getPipelineDropped()));
                    } else {
                        fenceGroups(incarnation.slot(), answer, future);
                    }
                });
        return future;
    }

    @Override
    public CompletableFuture<SilentFence> fenceSilent(
            UUID pipeline, Incarnation incarnation, Silence seen) {
        check(
                seen.renewedIndex() > 0,
                "Expected the entry of the last renewal of %s, but got %s",
                incarnation,
                seen.renewedIndex());
        CompletableFuture<SilentFence> future = new CompletableFuture<>();
        control(
                Rpc.FENCE_INCARNATION,
                FenceIncarnationRequest.newBuilder()
                        .setPipeline(RegistryProtos.bytes(pipeline))
                        .setIncarnation(RegistryProtos.incarnation(incarnation))
                        .setActor(asking.actor())
                        .setRenewedIndex(seen.renewedIndex())
                        .setSilentMillis(seen.lasted().toMillis())
                        .build(),
                answer -> {
                    switch (answer.getSilence()) {
                        case FENCED_NOW -> future.complete(SilentFence.FENCED);
                        case FENCED_BEFORE -> future.complete(SilentFence.FENCED_BEFORE);
                        case HAS_RENEWED -> future.complete(SilentFence.HAS_RENEWED);
                        default ->
                                future.completeExceptionally(
                                        noSuch(incarnation, answer.getPipelineDropped()));
                    }
                });
        return future;
    }

    /** After the control group has recorded the fence, which names all groups as of then. */
    private void fenceGroups(
            int slot, FenceIncarnationResponse fenced, CompletableFuture<List<Fenced>> future) {
        List<Fenced> applied = new ArrayList<>();
        for (ShardRef group : fenced.getShardsList()) {
            FenceRequest request =
                    FenceRequest.newBuilder()
                            .setShard(group)
                            .setSlot(slot)
                            .setLowestLiveGeneration(fenced.getLowestLiveGeneration())
                            .build();
            asking.leader(
                    leaders.of(group),
                    Rpc.FENCE,
                    request,
                    answer -> {
                        applied.add(
                                new Fenced(
                                        new RegistryClient.Shard(
                                                group.getEpoch(), group.getShard()),
                                        answer.getIndex(),
                                        fenced.getLife()));
                        if (applied.size() == fenced.getShardsCount()) {
                            applied.sort(java.util.Comparator.comparing(Fenced::shard));
                            future.complete(List.copyOf(applied));
                        }
                    },
                    future::completeExceptionally);
        }
    }

    @Override
    public CompletableFuture<ScanPage> scan(
            UUID pipeline,
            Fenced group,
            Incarnation incarnation,
            @Nullable EventId after,
            int limit) {
        asking.loop.checkInLoop();
        CompletableFuture<ScanPage> future = new CompletableFuture<>();
        ScanRequest request =
                ScanRequest.newBuilder()
                        .setShard(RegistryProtos.shardRef(pipeline, group.shard()))
                        .setIncarnation(RegistryProtos.incarnation(incarnation))
                        .setMinIndex(group.index())
                        .setLife(group.life())
                        .setAfter(after == null ? ByteString.EMPTY : Packed.ids(List.of(after)))
                        .setLimit(limit)
                        .setMayBePartial(true)
                        .build();
        scan(request, group, future);
        return future;
    }

    /** Goes on where nothing was found, so that no question takes long. */
    private void scan(ScanRequest request, Fenced group, CompletableFuture<ScanPage> future) {
        asking.any(
                leaders.servers(),
                RegistryTransport.Server::scan,
                request,
                answer ->
                        answer.getProgress() == Progress.DECIDED
                                || answer.getProgress() == Progress.PIPELINE_GONE,
                answer -> {
                    if (answer.getOtherLife()) {
                        future.completeExceptionally(
                                new RegistryUnavailableException(
                                        "The registry was restored from a backup since the fence: fence again"));
                    } else if (answer.getProgress() != Progress.DECIDED) {
                        future.completeExceptionally(Asking.gone("shard " + group.shard()));
                    } else if (!answer.getResumeAfter().isEmpty()) {
                        scan(
                                request.toBuilder().setAfter(answer.getResumeAfter()).build(),
                                group,
                                future);
                    } else {
                        future.complete(page(answer));
                    }
                });
    }

    private static ScanPage page(ScanResponse answer) {
        List<EventId> ids = Packed.ids(answer.getIds());
        List<CommitToken> tokens = Packed.tokens(answer.getTokens());
        List<Commit> held = new ArrayList<>(ids.size());
        for (int i = 0; i < ids.size(); i++) {
            held.add(new Commit(ids.get(i), tokens.get(i)));
        }
        return new ScanPage(held, answer.getMore(), answer.getBoundaryMicros());
    }

    @Override
    public CompletableFuture<IncarnationState> closeClean(UUID pipeline, Incarnation incarnation) {
        return setState(
                incarnation,
                SetIncarnationStateRequest.newBuilder()
                        .setPipeline(RegistryProtos.bytes(pipeline))
                        .setState(photon.proto.v1.IncarnationState.CLEAN));
    }

    @Override
    public CompletableFuture<IncarnationState> markRepaired(
            UUID pipeline, Incarnation incarnation, Repair repair) {
        return setState(
                incarnation,
                SetIncarnationStateRequest.newBuilder()
                        .setPipeline(RegistryProtos.bytes(pipeline))
                        .setState(photon.proto.v1.IncarnationState.REPAIRED)
                        .setLife(repair.life())
                        .setTimesReopened(repair.timesReopened())
                        .setRowsIn(RegistryProtos.bytesOrNone(repair.rowsIn().orElse(null))));
    }

    @Override
    public CompletableFuture<Renewed> renew(
            UUID pipeline, Incarnation incarnation, long holdMicros, Duration within) {
        CompletableFuture<Renewed> future = new CompletableFuture<>();
        control(
                Rpc.RENEW_INCARNATION,
                RenewIncarnationRequest.newBuilder()
                        .setPipeline(RegistryProtos.bytes(pipeline))
                        .setIncarnation(RegistryProtos.incarnation(incarnation))
                        .setHoldMicros(holdMicros)
                        .setWithinMillis(within.toMillis())
                        .build(),
                answer -> {
                    if (answer.getPipelineDropped()) {
                        future.completeExceptionally(Asking.gone("incarnation " + incarnation));
                    } else {
                        future.complete(
                                new Renewed(
                                        answer.getLimitMicros(),
                                        answer.getWantedMicros(),
                                        answer.getFenced()));
                    }
                });
        return future;
    }

    private CompletableFuture<IncarnationState> setState(
            Incarnation incarnation, SetIncarnationStateRequest.Builder request) {
        CompletableFuture<IncarnationState> future = new CompletableFuture<>();
        control(
                Rpc.SET_STATE,
                request.setIncarnation(RegistryProtos.incarnation(incarnation))
                        .setActor(asking.actor())
                        .build(),
                answer -> {
                    IncarnationState stands = state(answer.getState());
                    if (stands == null) {
                        future.completeExceptionally(
                                noSuch(incarnation, answer.getPipelineDropped()));
                    } else {
                        future.complete(stands);
                    }
                });
        return future;
    }

    static RuntimeException noSuch(Incarnation incarnation, boolean pipelineDropped) {
        if (pipelineDropped) {
            return Asking.gone("incarnation " + incarnation);
        }
        // Whoever asks was told of it by a registry. One whose disks were lost does not know it.
        return new UnknownIncarnationException(
                "The registry does not know incarnation "
                        + incarnation
                        + ": is it another one, or one that has lost its disks?");
    }

    private static Incarnation incarnation(photon.proto.v1.Incarnation incarnation) {
        return new Incarnation(incarnation.getSlot(), incarnation.getGeneration());
    }

    static @Nullable IncarnationState state(photon.proto.v1.IncarnationState state) {
        return switch (state) {
            case OPEN -> IncarnationState.OPEN;
            case CLEAN -> IncarnationState.CLEAN;
            case REPAIRED -> IncarnationState.REPAIRED;
            default -> null;
        };
    }

    private static IncarnationInfo info(photon.proto.v1.IncarnationInfo info) {
        IncarnationState state = state(info.getState());
        return new IncarnationInfo(
                incarnation(info.getIncarnation()),
                info.getSlotName(),
                state == null ? IncarnationState.OPEN : state,
                info.getFenced(),
                info.getAddress(),
                info.getProcessId(),
                info.getStartedMicros(),
                info.getOutputId(),
                info.getHoldMicros(),
                info.getHeardMicros(),
                info.getRenewedIndex(),
                renewsWithin(info.getRenewsWithinMillis()),
                new Rows(
                        info.getTimesReopened(),
                        Optional.ofNullable(RegistryProtos.uuid(info.getRowsIn())),
                        Optional.ofNullable(RegistryProtos.uuid(info.getRowsLostWith())),
                        info.getStateLostMicros()),
                info.getFirstGeneration() == 0
                        ? info.getIncarnation().getGeneration()
                        : info.getFirstGeneration());
    }

    /**
     * @param millis unsigned
     */
    private static Duration renewsWithin(long millis) {
        long most = RENEWS_WITHIN_MAX.toMillis();
        return Duration.ofMillis(millis < 0 ? most : Math.min(most, millis));
    }

    @Override
    public void close() {
        asking.close();
    }
}
