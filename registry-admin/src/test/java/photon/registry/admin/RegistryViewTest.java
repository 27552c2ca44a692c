package photon.registry.admin;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.protobuf.ByteString;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import photon.core.id.Incarnation;
import photon.core.rpc.HostPort;
import photon.proto.v1.BoundaryStatus;
import photon.proto.v1.DescribeServerResponse;
import photon.proto.v1.Epoch;
import photon.proto.v1.MemberDisk;
import photon.proto.v1.PipelineSettings;
import photon.proto.v1.PipelineStatus;
import photon.proto.v1.ReplicaRole;
import photon.proto.v1.ReplicaStatus;
import photon.proto.v1.Roster;
import photon.proto.v1.ServerClock;
import photon.proto.v1.ServerMember;
import photon.proto.v1.ShardMap;
import photon.proto.v1.ShardRef;
import photon.proto.v1.ShardStatus;
import photon.registry.api.ControlClient.IncarnationInfo;
import photon.registry.api.ControlClient.IncarnationState;
import photon.registry.api.ControlClient.Rows;

/** What is concluded from the servers' answers. */
class RegistryViewTest {
    private static final ByteString UUID = ByteString.copyFrom(new byte[16]);
    private static final ShardRef SHARD =
            ShardRef.newBuilder().setPipeline(UUID).setEpoch(1).build();
    private static final int SERVERS = 3;

    private static ReplicaStatus.Builder replica(ReplicaRole role, long term, long index) {
        return ReplicaStatus.newBuilder()
                .setRole(role)
                .setReady(role == ReplicaRole.ROLE_LEADER)
                .setCaughtUp(true)
                .setTerm(term)
                .setCommittedIndex(index)
                .setAppliedIndex(index);
    }

    private static DescribeServerResponse.Builder server(int n, ReplicaStatus.Builder... replicas) {
        DescribeServerResponse.Builder server =
                DescribeServerResponse.newBuilder().setName("r" + n);
        for (int m = 0; m < SERVERS; m++) {
            server.addMembers(
                    ServerMember.newBuilder()
                            .setName("r" + m)
                            .setRaft("h:" + (100 + m))
                            .setService("h:" + m));
        }
        for (ReplicaStatus.Builder replica : replicas) {
            server.addReplicas(replica);
        }
        return server;
    }

    private static RegistryView view(DescribeServerResponse.Builder... servers) {
        List<StatusPoll.Answer> answers = new ArrayList<>();
        List<String> there = new ArrayList<>();
        for (DescribeServerResponse.Builder server : servers) {
            there.add(server.getName());
            answers.add(
                    new StatusPoll.Answer(
                            HostPort.parse("h:" + server.getName().substring(1)),
                            Optional.of(server.build()),
                            ""));
        }
        for (int n = 0; n < SERVERS; n++) {
            if (!there.contains("r" + n)) {
                answers.add(
                        new StatusPoll.Answer(
                                HostPort.parse("h:" + n), Optional.empty(), "cannot be reached"));
            }
        }
        return RegistryView.of(answers);
    }

    @Test
    void anOldLeaderThatWasCutOffLeadsNothing() {
        RegistryView view =
                view(
                        server(0, replica(ReplicaRole.ROLE_LEADER, 4, 90)),
                        server(1, replica(ReplicaRole.ROLE_FOLLOWER, 5, 100)),
                        server(2, replica(ReplicaRole.ROLE_LEADER, 5, 100)));
        assertThat(view.groups().get(0).leader()).contains("r2");
        assertThat(view.groups().get(0).replicas().get(0).lag()).isEqualTo(10);
        assertThat(view.healthy()).isTrue();
        RegistryView without =
                view(
                        server(0, replica(ReplicaRole.ROLE_LEADER, 4, 90)),
                        server(1, replica(ReplicaRole.ROLE_FOLLOWER, 5, 100)));
        assertThat(without.problems()).containsExactly("control: no leader in term 5");
    }

    @Test
    void aLeaderThatTakesNoEntriesYetIsNone() {
        RegistryView view =
                view(
                        server(0, replica(ReplicaRole.ROLE_LEADER, 4, 9).setReady(false)),
                        server(1, replica(ReplicaRole.ROLE_FOLLOWER, 4, 9)));
        assertThat(view.problems()).containsExactly("control: no leader in term 4");
        assertThat(StatusText.of(view, 0)).contains("leader, not ready");
    }

    @Test
    void aShardWithoutAReplicaOnAMajorityIsAProblemThoughAllServersAnswer() {
        PipelineStatus ads =
                PipelineStatus.newBuilder()
                        .setUuid(UUID)
                        .setName("ads")
                        .setMap(
                                ShardMap.newBuilder()
                                        .setVersion(1)
                                        .addEpochs(
                                                Epoch.newBuilder()
                                                        .setNumber(1)
                                                        .setStartMicros(Long.MIN_VALUE)
                                                        .setShards(1)))
                        .build();
        ReplicaStatus.Builder shard =
                replica(ReplicaRole.ROLE_LEADER, 1, 1)
                        .setShard(SHARD)
                        .setState(ShardStatus.newBuilder().setBoundaryMicros(1_500_000));
        RegistryView view =
                view(
                        server(0, replica(ReplicaRole.ROLE_LEADER, 2, 9), shard).addPipelines(ads),
                        server(1, replica(ReplicaRole.ROLE_FOLLOWER, 2, 9)).addPipelines(ads),
                        // It lags and has not heard of the pipeline.
                        server(2, replica(ReplicaRole.ROLE_FOLLOWER, 2, 3)));
        assertThat(view.problems())
                .containsExactly("ads/1/0: no majority: 1 of 3 replicas are up, 2 are needed");
        assertThat(StatusText.of(view, 0))
                .contains("no replica", "boundary 1970-01-01T00:00:01.500Z (1500000 us)");
    }

