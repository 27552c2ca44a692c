package photon.registry.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.core.id.Incarnation;
import photon.core.id.Packed;
import photon.core.loop.ManualLoop;
import photon.core.rpc.HostPort;
import photon.proto.v1.DescribePipelineResponse;
import photon.proto.v1.DroppedPipeline;
import photon.proto.v1.FenceIncarnationRequest;
import photon.proto.v1.FenceIncarnationResponse;
import photon.proto.v1.FenceRequest;
import photon.proto.v1.FenceResponse;
import photon.proto.v1.OpenPipelineRequest;
import photon.proto.v1.OpenPipelineResponse;
import photon.proto.v1.Pipeline;
import photon.proto.v1.Progress;
import photon.proto.v1.RegisterRequest;
import photon.proto.v1.RegisterResponse;
import photon.proto.v1.ScanRequest;
import photon.proto.v1.ScanResponse;
import photon.proto.v1.SetIncarnationStateRequest;
import photon.proto.v1.SetIncarnationStateResponse;
import photon.registry.api.ControlClient;
import photon.registry.api.ControlClient.Fenced;
import photon.registry.api.ControlClient.IncarnationState;
import photon.registry.api.ControlClient.ScanPage;
import photon.registry.api.ControlClient.SilentFence;
import photon.registry.api.FeatureLevelTooLowException;
import photon.registry.api.NotReportedException;
import photon.registry.api.PipelineDroppedException;
import photon.registry.api.RegistrationRefusedException;
import photon.registry.api.RegistryClient.Commit;
import photon.registry.api.RegistryClient.Shard;
import photon.registry.api.RegistryProtos;
import photon.registry.api.RegistryUnavailableException;
import photon.registry.api.UnknownIncarnationException;

final class ControlClientTest {
    private static final UUID PIPELINE = new UUID(1, 2);
    private static final HostPort NEAR = new HostPort("near", 1);
    private static final HostPort FAR = new HostPort("far", 3);
    private static final Duration LONG = Duration.ofSeconds(2);
    private static final Incarnation LOST = new Incarnation(3, 4);

    private final ManualLoop loop = new ManualLoop();
    private final FakeRegistryTransport wire = new FakeRegistryTransport(loop);
    private final RegistryConnection connection =
            new RegistryConnection(
                    loop, wire, List.of(NEAR, FAR), "ads", new SplittableRandom(1), "me@here");
    private final ControlClient control = connection.control();

    private static ControlClient.Registration registration() {
        return new ControlClient.Registration(
                PIPELINE, "east/j0", "00ff", "host:1", 1, 99, "idA", "out1");
    }

    @Test
    void aRegistrationIsAskedAgainWithItsNonce() {
        CompletableFuture<Incarnation> registered = control.register(registration());
        wire.only().lose();
        assertThat(wire.unanswered()).as("a pause first").isEmpty();
        loop.advance(LONG);
        wire.only()
                .answer(
                        RegisterResponse.newBuilder()
                                .setProgress(Progress.NOT_LEADER)
                                .setLeader(NEAR.toString())
                                .build());
        wire.only().answer(RegisterResponse.newBuilder().setProgress(Progress.UNKNOWN).build());
        loop.advance(LONG);
        wire.only()
                .answer(
                        RegisterResponse.newBuilder()
                                .setProgress(Progress.DECIDED)
                                .setVerdict(RegisterResponse.Verdict.REGISTERED)
                                .setIncarnation(proto(new Incarnation(1, 7)))
                                .build());
        assertThat(registered.join()).isEqualTo(new Incarnation(1, 7));
        assertThat(wire.sent).hasSize(4);
        assertThat(wire.sent)
                .extracting(sent -> sent.as(RegisterRequest.class).getNonce().toByteArray())
                .allSatisfy(nonce -> assertThat(nonce).containsExactly(0, 0xff));
    }

