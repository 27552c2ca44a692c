package photon.idregistry.server.control;

import com.google.protobuf.Message;
import com.google.protobuf.Parser;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import photon.core.text.PlainText;
import photon.idregistry.control.ControlEntries;
import photon.idregistry.control.ControlState;
import photon.idregistry.replicated.FeatureLevel;
import photon.idregistry.server.groups.ControlRequests;
import photon.idregistry.server.groups.Groups;
import photon.idregistry.server.groups.RequestValidation;
import photon.idregistry.server.groups.ShardGroup;
import photon.idregistry.server.groups.Stamping;
import photon.proto.v1.BeginReshardRequest;
import photon.proto.v1.BeginReshardResponse;
import photon.proto.v1.DecideReshardRequest;
import photon.proto.v1.DecideReshardResponse;
import photon.proto.v1.DescribePipelineRequest;
import photon.proto.v1.DescribePipelineResponse;
import photon.proto.v1.DropPipelineRequest;
import photon.proto.v1.DropPipelineResponse;
import photon.proto.v1.FenceIncarnationRequest;
import photon.proto.v1.FenceIncarnationResponse;
import photon.proto.v1.ListIncarnationsRequest;
import photon.proto.v1.ListIncarnationsResponse;
import photon.proto.v1.OpenPipelineRequest;
import photon.proto.v1.OpenPipelineResponse;
import photon.proto.v1.Progress;
import photon.proto.v1.RegisterDispatcherStateRequest;
import photon.proto.v1.RegisterDispatcherStateResponse;
import photon.proto.v1.RegisterRequest;
import photon.proto.v1.RegisterResponse;
import photon.proto.v1.RenewIncarnationRequest;
import photon.proto.v1.RenewIncarnationResponse;
import photon.proto.v1.ReopenIncarnationRequest;
import photon.proto.v1.ReopenIncarnationResponse;
import photon.proto.v1.ReshardDecision;
import photon.proto.v1.RetireDatacenterRequest;
import photon.proto.v1.RetireDatacenterResponse;
import photon.proto.v1.SetIncarnationStateRequest;
import photon.proto.v1.SetIncarnationStateResponse;
import photon.proto.v1.SetPipelineRequest;
import photon.proto.v1.SetPipelineResponse;
import photon.proto.v1.ShardLeader;
import photon.proto.v1.ShardRef;
import photon.registry.api.RegistryClient.Shard;
import photon.registry.api.RegistryProtos;

/**
 * The control group's methods. Its state's results are the responses themselves; what only a server
 * knows, as who serves and leads, is added here.
 */
public final class ControlHandler {
    private static final Logger LOG = LoggerFactory.getLogger(ControlHandler.class);

    /** Of an epoch's start ahead of this server's clock. */
    static final Duration RESHARD_AHEAD_MAX = Duration.ofDays(31);

    private final Groups groups;
    private final List<String> servers;
    private final Stamping stamping;

    /**
     * @param servers service addresses, this server's first
     */
    public ControlHandler(Groups groups, List<String> servers, Stamping stamping) {
        this.groups = groups;
        this.servers = servers;
        this.stamping = stamping;
    }

    public void openPipeline(OpenPipelineRequest request, Consumer<OpenPipelineResponse> respond) {
        submit(
                stamping.stamped(request.getActor(), ControlEntries.openPipeline(request)),
                OpenPipelineResponse.parser(),
                response -> {
                    if (response.getMade()) {
                        LOG.info(
                                "Pipeline {} is made, for {}",
                                response.getPipeline().getName(),
                                plain(request.getActor()));
                    }
                    respond.accept(withServers(response));
                },
                progress ->
                        respond.accept(
                                OpenPipelineResponse.newBuilder()
                                        .setProgress(progress)
                                        .setLeader(leader())
                                        .build()));
    }

    private OpenPipelineResponse withServers(OpenPipelineResponse response) {
        OpenPipelineResponse.Builder answer = response.toBuilder();
        if (answer.hasPipeline()) {
            answer.getPipelineBuilder().addAllServers(servers);
        }
        return answer.build();
    }

