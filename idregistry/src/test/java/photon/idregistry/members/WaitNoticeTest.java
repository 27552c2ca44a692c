package photon.idregistry.members;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import photon.proto.v1.DiskState;
import photon.proto.v1.IntroduceResponse;

class WaitNoticeTest {
    private static final List<String> SERVERS = List.of("r0", "r1", "r2");

    private final FirstStart start = new FirstStart("r1", SERVERS, false);
    private final WaitNotice notice = new WaitNotice(0);
    private final List<String> transcript = new ArrayList<>();

    private void heard(String server, DiskState state) {
        start.heard(
                server,
                IntroduceResponse.newBuilder()
                        .setName(server)
                        .setState(state)
                        .addAllServers(SERVERS)
                        .build());
    }

    private void look(int second) {
        boolean due = notice.isDue(start, Duration.ofSeconds(second).toNanos());
        transcript.add(second + (due ? " tells: " : " silent: ") + start.waitsFor());
    }

    @Test
    void aSlowStartThatGetsOnSaysNothingAndOneThatIsStuckNamesWhomItWaitsFor() {
        start.silent("r0", "does not answer");
        start.silent("r2", "does not answer");
        look(1);
        look(29);
        heard("r0", DiskState.DISK_BLANK);
        look(35);
        look(64);
        look(65);
        look(80);
        look(95);
        assertThat(transcript)
                .containsExactly(
                        "1 silent: [r0 (does not answer), r2 (does not answer)]",
                        "29 silent: [r0 (does not answer), r2 (does not answer)]",
                        "35 silent: [r2 (does not answer)]",
                        "64 silent: [r2 (does not answer)]",
                        "65 tells: [r2 (does not answer)]",
                        "80 silent: [r2 (does not answer)]",
                        "95 tells: [r2 (does not answer)]");
    }

    @Test
    void oneThatComesAndGoesIsNamed() {
        int told = 0;
        for (int second = 0; second <= 30; second++) {
            start.silent("r2", second % 2 == 0 ? "does not answer" : "is not ready yet");
            told += notice.isDue(start, Duration.ofSeconds(second).toNanos()) ? 1 : 0;
        }
        assertThat(told).isEqualTo(1);
    }

    @Test
    void whoHasHeardAllThatItNeedsWaitsForNobody() {
        heard("r0", DiskState.DISK_BLANK);
        heard("r2", DiskState.DISK_CLEARED);
        look(40);
        look(100);
        assertThat(transcript).containsExactly("40 silent: []", "100 silent: []");
    }
}
