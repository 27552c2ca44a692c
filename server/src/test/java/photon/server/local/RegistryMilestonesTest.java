package photon.server.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import photon.core.time.Standstill;
import photon.proto.v1.DescribeServerResponse;
import photon.proto.v1.ReplicaStatus;

class RegistryMilestonesTest {
    private final RegistryMilestones milestones = new RegistryMilestones();
    private final Standstill standstill =
            new Standstill(Duration.ofMinutes(5), milestones.look(List.of(), Duration.ZERO), 0);
    private final List<String> transcript = new ArrayList<>();

    private static DescribeServerResponse silent() {
        return DescribeServerResponse.getDefaultInstance();
    }

    private static DescribeServerResponse server(String name, String leader) {
        return DescribeServerResponse.newBuilder()
                .setName(name)
                .addReplicas(
                        ReplicaStatus.newBuilder().setLeader(leader).setReady(leader.equals(name)))
                .build();
    }

    private void look(int minute, int cpuSeconds, DescribeServerResponse... described) {
        boolean reached =
                standstill.reached(
                        milestones.look(List.of(described), Duration.ofSeconds(cpuSeconds)),
                        Duration.ofMinutes(minute).toNanos());
        transcript.add(minute + (reached ? " gives up: " : " waits: ") + milestones.standing());
    }

    @Test
    void aSlowStartGoesOnForAsLongAsItGetsProcessorsOrGetsFurther() {
        look(4, 3, silent(), silent(), silent());
        look(8, 4, silent(), silent(), silent());
        look(12, 4, server("r0", ""), silent(), silent());
        look(16, 4, server("r0", ""), server("r1", ""), server("r2", ""));
        look(20, 4, server("r0", "r1"), server("r1", ""), server("r2", ""));
        look(24, 4, server("r0", "r1"), server("r1", "r1"), server("r2", "r1"));
        look(28, 4, server("r0", "r1"), server("r1", "r1"), server("r2", "r1"));
        look(29, 4, server("r0", "r1"), server("r1", "r1"), server("r2", "r1"));
        assertThat(transcript)
                .containsExactly(
                        "4 waits: 0 of 3 replicas answer, 0 know a leader of the control group",
                        "8 waits: 0 of 3 replicas answer, 0 know a leader of the control group",
                        "12 waits: 1 of 3 replicas answer, 0 know a leader of the control group",
                        "16 waits: 3 of 3 replicas answer, 0 know a leader of the control group",
                        "20 waits: 3 of 3 replicas answer, 1 know a leader of the control group",
                        "24 waits: 3 of 3 replicas answer, 3 know a leader of the control group",
                        "28 waits: 3 of 3 replicas answer, 3 know a leader of the control group",
                        "29 gives up: 3 of 3 replicas answer, 3 know a leader of the control group");
    }

    @Test
    void leadersThatComeAndGoAreNoProgressForEver() {
        boolean over = false;
        int minute = 0;
        while (!over && minute < 60) {
            minute++;
            String leader = minute % 2 == 0 ? "r0" : "";
            over =
                    standstill.reached(
                            milestones.look(
                                    List.of(server("r0", leader), server("r1", leader)),
                                    Duration.ofSeconds(1)),
                            Duration.ofMinutes(minute).toNanos());
        }
        assertThat(minute).isEqualTo(7);
    }

    @Test
    void aProcessThatOnlyBurnsTimeIsGivenUp() {
        look(4, 59, silent());
        look(8, 60, silent());
        look(12, 400, silent());
        look(13, 500, silent());
        assertThat(transcript.get(2)).startsWith("12 waits");
        assertThat(transcript.get(3)).startsWith("13 gives up");
    }
}