    /** It would open a connection that nobody closes, and register what nobody will be. */
    @Test
    void aClosedClientSendsNothing() {
        control.close();
        control.register(registration());
        control.scan(PIPELINE, new Fenced(new Shard(1, 0), 5), LOST, null, 10);
        loop.advance(LONG);
        assertThat(wire.sent).isEmpty();
    }

    @Test
    void aRefusalNamesTheOutputThatItsDatacenterHas() {
        CompletableFuture<Incarnation> registered = control.register(registration());
        wire.only()
                .answer(
                        RegisterResponse.newBuilder()
                                .setProgress(Progress.DECIDED)
                                .setVerdict(RegisterResponse.Verdict.OTHER_OUTPUT)
                                .setHeld("out9")
                                .build());
        assertThatThrownBy(registered::join)
                .hasCauseInstanceOf(RegistrationRefusedException.class)
                .hasMessageContaining("has the outputId out9");
    }

    /** Only one of them needs other directories: each says itself what it needs. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    UNKNOWN_PIPELINE   | Use the registry of the earlier runs
                    PIPELINE_DROPPED   | Use another state and output directory for a new pipeline of this name
                    OTHER_IDENTITY     | Set them as they were, or give the pipeline another name, with state and output directories of its own
                    OTHER_OUTPUT       | start it with the state and output directories of its datacenter
                    DATACENTER_RETIRED | choose another name, with state and output directories of its own
                    """)
    void aRefusalSaysWhatToDo(RegisterResponse.Verdict verdict, String advice) {
        CompletableFuture<Incarnation> registered = control.register(registration());
        wire.only()
                .answer(
                        RegisterResponse.newBuilder()
                                .setProgress(Progress.DECIDED)
                                .setVerdict(verdict)
                                .build());
        assertThatThrownBy(registered::join)
                .hasCauseInstanceOf(RegistrationRefusedException.class)
                .hasMessageEndingWith(advice);
    }

    /** It is right again after the report: so it is no refusal for good. */
    @Test
    void aDatacenterThatHasNotReportedMayAskAgain() {
        CompletableFuture<Incarnation> registered = control.register(registration());
        wire.only()
                .answer(
                        RegisterResponse.newBuilder()
                                .setProgress(Progress.DECIDED)
                                .setVerdict(RegisterResponse.Verdict.NOT_REPORTED)
                                .setHeld("east")
                                .build());
        assertThatThrownBy(registered::join)
                .hasCauseInstanceOf(NotReportedException.class)
                .hasMessageContaining(
                        "datacenter east has not reported what it had published: run 'photon registry report' there");
    }

    private static ControlClient.Registration withUnmatchedKind() {
        return new ControlClient.Registration(
                PIPELINE,
                "east/j0",
                "00ff",
                "host:1",
                1,
                99,
                "idA",
                "out1",
                Optional.empty(),
                true);
    }

    private static RegisterResponse registered(boolean unmatchedKind) {
        return RegisterResponse.newBuilder()
                .setProgress(Progress.DECIDED)
                .setVerdict(RegisterResponse.Verdict.REGISTERED)
                .setIncarnation(proto(new Incarnation(1, 7)))
                .setUnmatchedKind(unmatchedKind)
                .build();
    }

    @Test
    void whoUsesTheUnmatchedKindSaysSoAndHearsThatItMay() {
        CompletableFuture<Incarnation> plain = control.register(registration());
        assertThat(wire.only().as(RegisterRequest.class).getUsesUnmatchedKind()).isFalse();
        wire.only().answer(registered(false));
        assertThat(plain.join()).isEqualTo(new Incarnation(1, 7));
        CompletableFuture<Incarnation> asked = control.register(withUnmatchedKind());
        assertThat(wire.only().as(RegisterRequest.class).getUsesUnmatchedKind()).isTrue();
        wire.only().answer(registered(true));
        assertThat(asked.join()).isEqualTo(new Incarnation(1, 7));
    }

