package photon.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import photon.core.time.Standstill;
import photon.testbed.process.ProcessName;

class StartProgressTest {
    private static final ProcessName JOINER =
            new ProcessName("east", ProcessName.JOINER, "joiner-0");
    private static final ProcessName REPLICA = new ProcessName("west", ProcessName.REGISTRY, "r1");
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private final Set<ProcessName> serving = new HashSet<>();
    private final Map<ProcessName, Duration> cpu =
            new HashMap<>(Map.of(JOINER, Duration.ZERO, REPLICA, Duration.ZERO));
    private StartProgress before = StartProgress.NONE;
    private final Standstill standstill = new Standstill(PATIENCE, progress(), 0);
    private final List<String> transcript = new ArrayList<>();

    private StartProgress progress() {
        before =
                StartProgress.of(
                        List.of(REPLICA, JOINER),
                        serving::contains,
                        process -> cpu.getOrDefault(process, Duration.ZERO),
                        before);
        return before;
    }

    private void look(long minute, String what) {
        boolean reached = standstill.reached(progress(), Duration.ofMinutes(minute).toNanos());
        transcript.add(minute + " " + what + (reached ? ": gives up" : ": waits"));
    }

    private void used(ProcessName process, double seconds) {
        cpu.put(process, Duration.ofMillis((long) (seconds * 1e3)));
    }

    @Test
    void aStartThatGetsLittleOfTheProcessorsGoesOnForHoursAndOneThatHangsIsGivenUp() {
        for (int hour = 0; hour < 3; hour++) {
            for (int i = 1; i <= 5; i++) {
                used(JOINER, hour * 5 + i);
                assertThat(
                                standstill.reached(
                                        progress(),
                                        Duration.ofMinutes(hour * 20 + i * 4).toNanos()))
                        .isFalse();
            }
        }
        look(63, "joiner has had 15 s");
        used(JOINER, 15.9);
        look(64, "less than a second more");
        serving.add(REPLICA);
        look(65, "r1 serves");
        used(JOINER, 20.5);
        look(69, "joiner has had 20 s");
        used(JOINER, 40);
        look(73, "more than a start needs");
        look(74, "more than a start needs");
        assertThat(transcript)
                .containsExactly(
                        "63 joiner has had 15 s: waits",
                        "64 less than a second more: waits",
                        "65 r1 serves: waits",
                        "69 joiner has had 20 s: waits",
                        "73 more than a start needs: waits",
                        "74 more than a start needs: gives up");
    }

    @Test
    void oneThatIsStartedAgainAndAgainIsNoProgress() {
        used(JOINER, 5);
        look(1, "has had 5 s");
        used(JOINER, 0);
        look(4, "started again");
        used(JOINER, 5);
        look(6, "where it was");
        assertThat(transcript)
                .containsExactly(
                        "1 has had 5 s: waits",
                        "4 started again: waits",
                        "6 where it was: gives up");
    }

    @Test
    void whatOneThatServesUsesIsNoProgressOfTheOthers() {
        serving.add(REPLICA);
        look(1, "r1 serves");
        used(REPLICA, 5);
        look(5, "r1 works");
        used(REPLICA, 10);
        look(6, "r1 works");
        assertThat(transcript)
                .containsExactly("1 r1 serves: waits", "5 r1 works: waits", "6 r1 works: gives up");
    }
}
