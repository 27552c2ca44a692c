package photon.simulation.checks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.core.id.Incarnation;
import photon.core.id.UserKey;

class TooOldAnswersTest {
    private static final EventId ID = EventId.ofUser(5, UserKey.of(List.of("user", "click")));
    private static final Incarnation BY = new Incarnation(1, 2);

    private final List<RegistryTruth.Decision> decided = new ArrayList<>();
    private final TooOldAnswers answers = new TooOldAnswers(new Registry());

    private void decided(Incarnation by, long sequence, boolean accepted) {
        decided.add(new RegistryTruth.Decision("group", CommitToken.of(by, sequence), accepted));
    }

    @Test
    void whatTheOnlyCommitWasGivenIsNotTooOld() {
        decided(BY, 1, true);
        decided(BY, 1, false);
        answers.note(List.of(BY), List.of(ID));

        assertThat(answers.check())
                .singleElement()
                .satisfies(
                        violation -> {
                            assertThat(violation.invariant()).isEqualTo("I3");
                            assertThat(violation.ids()).containsExactly(ID);
                        });
    }

    @Test
    void aFirstTryIsTooOldWhoeverHeldIt() {
        decided(new Incarnation(1, 1), 1, true);
        decided(BY, 1, false);
        answers.note(List.of(BY), List.of(ID));

        assertThat(answers.check()).isEmpty();
    }

    @Test
    void aSecondAttemptAtAnEventMayBeTooOldWhereTheFirstWasGivenIt() {
        decided(BY, 1, true);
        decided(BY, 2, false);
        answers.note(List.of(BY), List.of(ID));

        assertThat(answers.check()).isEmpty();
    }

    @Test
    void whatWasNotAnsweredSoIsNotLookedAt() {
        decided(BY, 1, true);

        assertThat(answers.check()).isEmpty();
    }

    /** Knows of decisions alone. */
    private final class Registry implements RegistryTruth {
        @Override
        public @Nullable CommitToken holder(EventId id) {
            return null;
        }

        @Override
        public List<Incarnation> incarnations() {
            return List.of(BY);
        }

        @Override
        public List<String> rowsInOtherStates() {
            return List.of();
        }

        @Override
        public boolean settled(Incarnation incarnation) {
            return false;
        }

        @Override
        public boolean repaired(Incarnation incarnation) {
            return false;
        }

        @Override
        public boolean live(Incarnation incarnation) {
            return true;
        }

        @Override
        public List<Decision> decisions(EventId id) {
            return id.equals(ID) ? decided : List.of();
        }

        @Override
        public long boundaryMicros() {
            return Long.MIN_VALUE;
        }
    }
}
