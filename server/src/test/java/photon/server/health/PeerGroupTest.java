package photon.server.health;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import photon.core.rpc.Caller;

/** When peers count as away: transcripts, a second a step. */
class PeerGroupTest {
    private final List<Scripted> callers = new ArrayList<>();
    private final List<PeerProbe<String, String>> probes = new ArrayList<>();
    private final List<PeerState> states = new ArrayList<>();
    private long second;

    /** A peer that does what the test says when it is asked. */
    private static final class Scripted implements Caller<String, String> {
        private final Queue<Reply<String>> asked = new ArrayDeque<>();
        private int count;
        private String does = "answers";

        @Override
        public void call(String request, Reply<String> reply) {
            count++;
            asked.add(reply);
            act();
        }

        private void act() {
            while (!asked.isEmpty() && !does.equals("is silent")) {
                if (does.equals("answers")) {
                    asked.remove().answered("");
                } else if (does.equals("breaks")) {
                    asked.remove().broken("Ask at a:1: UNAVAILABLE (a paragraph of details)");
                } else {
                    asked.remove().answered(does);
                }
            }
        }

        @Override
        public void close() {}
    }

    private PeerGroup group(String... addresses) {
        for (String address : addresses) {
            PeerState state = new PeerState(address);
            Scripted caller = new Scripted();
            states.add(state);
            callers.add(caller);
            probes.add(new PeerProbe<>(state, caller, "?", answer -> answer));
        }
        return new PeerGroup("registry", "the registry", "nothing is committed", states);
    }

    private static long nanos(long seconds) {
        return TimeUnit.SECONDS.toNanos(seconds);
    }

    /** Lets seconds go by; what the check says at the end of each, without repeats. */
    private List<String> after(int seconds, PeerGroup group) {
        List<String> said = new ArrayList<>();
        for (int i = 0; i < seconds; i++) {
            long now = nanos(second++);
            callers.forEach(Scripted::act);
            probes.forEach(probe -> probe.askIfDue(now));
            Optional<Failure> failure = group.reachable().condition().look(now);
            String line = failure.map(Failure::reason).orElse("ok");
            if (said.isEmpty() || !said.get(said.size() - 1).equals(line)) {
                said.add(line);
            }
        }
        return said;
    }

    private void all(String... doing) {
        for (int i = 0; i < doing.length; i++) {
            callers.get(i).does = doing[i];
        }
    }

    @Test
    void aPeerThatNobodyNeedsForADayIsThere() {
        PeerGroup group = group("a:1");
        assertThat(after(86_400, group)).containsExactly("ok");
        assertThat(callers.get(0).count).as("asked every 5 s").isEqualTo(17_280);
    }

    @Test
    void aPeerThatRefusesIsAwayAfterTenSecondsAndBackAtOnce() {
        PeerGroup group = group("a:1");
        after(1, group);
        all("breaks");
        assertThat(after(15, group))
                .containsExactly(
                        "ok",
                        "no service from the registry (a:1) for 10 s: Ask at a:1: UNAVAILABLE");
        all("answers");
        assertThat(after(2, group)).containsExactly("ok");
    }

    @Test
    void aPeerThatIsSilentIsAwayBeforeItsCallEnds() {
        PeerGroup group = group("a:1");
        all("is silent");
        assertThat(after(12, group))
                .containsExactly(
                        "ok",
                        "no service from the registry (a:1) for 10 s: no answer",
                        "no service from the registry (a:1) for 11 s: no answer");
        assertThat(callers.get(0).count).as("one question at a time").isEqualTo(1);
    }

    @Test
    void oneOfSeveralIsEnough() {
        PeerGroup group = group("a:1", "b:2");
        all("breaks", "answers");
        assertThat(after(100, group)).containsExactly("ok");
        all("breaks", "b:2 knows a leader of 0 of 4 shards");
        assertThat(after(20, group).get(1))
                .isEqualTo(
                        "no service from the registry (a:1, b:2) for 10 s: Ask at a:1: UNAVAILABLE; b:2 b:2 knows a leader of 0 of 4 shards");
        assertThat(states.get(0).failure(nanos(second)).orElseThrow().sinceNanos())
                .as("the first is away for longer")
                .hasValue(0);
    }

    @Test
    void aPeerThatAnswersNowAndThenIsThere() {
        PeerGroup group = group("a:1");
        List<String> said = new ArrayList<>();
        for (String does : Arrays.asList("breaks", "answers", "is silent", "answers", "breaks")) {
            all(does);
            said.addAll(after(9, group));
            all("answers");
            said.addAll(after(2, group));
        }
        assertThat(said).containsOnly("ok");
    }
}