    /** A server of an earlier version does not know what it was asked. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    0 | an earlier one: upgrade its servers, and run 'photon upgrade finalize'
                    2 | 2: 'photon upgrade status' says which server holds it back
                    3 | 3: run 'photon upgrade finalize'
                    """)
    void whoUsesTheUnmatchedKindTooEarlyIsTold(int level, String stands) {
        CompletableFuture<Incarnation> asked = control.register(withUnmatchedKind());
        wire.only()
                .answer(
                        level == 0
                                ? registered(false)
                                : RegisterResponse.newBuilder()
                                        .setProgress(Progress.DECIDED)
                                        .setVerdict(RegisterResponse.Verdict.FEATURE_LEVEL_TOO_LOW)
                                        .setFeatureLevel(level)
                                        .build());
        assertThatThrownBy(asked::join)
                .hasCauseInstanceOf(FeatureLevelTooLowException.class)
                .hasMessageEndingWith(
                        "Slot east/j0 was refused: unmatched.upgrade needs feature level 4, and the registry stands at "
                                + stands);
    }

    @Test
    void aPipelineThatCannotBeOpenedIsRefused() {
        CompletableFuture<ControlClient.Pipeline> opened =
                control.openPipeline("ads", PIPELINE, "idA", 0);
        wire.only().answer(OpenPipelineResponse.newBuilder().setProgress(Progress.DECIDED).build());
        assertThatThrownBy(opened::join).hasCauseInstanceOf(RegistrationRefusedException.class);
    }

    private static Pipeline described(UUID uuid) {
        return Pipeline.newBuilder()
                .setName("ads")
                .setUuid(RegistryProtos.bytes(uuid))
                .setMap(photon.registry.api.ShardMap.initial(1).toProto())
                .build();
    }

    /** Its replica of the control group lags: it knows the one that was dropped before. */
    @Test
    void aDescriptionOfAnOlderPipelineOfTheSameNameWillNotDo() {
        CompletableFuture<ControlClient.Pipeline> opened =
                control.openPipeline("ads", PIPELINE, "idA", 1);
        assertThat(wire.only().as(OpenPipelineRequest.class).getActor()).isEqualTo("me@here");
        wire.only()
                .answer(
                        OpenPipelineResponse.newBuilder()
                                .setProgress(Progress.DECIDED)
                                .setPipeline(described(PIPELINE))
                                .build());
        assertThat(opened.join().uuid()).isEqualTo(PIPELINE);
        CompletableFuture<PipelineDescription> description = connection.describe();
        wire.only()
                .answer(
                        DescribePipelineResponse.newBuilder()
                                .setPipeline(described(new UUID(7, 7)))
                                .build());
        assertThat(description).isNotDone();
        loop.advance(LONG);
        assertThat(wire.only().server).isEqualTo(FAR);
        wire.only()
                .answer(
                        DescribePipelineResponse.newBuilder()
                                .setPipeline(described(PIPELINE))
                                .build());
        assertThat(description.join().uuid()).isEqualTo(PIPELINE);
    }

    @Test
    void aUuidThatWasDroppedIsRefusedAndNamed() {
        CompletableFuture<ControlClient.Pipeline> opened =
                control.openPipeline("ads", PIPELINE, "idA", 1);
        wire.only()
                .answer(
                        OpenPipelineResponse.newBuilder()
                                .setProgress(Progress.DECIDED)
                                .setVerdict(OpenPipelineResponse.Verdict.UUID_DROPPED)
                                .setDropped(DroppedPipeline.newBuilder().setName("clicks"))
                                .build());
        assertThatThrownBy(opened::join)
                .hasCauseInstanceOf(PipelineDroppedException.class)
                .hasMessageContaining("clicks")
                .hasMessageContaining("ads")
                .hasMessageContaining(PIPELINE.toString());
    }