    /** From this replica's own state, stale perhaps, but never from before its start. */
    public void describePipeline(
            DescribePipelineRequest request, Consumer<DescribePipelineResponse> respond) {
        DescribePipelineResponse.Builder answer = DescribePipelineResponse.newBuilder();
        if (!groups.control().caughtUp()) {
            // It may know a pipeline that was dropped long ago, and not the one that has its name.
            respond.accept(answer.build());
            return;
        }
        groups.control()
                .read(state -> state.describe(request.getName()))
                .ifPresent(
                        view -> {
                            answer.setPipeline(view.toProto().toBuilder().addAllServers(servers));
                            for (Shard shard : view.map().shards()) {
                                addLeader(answer, RegistryProtos.shardRef(view.uuid(), shard));
                            }
                        });
        respond.accept(answer.build());
    }

    private void addLeader(DescribePipelineResponse.Builder answer, ShardRef ref) {
        ShardGroup shard = groups.shard(ref);
        String leader = shard == null ? "" : shard.group().leader();
        if (!leader.isEmpty()) {
            answer.addLeaders(ShardLeader.newBuilder().setShard(ref).setLeader(leader));
        }
    }

    public void register(RegisterRequest request, Consumer<RegisterResponse> respond) {
        int level = groups.control().read(ControlState::featureLevel);
        if (request.getUsesUnmatchedKind() && level < FeatureLevel.UNMATCHED_KIND) {
            // It never falls: a replica that lags refuses for a moment what it might write.
            respond.accept(
                    RegisterResponse.newBuilder()
                            .setProgress(Progress.DECIDED)
                            .setVerdict(RegisterResponse.Verdict.FEATURE_LEVEL_TOO_LOW)
                            .setFeatureLevel(level)
                            .build());
            return;
        }
        submit(
                stamping.stamped(request.getSlotName(), ControlEntries.register(request)),
                RegisterResponse.parser(),
                response ->
                        respond.accept(
                                response.toBuilder()
                                        .setUnmatchedKind(request.getUsesUnmatchedKind())
                                        .build()),
                progress ->
                        respond.accept(
                                RegisterResponse.newBuilder()
                                        .setProgress(progress)
                                        .setLeader(leader())
                                        .build()));
    }

    public void fenceIncarnation(
            FenceIncarnationRequest request, Consumer<FenceIncarnationResponse> respond) {
        submit(
                stamping.stamped(request.getActor(), ControlEntries.fenceIncarnation(request)),
                FenceIncarnationResponse.parser(),
                respond,
                progress ->
                        respond.accept(
                                FenceIncarnationResponse.newBuilder()
                                        .setProgress(progress)
                                        .setLeader(leader())
                                        .build()));
    }

    public void setIncarnationState(
            SetIncarnationStateRequest request, Consumer<SetIncarnationStateResponse> respond) {
        submit(
                stamping.stamped(request.getActor(), ControlEntries.setState(request)),
                SetIncarnationStateResponse.parser(),
                respond,
                progress ->
                        respond.accept(
                                SetIncarnationStateResponse.newBuilder()
                                        .setProgress(progress)
                                        .setLeader(leader())
                                        .build()));
    }

    public void renewIncarnation(
            RenewIncarnationRequest request, Consumer<RenewIncarnationResponse> respond) {
        submit(
                stamping.stamped("", ControlEntries.renewIncarnation(request)),
                RenewIncarnationResponse.parser(),
                respond,
                progress ->
                        respond.accept(
                                RenewIncarnationResponse.newBuilder()
                                        .setProgress(progress)
                                        .setLeader(leader())
                                        .build()));
    }

