package photon.idregistry.server.control;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import photon.core.loop.ManualLoop;
import photon.core.time.IntervalClock;
import photon.idregistry.batch.BatchLimits;
import photon.idregistry.control.ControlEntries;
import photon.idregistry.control.ControlState;
import photon.idregistry.server.groups.FakeLog;
import photon.idregistry.server.groups.ServedGroups;
import photon.idregistry.server.groups.Stamping;
import photon.proto.v1.AdmitDiskRequest;
import photon.proto.v1.BeginReshardRequest;
import photon.proto.v1.BeginReshardResponse;
import photon.proto.v1.DecideReshardRequest;
import photon.proto.v1.DecideReshardResponse;
import photon.proto.v1.DescribePipelineRequest;
import photon.proto.v1.DescribePipelineResponse;
import photon.proto.v1.FinalizeUpgradeRequest;
import photon.proto.v1.FirstRoster;
import photon.proto.v1.ListIncarnationsRequest;
import photon.proto.v1.ListIncarnationsResponse;
import photon.proto.v1.OpenPipelineRequest;
import photon.proto.v1.OpenPipelineResponse;
import photon.proto.v1.Progress;
import photon.proto.v1.RegisterRequest;
import photon.proto.v1.RegisterResponse;
import photon.proto.v1.ReshardDecision;
import photon.proto.v1.ReshardState;
import photon.proto.v1.RetireDatacenterRequest;
import photon.proto.v1.RetireDatacenterResponse;
import photon.registry.api.RegistryClient;
import photon.registry.api.RegistryProtos;

/** What is answered on arrival, before the control group decides anything. */
class ControlHandlerTest {
    private static final UUID PIPELINE = new UUID(3, 4);
    private static final long NOW = 1_000;
    private static final IntervalClock CLOCK = () -> new IntervalClock.Interval(NOW, NOW);

    private final ManualLoop loop = new ManualLoop();
    private final FakeLog controlLog = new FakeLog(new ControlState());
    private final ServedGroups groups =
            new ServedGroups(
                    loop,
                    new BatchLimits(4, 1, 4),
                    FakeLog.group(controlLog, ControlState.class, "c:1", null));

    @Test
    void aControlRequestLargerThanAnEntryIsRefusedOnArrival() {
        ControlHandler control = new ControlHandler(groups, List.of("here:1"), new Stamping(CLOCK));
        String tooLong = "x".repeat(2 << 20);
        List<OpenPipelineResponse> opened = new ArrayList<>();
        control.openPipeline(
                OpenPipelineRequest.newBuilder().setName(tooLong).build(), opened::add);
        List<RegisterResponse> registered = new ArrayList<>();
        control.register(
                RegisterRequest.newBuilder().setSlotName(tooLong).build(), registered::add);
        loop.runUntilIdle();
        assertThat(opened)
                .extracting(OpenPipelineResponse::getProgress)
                .containsExactly(Progress.PROGRESS_UNSPECIFIED);
        assertThat(registered)
                .extracting(RegisterResponse::getProgress)
                .containsExactly(Progress.PROGRESS_UNSPECIFIED);
        assertThat(controlLog.entries).isEmpty();
    }

    @Test
    void onlyTheLeaderListsIncarnations() {
        ControlHandler control = new ControlHandler(groups, List.of("here:1"), new Stamping(CLOCK));
        ListIncarnationsRequest request =
                ListIncarnationsRequest.newBuilder()
                        .setPipeline(RegistryProtos.bytes(PIPELINE))
                        .build();
        List<ListIncarnationsResponse> out = new ArrayList<>();
        control.listIncarnations(request, out::add);
        loop.runUntilIdle();
        controlLog.leads = false;
        control.listIncarnations(request, out::add);
        assertThat(out)
                .extracting(ListIncarnationsResponse::getProgress)
                .containsExactly(Progress.DECIDED, Progress.NOT_LEADER);
        assertThat(out.get(1).getLeader()).isEqualTo("c:1");
    }