    @Test
    void whatIsAskedOfADroppedPipelineFailsInsteadOfBeingAskedForEver() {
        CompletableFuture<List<Fenced>> fenced = control.fence(PIPELINE, LOST);
        wire.only()
                .answer(
                        FenceIncarnationResponse.newBuilder()
                                .setProgress(Progress.DECIDED)
                                .setPipelineDropped(true)
                                .build());
        CompletableFuture<ControlClient.ScanPage> page =
                control.scan(PIPELINE, new Fenced(new Shard(1, 0), 5), LOST, null, 10);
        wire.only().answer(ScanResponse.newBuilder().setProgress(Progress.PIPELINE_GONE).build());
        for (CompletableFuture<?> one : List.of(fenced, page)) {
            assertThatThrownBy(one::join).hasCauseInstanceOf(PipelineDroppedException.class);
        }
        loop.advance(LONG);
        assertThat(wire.sent).hasSize(2);
    }

    @Test
    void aFenceForSilenceNamesTheLastRenewalAndHearsWhatBecameOfIt() {
        for (var verdict :
                Map.of(
                                FenceIncarnationResponse.Silence.FENCED_NOW,
                                SilentFence.FENCED,
                                FenceIncarnationResponse.Silence.FENCED_BEFORE,
                                SilentFence.FENCED_BEFORE,
                                FenceIncarnationResponse.Silence.HAS_RENEWED,
                                SilentFence.HAS_RENEWED)
                        .entrySet()) {
            wire.sent.clear();
            CompletableFuture<SilentFence> fenced =
                    control.fenceSilent(
                            PIPELINE,
                            LOST,
                            new ControlClient.Silence(77, Duration.ofMillis(30_500)));
            FenceIncarnationRequest asked = wire.only().as(FenceIncarnationRequest.class);
            assertThat(asked.getIncarnation()).isEqualTo(proto(LOST));
            assertThat(asked.getRenewedIndex()).isEqualTo(77);
            assertThat(asked.getSilentMillis()).isEqualTo(30_500);
            wire.only()
                    .answer(
                            FenceIncarnationResponse.newBuilder()
                                    .setProgress(Progress.DECIDED)
                                    .setSilence(verdict.getKey())
                                    .build());
            assertThat(fenced.join()).isEqualTo(verdict.getValue());
        }
    }

    @Test
    void aFenceIsDoneWhenEveryGroupThatTheControlGroupListsHasAppliedIt() {
        CompletableFuture<List<Fenced>> fenced = control.fence(PIPELINE, LOST);
        assertThat(wire.only().as(FenceIncarnationRequest.class).getIncarnation())
                .isEqualTo(proto(LOST));
        List<Shard> groups = List.of(new Shard(1, 0), new Shard(1, 1), new Shard(2, 0));
        FenceIncarnationResponse.Builder recorded =
                FenceIncarnationResponse.newBuilder()
                        .setProgress(Progress.DECIDED)
                        .setLife(7)
                        .setLowestLiveGeneration(9);
        groups.forEach(group -> recorded.addShards(RegistryProtos.shardRef(PIPELINE, group)));
        wire.only().answer(recorded.build());
        List<FakeRegistryTransport.Sent> fences = wire.unanswered();
        assertThat(fences).hasSize(3);
        assertThat(fences)
                .allSatisfy(
                        sent -> {
                            FenceRequest request = sent.as(FenceRequest.class);
                            assertThat(request.getSlot()).isEqualTo(3);
                            assertThat(request.getLowestLiveGeneration()).isEqualTo(9);
                        });
        fences.get(2).answer(applied(30));
        fences.get(0).lose();
        fences.get(1).answer(applied(10));
        loop.advance(LONG);
        assertThat(fenced).isNotDone();
        wire.only().answer(applied(20));
        assertThat(fenced.join())
                .containsExactly(
                        new Fenced(groups.get(0), 20, 7),
                        new Fenced(groups.get(1), 10, 7),
                        new Fenced(groups.get(2), 30, 7));
    }