    public void registerDispatcherState(
            RegisterDispatcherStateRequest request,
            Consumer<RegisterDispatcherStateResponse> respond) {
        submit(
                stamping.stamped(request.getActor(), ControlEntries.registerState(request)),
                RegisterDispatcherStateResponse.parser(),
                response -> {
                    if (!request.getLost().isEmpty()) {
                        LOG.info(
                                "State {} of the dispatcher of {} is declared lost by {}: {}, {}"
                                        + " incarnations are reopened",
                                RegistryProtos.uuid(request.getLost()),
                                plain(request.getDatacenter()),
                                plain(request.getActor()),
                                response.getVerdict(),
                                response.getReopened());
                    }
                    respond.accept(response);
                },
                progress ->
                        respond.accept(
                                RegisterDispatcherStateResponse.newBuilder()
                                        .setProgress(progress)
                                        .setLeader(leader())
                                        .build()));
    }

    public void reopenIncarnation(
            ReopenIncarnationRequest request, Consumer<ReopenIncarnationResponse> respond) {
        submit(
                stamping.stamped(request.getActor(), ControlEntries.reopenIncarnation(request)),
                ReopenIncarnationResponse.parser(),
                respond,
                progress ->
                        respond.accept(
                                ReopenIncarnationResponse.newBuilder()
                                        .setProgress(progress)
                                        .setLeader(leader())
                                        .build()));
    }

    public void retireDatacenter(
            RetireDatacenterRequest request, Consumer<RetireDatacenterResponse> respond) {
        int level = groups.control().read(ControlState::featureLevel);
        if (level < FeatureLevel.RETIRED_DATACENTERS) {
            // It never falls: a replica that lags refuses for a moment what it might write.
            respond.accept(
                    RetireDatacenterResponse.newBuilder()
                            .setProgress(Progress.DECIDED)
                            .setVerdict(RetireDatacenterResponse.Verdict.FEATURE_LEVEL_TOO_LOW)
                            .setFeatureLevel(level)
                            .build());
            return;
        }
        submit(
                stamping.stamped(request.getActor(), ControlEntries.retireDatacenter(request)),
                RetireDatacenterResponse.parser(),
                response -> {
                    LOG.info(
                            "Datacenter {} is to be retired for {}: {}",
                            plain(request.getDatacenter()),
                            plain(request.getActor()),
                            response.getVerdict());
                    respond.accept(response);
                },
                progress ->
                        respond.accept(
                                RetireDatacenterResponse.newBuilder()
                                        .setProgress(progress)
                                        .setLeader(leader())
                                        .build()));
    }

    public void beginReshard(BeginReshardRequest request, Consumer<BeginReshardResponse> respond) {
        if (stamping.isFurtherAhead(request.getStartMicros(), RESHARD_AHEAD_MAX)) {
            // No later attempt could start before it: a clock that is wrong must not decide that.
            respond.accept(
                    BeginReshardResponse.newBuilder()
                            .setProgress(Progress.DECIDED)
                            .setVerdict(BeginReshardResponse.Verdict.BAD_START)
                            .build());
            return;
        }
        submit(
                stamping.stamped(request.getActor(), ControlEntries.beginReshard(request)),
                BeginReshardResponse.parser(),
                response -> {
                    LOG.info(
                            "A reshard of pipeline {} to {} shards is begun for {}: {} {}",
                            RegistryProtos.uuid(request.getPipeline()),
                            request.getShards(),
                            plain(request.getActor()),
                            response.getVerdict(),
                            response.getAttempt().getNumber());
                    respond.accept(response);
                },
                progress ->
                        respond.accept(
                                BeginReshardResponse.newBuilder()
                                        .setProgress(progress)
                                        .setLeader(leader())
                                        .build()));
    }

