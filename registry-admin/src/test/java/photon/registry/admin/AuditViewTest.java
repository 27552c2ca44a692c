package photon.registry.admin;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.protobuf.ByteString;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import photon.core.rpc.HostPort;
import photon.proto.v1.AuditKind;
import photon.proto.v1.AuditRecord;
import photon.proto.v1.AuditSource;
import photon.proto.v1.DescribeAuditResponse;
import photon.proto.v1.DescribeServerResponse;
import photon.proto.v1.Incarnation;
import photon.proto.v1.ReplicaRole;
import photon.proto.v1.ReplicaStatus;
import photon.proto.v1.ServerMember;
import photon.proto.v1.ShardRef;
import photon.proto.v1.Stamp;

/** Answers of several servers become one list. */
class AuditViewTest {
    private static final RegistryView NAMES = RegistryView.of(List.of());
    private static final ShardRef SHARD =
            ShardRef.newBuilder()
                    .setPipeline(ByteString.copyFrom(new byte[16]))
                    .setEpoch(1)
                    .setShard(2)
                    .build();

    private static AuditRecord decided(long index, long atMicros, String detail) {
        return AuditRecord.newBuilder()
                .setIndex(index)
                .setKind(AuditKind.AUDIT_PIPELINE_SET)
                .setPipelineName("ads")
                .setStamp(Stamp.newBuilder().setActor("me").setLatestMicros(atMicros))
                .setDetail(detail)
                .build();
    }

    private static AuditRecord removed(long index, long atMicros, long ids) {
        return AuditRecord.newBuilder()
                .setIndex(index)
                .setKind(AuditKind.AUDIT_REMOVED)
                .setShard(SHARD)
                .setIncarnation(Incarnation.newBuilder().setSlot(3).setGeneration(4))
                .setStamp(Stamp.newBuilder().setActor("verifier").setLatestMicros(atMicros))
                .setIds(ids)
                .build();
    }

    private static DescribeServerResponse.Builder server(
            String name, ReplicaRole role, long index) {
        DescribeServerResponse.Builder server =
                DescribeServerResponse.newBuilder()
                        .setName(name)
                        .addReplicas(
                                ReplicaStatus.newBuilder()
                                        .setRole(role)
                                        .setReady(role == ReplicaRole.ROLE_LEADER)
                                        .setTerm(1)
                                        .setCommittedIndex(index)
                                        .setAppliedIndex(index));
        for (int n = 0; n < 3; n++) {
            server.addMembers(ServerMember.newBuilder().setName("r" + n).setService("h:" + n));
        }
        return server;
    }

    @Test
    void whatMayBeMissingIsSaid() throws Exception {
        RegistryView names =
                RegistryView.of(
                        List.of(
                                new StatusPoll.Answer(
                                        HostPort.parse("h:0"),
                                        Optional.of(
                                                server("r0", ReplicaRole.ROLE_LEADER, 9).build()),
                                        ""),
                                new StatusPoll.Answer(
                                        HostPort.parse("h:1"),
                                        Optional.of(
                                                server("r1", ReplicaRole.ROLE_FOLLOWER, 7).build()),
                                        ""),
                                new StatusPoll.Answer(
                                        HostPort.parse("h:2"), Optional.empty(), "is away")));
        DescribeAuditResponse leader =
                answer(control(9, decided(8, 10, "a"))).toBuilder().setName("r0").build();
        DescribeAuditResponse follower = answer(control(7)).toBuilder().setName("r1").build();
        AuditView both = AuditView.of(List.of(leader, follower), names);
        assertThat(both.warnings()).containsExactly("r2 at h:2 does not report");
        AuditView stale = AuditView.of(List.of(follower), names);
        assertThat(stale.warnings())
                .containsExactly(
                        "r0 at h:0 does not report",
                        "r2 at h:2 does not report",
                        "control: the records are as of index 7 of its log, but its leader has committed index 9");
        assertThat(stale.text()).contains("NOTE: r0 at h:0 does not report\n");
        JsonNode json = new ObjectMapper().readTree(stale.json());
        assertThat(json.get("warnings")).hasSize(3);
        assertThat(json.get("servers").get(1).toString())
                .isEqualTo("{\"name\":\"r1\",\"service\":\"h:1\",\"answers\":true}");
        assertThat(json.get("groups").toString())
                .isEqualTo("[{\"name\":\"control\",\"appliedIndex\":7}]");
    }

    @Test
    void whatAnActorCallsItselfMakesNoRow() {
        AuditRecord.Builder record = decided(8, 10, "a\u001b[2J\nb").toBuilder();
        record.getStampBuilder().setActor("me\n-  you");
        AuditView view =
                AuditView.of(
                        List.of(answer(control(9, record.build()))), RegistryView.of(List.of()));
        assertThat(view.text().lines())
                .hasSize(2)
                .last()
                .asString()
                .contains("me?-  you", "a?[2J?b");
        AuditView warned =
                new AuditView(List.of(), 0, List.of(), List.of(), List.of("r0\u001b[2J is away"));
        assertThat(warned.text()).endsWith("NOTE: r0?[2J is away\n");
    }

    private static DescribeAuditResponse answer(AuditSource.Builder... sources) {
        DescribeAuditResponse.Builder answer = DescribeAuditResponse.newBuilder();
        for (AuditSource.Builder source : sources) {
            answer.addSources(source);
        }
        return answer.build();
    }

    private static AuditSource.Builder control(long applied, AuditRecord... records) {
        return AuditSource.newBuilder().setAppliedIndex(applied).addAllRecords(List.of(records));
    }

    private static AuditSource.Builder shard(long applied, AuditRecord... records) {
        return control(applied, records).setShard(SHARD);
    }

    private static List<Long> indexes(AuditView view) {
        return view.lines().stream().map(line -> line.record().getIndex()).toList();
    }

    @Test
    void ofEachGroupWhoHasAppliedMostSpeaks() {
        AuditView view =
                AuditView.of(
                        List.of(
                                answer(
                                        control(9, decided(8, 10, "a"), decided(9, 30, "b")),
                                        shard(4, removed(4, 20, 5))),
                                answer(
                                        control(8, decided(8, 10, "a")).setForgotten(7),
                                        shard(6, removed(6, 20, 6)).setForgotten(2)),
                                answer()),
                        NAMES);
        assertThat(indexes(view)).containsExactly(8L, 6L, 9L);
        assertThat(view.forgotten()).isEqualTo(2);
        assertThat(view.text())
                .containsPattern("verifier +0+-0+-0+-0+-0+ +removed +3-4 6 ids +\\S+/1/2 +6\n")
                .contains("2 older records");
    }

    @Test
    void theOrderOfALogStaysWhateverTheClocksSaid() {
        AuditView view =
                AuditView.of(
                        List.of(
                                answer(
                                        // The leader in between had a clock that was slow.
                                        control(
                                                3,
                                                decided(1, 100, "a"),
                                                decided(2, 20, "b"),
                                                decided(3, 110, "c")),
                                        shard(9, removed(7, 50, 1), removed(8, 105, 1)))),
                        NAMES);
        assertThat(indexes(view)).containsExactly(7L, 1L, 2L, 8L, 3L);
    }
}