    /** A blank registry knows nobody: no reason to end a verifier. */
    @Test
    void anIncarnationThatTheRegistryDoesNotKnowIsNoBug() {
        CompletableFuture<List<Fenced>> fenced = control.fence(PIPELINE, LOST);
        wire.only()
                .answer(
                        FenceIncarnationResponse.newBuilder()
                                .setProgress(Progress.DECIDED)
                                .build());
        CompletableFuture<IncarnationState> closed = control.closeClean(PIPELINE, LOST);
        wire.only()
                .answer(
                        SetIncarnationStateResponse.newBuilder()
                                .setProgress(Progress.DECIDED)
                                .build());
        for (CompletableFuture<?> one : List.of(fenced, closed)) {
            assertThatThrownBy(one::join).hasCauseInstanceOf(UnknownIncarnationException.class);
        }
    }

    private static FenceResponse applied(long index) {
        return FenceResponse.newBuilder().setProgress(Progress.DECIDED).setIndex(index).build();
    }

    @Test
    void aScanGoesOnAtAnyReplicaThatHasAppliedTheFence() {
        EventId after = new EventId(5, 0, 0, 1);
        CompletableFuture<ScanPage> page =
                control.scan(PIPELINE, new Fenced(new Shard(1, 0), 20), LOST, after, 2);
        ScanRequest request = wire.only().as(ScanRequest.class);
        assertThat(request.getMinIndex()).isEqualTo(20);
        assertThat(Packed.ids(request.getAfter())).containsExactly(after);
        wire.only().answer(ScanResponse.newBuilder().setProgress(Progress.UNKNOWN).build());
        loop.advance(LONG);
        assertThat(wire.only().server).isEqualTo(FAR);
        Commit held = new Commit(new EventId(6, 0, 0, 1), CommitToken.of(LOST, 8));
        wire.only()
                .answer(
                        ScanResponse.newBuilder()
                                .setProgress(Progress.DECIDED)
                                .setIds(Packed.ids(List.of(held.id())))
                                .setTokens(Packed.tokens(List.of(held.token())))
                                .setMore(true)
                                .setBoundaryMicros(3)
                                .build());
        assertThat(page.join()).isEqualTo(new ScanPage(List.of(held), true, 3));
    }

    @Test
    void aScanOfARegistryThatWasRestoredSinceTheFenceFails() {
        CompletableFuture<ScanPage> page =
                control.scan(PIPELINE, new Fenced(new Shard(1, 0), 20, 6), LOST, null, 2);
        assertThat(wire.only().as(ScanRequest.class).getLife()).isEqualTo(6);
        wire.only()
                .answer(
                        ScanResponse.newBuilder()
                                .setProgress(Progress.DECIDED)
                                .setOtherLife(true)
                                .build());
        assertThatThrownBy(page::join)
                .hasCauseInstanceOf(RegistryUnavailableException.class)
                .hasMessageContaining("restored");
    }

    @Test
    void theStateThatStandsIsAnswered() {
        List<IncarnationState> stands = new ArrayList<>();
        control.markRepaired(PIPELINE, LOST, new ControlClient.Repair(7, 0, Optional.empty()))
                .thenAccept(stands::add);
        assertThat(wire.only().as(SetIncarnationStateRequest.class).getLife()).isEqualTo(7);
        wire.only().answer(state(photon.proto.v1.IncarnationState.OPEN));
        control.closeClean(PIPELINE, LOST).thenAccept(stands::add);
        wire.only().answer(state(photon.proto.v1.IncarnationState.REPAIRED));
        assertThat(stands).containsExactly(IncarnationState.OPEN, IncarnationState.REPAIRED);
    }

    private static SetIncarnationStateResponse state(photon.proto.v1.IncarnationState state) {
        return SetIncarnationStateResponse.newBuilder()
                .setProgress(Progress.DECIDED)
                .setState(state)
                .build();
    }

    private static photon.proto.v1.Incarnation proto(Incarnation incarnation) {
        return photon.proto.v1.Incarnation.newBuilder()
                .setSlot(incarnation.slot())
                .setGeneration(incarnation.generation())
                .build();
    }
}