    /**
     * Aborts, or says what stands. A commit is refused on arrival: which shards are prepared only
     * the control group's leader knows, who has asked them ({@code ReshardDriver}) and submits the
     * commit in its own process. Believed from a request, one shard that is not prepared would go
     * on accepting ids that the next epoch's shards accept, too.
     */
    public void decideReshard(
            DecideReshardRequest request, Consumer<DecideReshardResponse> respond) {
        if (request.getDecision() == ReshardDecision.COMMIT || request.getPreparedCount() > 0) {
            RequestValidation.malformed("commit of a reshard");
            respond.accept(
                    DecideReshardResponse.newBuilder()
                            .setProgress(Progress.PROGRESS_UNSPECIFIED)
                            .build());
            return;
        }
        submit(
                stamping.stamped(request.getActor(), ControlEntries.decideReshard(request)),
                DecideReshardResponse.parser(),
                response -> {
                    if (request.getDecision() == ReshardDecision.ABORT) {
                        LOG.info(
                                "Reshard attempt {} of pipeline {} is to be aborted for {}: {}",
                                request.getAttempt(),
                                RegistryProtos.uuid(request.getPipeline()),
                                plain(request.getActor()),
                                response.getState());
                    }
                    respond.accept(response);
                },
                progress ->
                        respond.accept(
                                DecideReshardResponse.newBuilder()
                                        .setProgress(progress)
                                        .setLeader(leader())
                                        .build()));
    }

    public void setPipeline(SetPipelineRequest request, Consumer<SetPipelineResponse> respond) {
        submit(
                stamping.stamped(request.getActor(), ControlEntries.setPipeline(request)),
                SetPipelineResponse.parser(),
                response -> {
                    LOG.info(
                            "Settings of pipeline {} are changed for {}: {}, retention {} us, {}"
                                    + " waiting ids a shard, share weight {}",
                            RegistryProtos.uuid(request.getPipeline()),
                            plain(request.getActor()),
                            response.getVerdict(),
                            response.getSettings().getRetentionMicros(),
                            response.getSettings().getWaitingIdsPerShard(),
                            response.getSettings().getShareWeight());
                    respond.accept(response);
                },
                progress ->
                        respond.accept(
                                SetPipelineResponse.newBuilder()
                                        .setProgress(progress)
                                        .setLeader(leader())
                                        .build()));
    }

    public void dropPipeline(DropPipelineRequest request, Consumer<DropPipelineResponse> respond) {
        submit(
                stamping.stamped(request.getActor(), ControlEntries.dropPipeline(request)),
                DropPipelineResponse.parser(),
                response -> {
                    LOG.info(
                            "Pipeline {} {} is dropped for {}: {}",
                            response.getDropped().getName(),
                            RegistryProtos.uuid(request.getPipeline()),
                            plain(request.getActor()),
                            response.getVerdict());
                    respond.accept(response);
                },
                progress ->
                        respond.accept(
                                DropPipelineResponse.newBuilder()
                                        .setProgress(progress)
                                        .setLeader(leader())
                                        .build()));
    }

    /** Linearizable: who repairs must not miss a generation. */
    public void listIncarnations(
            ListIncarnationsRequest request, Consumer<ListIncarnationsResponse> respond) {
        UUID pipeline = RegistryProtos.uuid(request.getPipeline());
        Consumer<Progress> refused =
                progress ->
                        respond.accept(
                                ListIncarnationsResponse.newBuilder()
                                        .setProgress(progress)
                                        .setLeader(leader())
                                        .build());
        if (pipeline == null) {
            RequestValidation.malformed("list of incarnations");
            refused.accept(Progress.PROGRESS_UNSPECIFIED);
        } else if (!groups.control().log().leads()) {
            refused.accept(Progress.NOT_LEADER);
        } else {
            groups.controlEntries()
                    .await(
                            groups.control()::readBarrier,
                            sure -> respond.accept(list(pipeline, request.getSlotPrefix())),
                            refused);
        }
    }

    private ListIncarnationsResponse list(UUID pipeline, String slotPrefix) {
        return ListIncarnationsResponse.newBuilder()
                .setProgress(Progress.DECIDED)
                .addAllIncarnations(
                        groups.control().read(state -> state.incarnations(pipeline, slotPrefix)))
                .build();
    }

    private <R extends Message> void submit(
            byte[] entry, Parser<R> parser, Consumer<R> applied, Consumer<Progress> refused) {
        ControlRequests.submit(groups, "control", entry, parser, applied, refused);
    }

    /** One line, whatever somebody calls himself. */
    private static String plain(String actor) {
        return PlainText.line(Stamping.cut(actor));
    }

    private String leader() {
        return groups.control().leader();
    }
}
