package photon.verifier.repair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static photon.verifier.repair.RepairWorld.DEAD;
import static photon.verifier.repair.RepairWorld.id;
import static photon.verifier.repair.RepairWorld.token;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import photon.core.error.BugException;
import photon.registry.api.RegistryClient.Commit;
import photon.storage.files.MemoryFileStore;
import photon.verifier.repair.PublishedComparison.Verdict;
import photon.verifier.runs.IdRuns;

final class PublishedComparisonTest {
    private final IdRuns runs =
            new IdRuns(new MemoryFileStore(), "/scratch", "1-1", new IdRuns.Limits(3, 3));

    private void publish(int n, int sequence) throws IOException {
        while (runs.crowded()) {
            runs.compact(1);
        }
        runs.add(id(n), sequence);
    }

    private PublishedComparison comparison() throws IOException {
        while (runs.crowded()) {
            runs.compact(1);
        }
        return new PublishedComparison(DEAD, runs.sorted());
    }

    private static Commit held(int n) {
        return new Commit(id(n), token(n, DEAD));
    }

    @Test
    void everyVerdictIsAsASetWouldSay() throws IOException {
        Random random = new Random(5);
        Map<Integer, Integer> published = new HashMap<>();
        for (int i = 0; i < 200; i++) {
            int n = random.nextInt(1_000);
            int sequence = random.nextInt(10) == 0 ? 5_000 : n;
            if (published.putIfAbsent(n, sequence) == null) {
                publish(n, sequence);
            }
        }
        PublishedComparison comparison = comparison();
        TreeSet<Integer> asked = new TreeSet<>();
        random.ints(500, 0, 1_100).forEach(asked::add);
        for (int n : asked) {
            Integer sequence = published.get(n);
            Verdict expected =
                    sequence == null
                            ? Verdict.LOST
                            : sequence == n ? Verdict.PUBLISHED : Verdict.OTHER_TOKEN;
            assertThat(comparison.judge(held(n))).as("id %s", n).isEqualTo(expected);
            if (expected == Verdict.OTHER_TOKEN) {
                assertThat(comparison.publishedToken()).isEqualTo(token(5_000, DEAD));
            }
        }
        assertThat(comparison.publishedTwice()).isEmpty();
    }

    /** Two groups may hold one id while it moves. */
    @Test
    void theSameIdMayBeHeldTwice() throws IOException {
        publish(4, 4);
        PublishedComparison comparison = comparison();
        assertThat(comparison.judge(held(4))).isEqualTo(Verdict.PUBLISHED);
        assertThat(comparison.judge(held(4))).isEqualTo(Verdict.PUBLISHED);
        assertThat(comparison.judge(held(5))).isEqualTo(Verdict.LOST);
        assertThat(comparison.judge(held(5))).isEqualTo(Verdict.LOST);
    }

    @Test
    void anIdThatTwoManifestsNameIsToldAlsoIfItIsHeldNoMore() throws IOException {
        for (int n : List.of(1, 2, 3, 9, 9)) {
            publish(n, n);
        }
        PublishedComparison comparison = comparison();
        assertThat(comparison.judge(held(2))).isEqualTo(Verdict.PUBLISHED);
        assertThat(comparison.publishedTwice()).isEmpty();
        boolean drained = false;
        while (!drained) {
            drained = comparison.drain(1);
        }
        assertThat(comparison.publishedTwice().orElse("")).contains(id(9).toString(), "twice");
    }

    @Test
    void heldIdsOutOfOrderAreABug() throws IOException {
        publish(4, 4);
        PublishedComparison comparison = comparison();
        assertThat(comparison.judge(held(4))).isEqualTo(Verdict.PUBLISHED);
        assertThatThrownBy(() -> comparison.judge(held(3))).isInstanceOf(BugException.class);
    }
}
