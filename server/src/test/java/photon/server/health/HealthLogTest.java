package photon.server.health;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the log says: transcripts, a second a step. */
class HealthLogTest {
    private final HealthLog log = new HealthLog();
    private final CheckRun run = new CheckRun();
    private final TreeMap<String, String> broken = new TreeMap<>();
    private final TreeSet<String> quiet = new TreeSet<>();
    private final List<String> said = new ArrayList<>();
    private int second;

    private void seconds(int count) {
        for (int i = 0; i < count; i++) {
            long now = TimeUnit.SECONDS.toNanos(second);
            List<Check> checks =
                    List.of("commit", "registry", "store").stream().map(this::check).toList();
            for (HealthLog.Line line : log.look(run.look(checks, now), now)) {
                said.add(second + (line.warning() ? " WARN " : " INFO ") + line.text());
            }
            second++;
        }
    }

    private Check check(String name) {
        return new Check(
                name,
                quiet.contains(name) ? "" : name + " work waits",
                now -> Optional.ofNullable(broken.get(name)).map(Failure::seen));
    }

    /** It was ready once. */
    @BeforeEach
    void start() {
        log.look(List.of(), 0);
    }

    @Test
    void aStartIsGivenMoreTime() {
        HealthLog young = new HealthLog();
        broken.put("registry", "away");
        List<Integer> warned = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            long now = TimeUnit.SECONDS.toNanos(i);
            if (!young.look(run.look(List.of(check("registry")), now), now).isEmpty()) {
                warned.add(i);
            }
        }
        assertThat(warned).containsExactly(30, 90);
    }

    @Test
    void oneWarningAMinuteNamesAllAndOneLineWhenItIsOver() {
        broken.put("registry", "the registry (a:1) has not answered");
        seconds(12);
        broken.put("store", "the store (b:2) has not answered");
        seconds(133);
        broken.remove("registry");
        seconds(30);
        broken.clear();
        seconds(200);
        assertThat(said)
                .containsExactly(
                        "10 WARN Not ready. The registry (a:1) has not answered. Meanwhile registry work waits.",
                        "70 WARN Not ready. The registry (a:1) has not answered. Meanwhile registry work waits."
                                + " The store (b:2) has not answered. Meanwhile store work waits.",
                        "130 WARN Not ready. The registry (a:1) has not answered. Meanwhile registry work waits."
                                + " The store (b:2) has not answered. Meanwhile store work waits.",
                        "145 INFO Works again: registry, after 144 s",
                        "175 INFO Works again: store, after 162 s");
    }

    @Test
    void whatIsOverSoonIsNoNews() {
        for (int i = 0; i < 20; i++) {
            broken.put("registry", "the registry (a:1) has not answered");
            seconds(9);
            broken.clear();
            seconds(1);
        }
        assertThat(said).isEmpty();
    }

    @Test
    void whatComesAndGoesIsNotWarnedOfMoreOftenThanOnceAMinute() {
        for (int i = 0; i < 6; i++) {
            broken.put("registry", "away");
            seconds(15);
            broken.clear();
            seconds(5);
        }
        assertThat(said)
                .containsExactly(
                        "10 WARN Not ready. Away. Meanwhile registry work waits.",
                        "15 INFO Works again: registry, after 14 s",
                        "70 WARN Not ready. Away. Meanwhile registry work waits.",
                        "75 INFO Works again: registry, after 14 s");
    }

    @Test
    void whatHasNoConsequenceIsNotWarnedOf() {
        quiet.add("registry");
        broken.put("registry", "starting");
        seconds(100);
        broken.clear();
        seconds(1);
        assertThat(said).isEmpty();
    }

    @Test
    void anAgeThatACheckKnowsCounts() {
        Check late =
                new Check("commit", "events wait", now -> Optional.of(Failure.since(0, "late")));
        long now = Duration.ofSeconds(50).toNanos();
        assertThat(run.look(List.of(late), now).get(0).failing()).hasSeconds(50);
    }
}