    @Test
    void serversThatAreConfiguredDifferentlyAreAProblem() {
        DescribeServerResponse.Builder other = server(1, replica(ReplicaRole.ROLE_FOLLOWER, 4, 9));
        other.getMembersBuilder(2).setRaft("h:999");
        RegistryView view = view(server(0, replica(ReplicaRole.ROLE_LEADER, 4, 9)), other);
        assertThat(view.problems())
                .containsExactly(
                        "servers have different configurations: r2 is at h:2, h:102 for one server and at h:2, h:999 for r1");
    }

    @Test
    void clocksAndABoundaryThatStandsStillAreAlarmsOnlyWhereThereIsARetention() {
        ServerClock.Builder alone =
                ServerClock.newBuilder().setTrouble("chronyd is away").setBoundMicros(250_000);
        BoundaryStatus.Builder still = BoundaryStatus.newBuilder().setTrouble("2 are needed");
        DescribeServerResponse.Builder first =
                server(
                                0,
                                replica(ReplicaRole.ROLE_LEADER, 4, 9),
                                replica(ReplicaRole.ROLE_LEADER, 4, 9).setShard(SHARD))
                        .setClock(alone)
                        .setBoundary(still);
        DescribeServerResponse.Builder second =
                server(
                                1,
                                replica(ReplicaRole.ROLE_FOLLOWER, 4, 9),
                                replica(ReplicaRole.ROLE_FOLLOWER, 4, 9).setShard(SHARD))
                        .setClock(
                                ServerClock.newBuilder().setSynchronised(true).setBoundMicros(900))
                        .setBoundary(still);
        PipelineStatus.Builder pipeline =
                PipelineStatus.newBuilder()
                        .setName("ads")
                        .setUuid(UUID)
                        .setMap(
                                ShardMap.newBuilder()
                                        .setVersion(1)
                                        .addEpochs(Epoch.newBuilder().setNumber(1).setShards(1)));
        RegistryView without =
                view(first.clone().addPipelines(pipeline), second.clone().addPipelines(pipeline));
        assertThat(without.alarms()).isEmpty();
        pipeline.setSettings(PipelineSettings.newBuilder().setRetentionMicros(604_800_000_000L));
        RegistryView view =
                view(first.clone().addPipelines(pipeline), second.clone().addPipelines(pipeline));
        assertThat(view.healthy()).isTrue();
        assertThat(view.alarms())
                .containsExactly(
                        "the boundary does not move and the registry drops no ids, as r0 reports: 2 are needed",
                        "the clock of r0 is not synchronised: chronyd is away");
        assertThat(StatusText.of(view, 0))
                .contains("ALARM: the boundary does not move")
                .contains("retention 7d")
                .containsPattern("r0 .* not synchronised\n")
                .containsPattern("r1 .* configured, within 0.9 ms\n");
        assertThat(StatusDocument.of(view, 0).get("alarms")).hasSize(2);
        // While another hears enough clocks, boundaries move: this one is cut off.
        second.setBoundary(BoundaryStatus.newBuilder().setVotes(2).setPassedMicros(1));
        assertThat(
                        view(first.clone().addPipelines(pipeline), second.addPipelines(pipeline))
                                .alarms())
                .contains("r0 cannot reach enough clocks, while other servers can: 2 are needed")
                .noneMatch(alarm -> alarm.contains("does not move"));
    }

    @Test
    void idsOfShardsThatNobodyAnswersForAreNotZero() throws Exception {
        PipelineStatus ads =
                PipelineStatus.newBuilder()
                        .setUuid(UUID)
                        .setName("ads")
                        .setMap(
                                ShardMap.newBuilder()
                                        .addEpochs(Epoch.newBuilder().setNumber(1).setShards(2)))
                        .build();
        RegistryView view =
                view(
                        server(
                                        0,
                                        replica(ReplicaRole.ROLE_LEADER, 2, 9),
                                        replica(ReplicaRole.ROLE_LEADER, 1, 1)
                                                .setShard(SHARD)
                                                .setState(ShardStatus.newBuilder().setIds(5)))
                                .addPipelines(ads));
        assertThat(PipelinesText.ids(view, ads))
                .isEqualTo("at least 5 ids (for 1 shard no server answers)");
        assertThat(PipelinesText.of(view)).contains("at least 5 ");
        JsonNode listed = new ObjectMapper().readTree(PipelinesText.json(view));
        assertThat(listed.get("pipelines").get(0).get("ids").isNull()).isTrue();
    }