    @Test
    void aPipelineIsDescribedByNobodyWhoMayBeBehindItsDrop() {
        ControlHandler control = new ControlHandler(groups, List.of("c:1"), new Stamping(CLOCK));
        controlLog.submit(
                ControlEntries.openPipeline(
                        OpenPipelineRequest.newBuilder()
                                .setName("ads")
                                .setUuid(RegistryProtos.bytes(PIPELINE))
                                .setIdentityFingerprint("f")
                                .setShards(1)
                                .build()));
        DescribePipelineRequest request =
                DescribePipelineRequest.newBuilder().setName("ads").build();
        List<DescribePipelineResponse> heard = new ArrayList<>();
        controlLog.caughtUp = false;
        control.describePipeline(request, heard::add);
        assertThat(heard.get(0).hasPipeline()).isFalse();
        controlLog.caughtUp = true;
        control.describePipeline(request, heard::add);
        assertThat(heard.get(1).getPipeline().getName()).isEqualTo("ads");
    }

    @Test
    void anEpochThatStartsTooFarAheadIsRefusedOnArrival() {
        ControlHandler control = new ControlHandler(groups, List.of("c:1"), new Stamping(CLOCK));
        long most = NOW + ControlHandler.RESHARD_AHEAD_MAX.toSeconds() * 1_000_000;
        List<BeginReshardResponse> heard = new ArrayList<>();
        for (long start : new long[] {most + 1, Long.MAX_VALUE}) {
            control.beginReshard(
                    BeginReshardRequest.newBuilder()
                            .setPipeline(RegistryProtos.bytes(PIPELINE))
                            .setStartMicros(start)
                            .setShards(2)
                            .build(),
                    heard::add);
        }
        assertThat(heard)
                .extracting(BeginReshardResponse::getVerdict)
                .containsOnly(BeginReshardResponse.Verdict.BAD_START);
        assertThat(controlLog.entries).isEmpty();
        control.beginReshard(
                BeginReshardRequest.newBuilder()
                        .setPipeline(RegistryProtos.bytes(PIPELINE))
                        .setStartMicros(most)
                        .setShards(2)
                        .build(),
                heard::add);
        loop.runUntilIdle();
        assertThat(controlLog.entries).as("the control group decides").hasSize(1);
    }

    /** A server that does not know the entry would end with it. */
    @Test
    void aDatacenterIsRetiredOnlyWhenEveryServerUnderstandsThat() {
        ControlHandler control = new ControlHandler(groups, List.of("c:1"), new Stamping(CLOCK));
        RetireDatacenterRequest request =
                RetireDatacenterRequest.newBuilder()
                        .setPipeline(RegistryProtos.bytes(PIPELINE))
                        .setDatacenter("west")
                        .build();
        List<RetireDatacenterResponse> heard = new ArrayList<>();
        control.retireDatacenter(request, heard::add);
        loop.runUntilIdle();
        assertThat(heard.get(0).getVerdict())
                .isEqualTo(RetireDatacenterResponse.Verdict.FEATURE_LEVEL_TOO_LOW);
        assertThat(heard.get(0).getFeatureLevel()).isEqualTo(1);
        assertThat(controlLog.entries).isEmpty();

        controlLog.submit(
                ControlEntries.firstRoster(FirstRoster.newBuilder().addServers("r0").build()));
        controlLog.submit(
                ControlEntries.admitDisk(
                        AdmitDiskRequest.newBuilder()
                                .setName("r0")
                                .setDisk(RegistryProtos.bytes(new UUID(7, 7)))
                                .setNumber(1)
                                .setFeatureLevel(2)
                                .build()));
        int before = controlLog.entries.size();
        control.retireDatacenter(request, heard::add);
        loop.runUntilIdle();
        assertThat(controlLog.entries).as("the control group decides").hasSize(before + 1);
    }

    private void everyServerUnderstands(int level) {
        controlLog.submit(
                ControlEntries.firstRoster(FirstRoster.newBuilder().addServers("r0").build()));
        controlLog.submit(
                ControlEntries.admitDisk(
                        AdmitDiskRequest.newBuilder()
                                .setName("r0")
                                .setDisk(RegistryProtos.bytes(new UUID(7, 7)))
                                .setNumber(1)
                                .setFeatureLevel(level)
                                .build()));
    }

