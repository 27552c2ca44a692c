package photon.registry.admin;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import photon.core.rpc.HostPort;
import photon.proto.v1.DescribeServerResponse;
import photon.proto.v1.FollowerStatus;
import photon.proto.v1.MemberDisk;
import photon.proto.v1.ReplicaRole;
import photon.proto.v1.ReplicaStatus;
import photon.proto.v1.Roster;
import photon.proto.v1.ServerMember;

/** Who is a member, by what servers answer that know different things. */
class MembersViewTest {
    private static final ByteString DISK = ByteString.copyFrom(new byte[16]);

    private static ServerMember at(String name, String service) {
        return ServerMember.newBuilder()
                .setName(name)
                .setService(service)
                .setRaft(service + "1")
                .build();
    }

    private static DescribeServerResponse.Builder server(String name, long version, String... all) {
        DescribeServerResponse.Builder server =
                DescribeServerResponse.newBuilder()
                        .setName(name)
                        .setPeer(name)
                        .setRoster(
                                Roster.newBuilder()
                                        .setVersion(version)
                                        .addAllServers(List.of(all)));
        for (String listed : all) {
            server.addMembers(at(listed, listed + ":1"));
        }
        return server;
    }

    private static ReplicaStatus.Builder leading(long followerSilentMillis, String... followers) {
        ReplicaStatus.Builder leads =
                ReplicaStatus.newBuilder()
                        .setRole(ReplicaRole.ROLE_LEADER)
                        .setReady(true)
                        .setTerm(1)
                        .addMembers("r0");
        for (String follower : followers) {
            leads.addMembers(follower)
                    .addFollowers(
                            FollowerStatus.newBuilder()
                                    .setName(follower)
                                    .setSilentMillis(followerSilentMillis));
        }
        return leads;
    }

    private static MembersView view(DescribeServerResponse.Builder... servers) {
        List<StatusPoll.Answer> answers = new ArrayList<>();
        for (DescribeServerResponse.Builder server : servers) {
            answers.add(
                    new StatusPoll.Answer(
                            HostPort.parse(server.getName() + ":1"),
                            Optional.of(server.build()),
                            ""));
        }
        return new MembersView(answers, Map.of());
    }

    @Test
    void theLatestRosterCountsAndAMemberThatNobodyListsIsOne() {
        MembersView view =
                view(
                        server("r0", 1, "r0", "r1"),
                        server("r1", 2, "r0", "r1")
                                .setRoster(
                                        Roster.newBuilder()
                                                .setVersion(2)
                                                .addServers("r0")
                                                .addServers("r2"))
                                .addDisks(
                                        MemberDisk.newBuilder()
                                                .setName("r1")
                                                .setNumber(1)
                                                .setDisk(DISK)
                                                .setLeaving(true)));
        assertThat(view.roster().getVersion()).isEqualTo(2);
        assertThat(view.names()).containsExactly("r0", "r1", "r2");
        assertThat(view.isMember("r1")).isFalse();
        assertThat(view.isMember("r2")).isTrue();
        assertThat(view.inTheWayOf("r2")).containsExactly("r1");
        assertThat(view.toText()).contains("leaving, member of").containsPattern("r2 +- +- ");
    }

    @Test
    void everyMemberMustKnowWhereTheNewOneIs() {
        DescribeServerResponse.Builder knows =
                server("r0", 1, "r0", "r1", "r2", "r3").addMembers(at("r4", "r4:1"));
        DescribeServerResponse.Builder doesNot = server("r1", 1, "r0", "r1", "r2", "r3");
        DescribeServerResponse.Builder elsewhere =
                server("r2", 1, "r0", "r1", "r2", "r3").addMembers(at("r4", "r4:2"));
        assertThat(view(knows, doesNot, elsewhere).withoutAddress("r4"))
                .containsExactly(
                        "r1 (its configuration does not list it at that address)",
                        "r2 (its configuration does not list it at that address)",
                        "r3 (does not answer)");
    }