    @Test
    void aReshardIsRefusedByAMachineWhoseClockIsOffAndUnlimitedRetentionIsSaid() {
        PipelineStatus ads =
                PipelineStatus.newBuilder()
                        .setUuid(UUID)
                        .setName("ads")
                        .setMap(
                                ShardMap.newBuilder()
                                        .addEpochs(Epoch.newBuilder().setNumber(1).setShards(1)))
                        .build();
        for (long ahead : List.of(-61_000_000L, 0L, 61_000_000L)) {
            List<StatusPoll.Answer> answers = new ArrayList<>();
            for (int n = 0; n < SERVERS; n++) {
                answers.add(
                        new StatusPoll.Answer(
                                HostPort.parse("h:" + n),
                                Optional.of(
                                        server(n)
                                                .addPipelines(ads)
                                                .setClock(ServerClock.getDefaultInstance())
                                                .build()),
                                "",
                                // One server's own clock says nothing.
                                Optional.of(new ClockLook(n == 0 ? 900_000_000L : ahead, 0))));
            }
            ReshardPlan plan =
                    ReshardPlan.of(RegistryView.of(answers), "ads", 2, 500, 1, Map.of())
                            .orElseThrow();
            assertThat(plan.refusals().stream().filter(why -> why.contains("clock is")).toList())
                    .hasSize(ahead == 0 ? 0 : 1);
            assertThat(plan.warnings())
                    .anyMatch(warning -> warning.startsWith("retention is unlimited"));
        }
    }

    /** A machine that asks and is minutes off must not make a live joiner look dead. */
    @ParameterizedTest
    @ValueSource(longs = {-300, 0, 300})
    void agesAreToldByTheClocksOfTheServers(long aheadSeconds) {
        long nowThere = 1_000_000;
        long micros = (nowThere - 7) * 1_000_000;
        DescribeServerResponse server =
                server(
                                0,
                                replica(ReplicaRole.ROLE_LEADER, 2, 9),
                                replica(ReplicaRole.ROLE_LEADER, 1, 1)
                                        .setShard(SHARD)
                                        .setState(
                                                ShardStatus.newBuilder().setBoundaryMicros(micros)))
                        .setClock(ServerClock.getDefaultInstance())
                        .addPipelines(
                                PipelineStatus.newBuilder()
                                        .setUuid(UUID)
                                        .setName("ads")
                                        .setMap(
                                                ShardMap.newBuilder()
                                                        .addEpochs(
                                                                Epoch.newBuilder()
                                                                        .setNumber(1)
                                                                        .setShards(1))))
                        .build();
        RegistryView view =
                RegistryView.of(
                        List.of(
                                new StatusPoll.Answer(
                                        HostPort.parse("h:0"),
                                        Optional.of(server),
                                        "",
                                        Optional.of(new ClockLook(aheadSeconds * 1_000_000, 0)))));
        long here = (nowThere - aheadSeconds) * 1_000;
        assertThat(StatusText.of(view, here)).contains("us), 7 s ago");
        JsonNode document = StatusDocument.of(view, here);
        assertThat(document.path("atMillis").asLong()).isEqualTo(here);
        assertThat(document.path("groups").findValuesAsText("boundaryAgeMillis")).contains("7000");
        assertThat(incarnations(view, micros, here)).contains(" 7 s ago");
        assertThat(incarnations(view, (nowThere + 1) * 1_000_000, here)).contains(" 0 s ago");
    }

    private static String incarnations(RegistryView view, long heardMicros, long here) {
        IncarnationInfo live =
                new IncarnationInfo(
                        new Incarnation(1, 1),
                        "east/joiner-0",
                        IncarnationState.OPEN,
                        false,
                        "h:7",
                        1,
                        1,
                        "out",
                        Long.MAX_VALUE,
                        heardMicros,
                        1,
                        Duration.ofSeconds(5),
                        Rows.NONE,
                        1);
        return IncarnationsText.of(
                view, PipelineStatus.newBuilder().setName("ads").build(), List.of(live), here);
    }

    @Test
    void onlyMembersAreServersAndWhoIsLeavingIsOneStill() {
        Roster.Builder two = Roster.newBuilder().setVersion(2).addServers("r0").addServers("r1");
        DescribeServerResponse.Builder first =
                server(0, replica(ReplicaRole.ROLE_LEADER, 4, 9)).setRoster(two);
        DescribeServerResponse.Builder second =
                server(1, replica(ReplicaRole.ROLE_FOLLOWER, 4, 9)).setRoster(two);
        RegistryView view = view(first, second);
        assertThat(view.servers())
                .extracting(RegistryView.Server::name)
                .containsExactly("r0", "r1");
        assertThat(view.problems()).isEmpty();
        assertThat(view(first).problems())
                .as("of two, both are needed")
                .containsExactly("control: no majority: 1 of 2 replicas are up, 2 are needed");
        MemberDisk.Builder leaving = MemberDisk.newBuilder().setName("r2").setLeaving(true);
        assertThat(view(first.addDisks(leaving), second).servers()).hasSize(3);
    }
}
