package photon.server.health;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import photon.proto.v1.DescribeServerResponse;
import photon.proto.v1.PipelineStatus;
import photon.proto.v1.ReplicaStatus;
import photon.proto.v1.ShardRef;

class RegistryStateTest {
    private static final ByteString UUID = ByteString.copyFromUtf8("0123456789abcdef");

    private final RegistryState state = new RegistryState();

    private static ReplicaStatus replica(int shard, String leader, boolean caughtUp) {
        return ReplicaStatus.newBuilder()
                .setShard(ShardRef.newBuilder().setPipeline(UUID).setShard(shard))
                .setLeader(leader)
                .setCaughtUp(caughtUp)
                .build();
    }

    private void says(long second, ReplicaStatus... replicas) {
        state.asked(nanos(second));
        state.answered(
                DescribeServerResponse.newBuilder()
                        .addPipelines(PipelineStatus.newBuilder().setUuid(UUID).setName("clicks"))
                        .addAllReplicas(List.of(replicas))
                        .build(),
                nanos(second));
    }

    private static long nanos(long second) {
        return TimeUnit.SECONDS.toNanos(second);
    }

    private List<String> failing(long second) {
        List<String> failing = new ArrayList<>();
        for (Check check : state.checks()) {
            check.condition()
                    .look(nanos(second))
                    .ifPresent(why -> failing.add(check.name() + ": " + why.reason()));
        }
        return failing;
    }

    @Test
    void aServerThatStartsIsNotReadyUntilAllItsReplicasAreThere() {
        assertThat(failing(0)).containsExactly("leader: not known yet", "caught_up: not known yet");
        says(1, replica(0, "r1", true), replica(1, "", false));
        assertThat(failing(1))
                .containsExactly(
                        "leader: no leader is known of clicks/0/1, for 0 s",
                        "caught_up: its replica has not caught up in clicks/0/1, for 0 s");
        says(2, replica(0, "r1", true), replica(1, "r2", true));
        assertThat(failing(2)).isEmpty();
    }

    @Test
    void anElectionIsNoTroubleAndAMajorityThatIsGoneIs() {
        says(0, replica(0, "r1", true), replica(1, "r1", true));
        says(1, replica(0, "", true), replica(1, "r1", true));
        says(9, replica(0, "r2", true), replica(1, "r1", true));
        assertThat(failing(9)).isEmpty();
        for (int second = 20; second <= 32; second++) {
            says(second, replica(0, "", true), replica(1, second < 25 ? "r1" : "", true));
        }
        assertThat(failing(29)).isEmpty();
        assertThat(failing(32))
                .containsExactly("leader: no leader is known of clicks/0/0, for 12 s");
    }

    @Test
    void aServerThatDoesNotAnswerItselfIsNotReady() {
        says(0, replica(0, "r1", true));
        state.asked(nanos(1));
        state.failed();
        state.asked(nanos(5));
        assertThat(failing(10)).isEmpty();
        assertThat(failing(11))
                .containsExactly(
                        "answers: a question of this process has waited 10 s for the answer of its registry server");
    }
}