    @Test
    void plansSayWhatIsInTheWay() {
        MembersView well =
                view(server("r0", 1, "r0", "r1", "r2").addReplicas(leading(10, "r1", "r2")));
        assertThat(well.planToAdd("r3"))
                .containsExactly(new MembersView.Step("control", "", "r3", ""));
        assertThat(well.planToRemove("r2"))
                .containsExactly(new MembersView.Step("control", "r2", "", ""));
        assertThat(well.planToRemove("r9")).as("it is in no group").isEmpty();
        MembersView silent =
                view(server("r0", 1, "r0", "r1", "r2").addReplicas(leading(60_000, "r1", "r2")));
        assertThat(silent.planToAdd("r3"))
                .extracting(MembersView.Step::trouble)
                .containsExactly(
                        "of its 3 members only [r0] are there and up to date: 2 are needed");
        assertThat(silent.planToRemove("r2"))
                .extracting(MembersView.Step::trouble)
                .containsExactly(
                        "of its 3 members only [r0] are there and up to date without r2: 2 are needed");
        MembersView nobody = view(server("r0", 1, "r0", "r1", "r2"));
        assertThat(nobody.planToRemove("r2"))
                .extracting(MembersView.Step::trouble)
                .containsExactly("it has no known leader");
    }

    private static MemberDisk.Builder disk(String name, int number) {
        return MemberDisk.newBuilder().setName(name).setNumber(number);
    }

    @Test
    void whoLeavesIsInItsOwnWayAndWhoComesIsNot() {
        MembersView view =
                view(
                        server("r0", 3, "r0", "r1", "r2")
                                .addDisks(disk("r2", 2).setJoining(true))
                                .addDisks(disk("r3", 1).setDisk(DISK).setLeaving(true)));
        assertThat(view.inTheWayOf("r3")).as("added again").containsExactly("r2", "r3");
        assertThat(view.inTheWayOf("r2")).as("removed again").containsExactly("r3");
    }

    @Test
    void ofTwoAnswersTheLaterCounts() {
        List<MemberDisk> life =
                List.of(
                        disk("r2", 1).setDisk(DISK).build(),
                        disk("r2", 1).setDisk(DISK).setLeaving(true).build(),
                        disk("r2", 2).build(),
                        disk("r2", 2).setJoining(true).build(),
                        disk("r2", 2).setJoining(true).setDisk(DISK).build(),
                        disk("r2", 2).setDisk(DISK).build(),
                        disk("r2", 2).setDisk(DISK).setLeaving(true).build());
        for (int earlier = 0; earlier < life.size(); earlier++) {
            for (int later = earlier; later < life.size(); later++) {
                DescribeServerResponse.Builder behind =
                        server("r0", 1, "r0", "r2").addDisks(life.get(earlier));
                DescribeServerResponse.Builder ahead =
                        server("r1", 1, "r0", "r2").addDisks(life.get(later));
                assertThat(view(behind, ahead).disk("r2")).isEqualTo(life.get(later));
                assertThat(view(ahead, behind).disk("r2")).isEqualTo(life.get(later));
            }
        }
    }

    @Test
    void aServerWhoseDiskIsBeingReplacedGoesWithTheDiskThatAGroupStillHas() {
        MembersView view =
                view(
                        server("r0", 1, "r0", "r1", "r2")
                                .addDisks(disk("r2", 2).setJoining(true))
                                .addReplicas(leading(10, "r1", "r2")));
        assertThat(view.planToRemove("r2"))
                .containsExactly(new MembersView.Step("control", "r2", "", ""));
        MembersView both =
                view(
                        server("r0", 1, "r0", "r1", "r2")
                                .addDisks(disk("r2", 2).setJoining(true).setDisk(DISK))
                                .addReplicas(leading(10, "r1", "r2").addMembers("r2#2")));
        assertThat(both.planToRemove("r2"))
                .extracting(MembersView.Step::out)
                .containsExactly("r2, r2#2");
    }
}
