package photon.testbed.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The checker against one that tries every order, over random histories and mutants of them. */
class HistoryMutationTest {
    private static final int SEEDS = 2_000;
    private static final int MUTANTS = 5;

    private static boolean accepts(WrittenHistory history) {
        return HistoryChecker.check(history.operations(), history.fences()).isEmpty();
    }

    private static boolean isRight(WrittenHistory history) {
        return NaiveChecker.isRight(history.operations(), history.fences());
    }

    @Test
    void aRightHistoryIsNeverRefused() {
        for (int seed = 0; seed < SEEDS; seed++) {
            Random random = new Random(seed);
            WrittenHistory history =
                    RandomHistory.make(random, 1 + random.nextInt(4), 5 + random.nextInt(60));
            assertThat(HistoryChecker.check(history.operations(), history.fences()))
                    .as("seed %s", seed)
                    .isEmpty();
        }
    }

    /** Of one id the checker knows all: it is right about each mutant, wrong or not. */
    @Test
    void mutantsOfOneIdAreJudgedAsByTryingEveryOrder() {
        int wrong = 0;
        int judged = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            Random random = new Random(seed);
            WrittenHistory history = RandomHistory.make(random, 1, 4 + random.nextInt(4));
            for (int i = 0; i < MUTANTS && !history.operations().isEmpty(); i++) {
                WrittenHistory mutant = RandomHistory.changed(history, random);
                boolean right = isRight(mutant);
                assertThat(accepts(mutant)).as("seed %s: %s", seed, mutant).isEqualTo(right);
                wrong += right ? 0 : 1;
                judged++;
            }
        }
        assertThat(wrong).isGreaterThan(judged / 3);
    }

    /** Of several ids it may miss what only the order of fences shows, which is rare. */
    @Test
    void mutantsOfSeveralIdsAreNeverRefusedWronglyAndHardlyEverAcceptedWrongly() {
        int wrong = 0;
        int missed = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            Random random = new Random(seed);
            WrittenHistory history = RandomHistory.make(random, 3, 4 + random.nextInt(4));
            for (int i = 0; i < MUTANTS && !history.operations().isEmpty(); i++) {
                WrittenHistory mutant = RandomHistory.changed(history, random);
                boolean right = isRight(mutant);
                boolean accepted = accepts(mutant);
                assertThat(accepted || !right).as("seed %s: %s", seed, mutant).isTrue();
                wrong += right ? 0 : 1;
                missed += accepted && !right ? 1 : 0;
            }
        }
        assertThat(wrong).isGreaterThan(SEEDS);
        assertThat(missed).isLessThanOrEqualTo(wrong / 1_000);
    }

    /** In a long history one wrong answer is found, and named. */
    @Test
    void oneWrongAnswerAmongThousandsIsFound() {
        Random random = new Random(7);
        WrittenHistory history = RandomHistory.make(random, 500, 10_000);
        Operation accepted =
                history.operations().stream()
                        .filter(o -> o.result() == Operation.Result.ACCEPTED)
                        .skip(100)
                        .findFirst()
                        .orElseThrow();
        history.operations()
                .set(
                        history.operations().indexOf(accepted),
                        accepted.with(
                                Operation.Result.TAKEN, new photon.core.id.CommitToken(9, 9, 9)));
        List<LinearizabilityViolation> violations =
                HistoryChecker.check(history.operations(), history.fences());
        assertThat(violations).hasSize(1);
        assertThat(violations.get(0).id()).isEqualTo(accepted.id());
    }
}