    /** A server that does not know the rule would make an id free that others keep. */
    @Test
    void unmatchedTokensAreUsedOnlyWhenEveryServerUnderstandsThem() {
        ControlHandler control = new ControlHandler(groups, List.of("c:1"), new Stamping(CLOCK));
        everyServerUnderstands(3);
        int before = controlLog.entries.size();
        RegisterRequest plain =
                RegisterRequest.newBuilder()
                        .setPipeline(RegistryProtos.bytes(PIPELINE))
                        .setSlotName("east/joiner-0")
                        .build();
        RegisterRequest asked = plain.toBuilder().setUsesUnmatchedKind(true).build();
        List<RegisterResponse> heard = new ArrayList<>();
        control.register(asked, heard::add);
        loop.runUntilIdle();
        assertThat(heard.get(0).getVerdict())
                .isEqualTo(RegisterResponse.Verdict.FEATURE_LEVEL_TOO_LOW);
        assertThat(heard.get(0).getFeatureLevel()).isEqualTo(3);
        assertThat(controlLog.entries).hasSize(before);
        control.register(plain, heard::add);
        loop.runUntilIdle();
        assertThat(heard.get(1).getVerdict())
                .as("the group decides")
                .isEqualTo(RegisterResponse.Verdict.UNKNOWN_PIPELINE);
        assertThat(heard.get(1).getUnmatchedKind()).isFalse();
        assertThat(controlLog.entries).hasSize(before + 1);

        everyServerUnderstands(4);
        controlLog.submit(
                ControlEntries.finalizeUpgrade(
                        FinalizeUpgradeRequest.newBuilder().setFeatureLevel(4).build()));
        before = controlLog.entries.size();
        control.register(asked, heard::add);
        loop.runUntilIdle();
        assertThat(heard.get(2).getVerdict())
                .as("the group decides")
                .isEqualTo(RegisterResponse.Verdict.UNKNOWN_PIPELINE);
        assertThat(heard.get(2).getUnmatchedKind()).isTrue();
        assertThat(controlLog.entries).as("the control group decides").hasSize(before + 1);
    }

    /** Only who has asked the shards knows that, and it does not come over the network. */
    @Test
    void aRequestThatSaysWhichShardsArePreparedCommitsNoReshard() {
        ControlHandler control = new ControlHandler(groups, List.of("c:1"), new Stamping(CLOCK));
        controlLog.submit(
                ControlEntries.openPipeline(
                        OpenPipelineRequest.newBuilder()
                                .setName("ads")
                                .setUuid(RegistryProtos.bytes(PIPELINE))
                                .setIdentityFingerprint("f")
                                .setShards(1)
                                .build()));
        controlLog.submit(
                ControlEntries.beginReshard(
                        BeginReshardRequest.newBuilder()
                                .setPipeline(RegistryProtos.bytes(PIPELINE))
                                .setBaseVersion(1)
                                .setStartMicros(NOW)
                                .setShards(2)
                                .build()));
        DecideReshardRequest asked =
                DecideReshardRequest.newBuilder()
                        .setPipeline(RegistryProtos.bytes(PIPELINE))
                        .setAttempt(1)
                        .build();
        List<DecideReshardResponse> heard = new ArrayList<>();
        int before = controlLog.entries.size();
        control.decideReshard(
                asked.toBuilder()
                        .setDecision(ReshardDecision.COMMIT)
                        .addPrepared(
                                RegistryProtos.shardRef(PIPELINE, new RegistryClient.Shard(1, 0)))
                        .build(),
                heard::add);
        loop.runUntilIdle();
        assertThat(heard)
                .extracting(DecideReshardResponse::getProgress)
                .containsExactly(Progress.PROGRESS_UNSPECIFIED);
        assertThat(controlLog.entries).as("nothing enters the log").hasSize(before);
        control.decideReshard(asked, heard::add);
        loop.runUntilIdle();
        assertThat(heard.get(1).getState()).isEqualTo(ReshardState.RESHARD_OPEN);
        control.decideReshard(
                asked.toBuilder().setDecision(ReshardDecision.ABORT).build(), heard::add);
        loop.runUntilIdle();
        assertThat(heard.get(2).getState()).isEqualTo(ReshardState.RESHARD_ABORTED);
    }
}
