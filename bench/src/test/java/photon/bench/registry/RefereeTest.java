package photon.bench.registry;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import photon.core.id.CommitToken;
import photon.core.id.Incarnation;
import photon.registry.api.CommitOutcome.Decided;
import photon.registry.api.RegistryClient.CommitResult;

/** That a registry which accepts twice, or forgets, is found out. */
class RefereeTest {
    private static final Object CALLER = "one";
    private static final Object OTHER = "other";

    private final BenchIds ids = new BenchIds(new Incarnation(1, 1));
    private final Referee referee = new Referee(ids);
    private long number;

    @BeforeEach
    void contestOneId() {
        ids.contest(100);
        number = ids.takeBlock(5_000_000);
        referee.offer(1);
        referee.challenge(number, CALLER);
        assertThat(referee.challenge(OTHER)).isEqualTo(number);
    }

    private void heard(long attempt, CommitResult result, @Nullable CommitToken holder) {
        if (result == CommitResult.ACCEPTED) {
            referee.accepted(1);
        }
        referee.judge(attempt, new Decided(result, holder, false));
    }

    private long first() {
        return 2 * number;
    }

    private long rival() {
        return 2 * number + 1;
    }

    @Test
    void onlyAnotherCallerTakesUpAChallenge() {
        referee.challenge(number + 1, CALLER);
        assertThat(referee.challenge(CALLER)).isNull();
        assertThat(referee.allChallenged()).isFalse();
        assertThat(Objects.requireNonNull(referee.challenge(OTHER))).isEqualTo(number + 1);
        assertThat(referee.allChallenged()).isTrue();
    }

    @Test
    void oneIsAcceptedAndTheOtherHearsOfIt() {
        heard(rival(), CommitResult.ACCEPTED, null);
        assertThat(referee.isRight()).as("the other has not heard yet").isFalse();
        heard(first(), CommitResult.TAKEN, ids.token(rival()));
        assertThat(referee.isRight()).isTrue();
    }

    @Test
    void bothAccepted() {
        heard(first(), CommitResult.ACCEPTED, null);
        heard(rival(), CommitResult.ACCEPTED, null);
        assertThat(referee.isRight()).isFalse();
        assertThat(referee.told()).singleElement().asString().contains("both");
    }

    @Test
    void neitherAccepted() {
        heard(first(), CommitResult.TAKEN, ids.token(rival()));
        heard(rival(), CommitResult.TAKEN, ids.token(first()));
        assertThat(referee.isRight()).isFalse();
        assertThat(referee.told()).singleElement().asString().contains("none");
    }

    @Test
    void heldBySomebodyWhoNeverAsked() {
        heard(first(), CommitResult.ACCEPTED, null);
        heard(rival(), CommitResult.TAKEN, new CommitToken(9, 9, 9));
        assertThat(referee.isRight()).isFalse();
        assertThat(referee.told()).singleElement().asString().contains("9-9-9");
    }

    @Test
    void anIdThatNobodyElseWantsIsTaken() {
        ids.contest(0);
        long own = ids.takeBlock(9_000_000);
        referee.offer(1);
        heard(2 * own, CommitResult.TAKEN, ids.token(2 * own + 1));
        assertThat(referee.wrong()).isEqualTo(1);
    }

    @Test
    void anAnswerThatIsNoneOfTheTwo() {
        heard(first(), CommitResult.ID_TOO_OLD, null);
        assertThat(referee.isRight()).isFalse();
        assertThat(referee.told()).singleElement().asString().contains("ID_TOO_OLD");
    }

    @Test
    void onlyTheFirstWrongsAreKept() {
        for (int i = 0; i < 1_000; i++) {
            referee.wrong("wrong " + i);
        }
        assertThat(referee.wrong()).isEqualTo(1_000);
        assertThat(referee.told()).hasSize(10).startsWith("wrong 0");
    }
}
