package photon.dispatcher.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import photon.dispatcher.rules.JoinerChoice.Choice;
import photon.dispatcher.rules.JoinerChoice.State;

class JoinerChoiceTest {
    private final JoinerChoice choice = new JoinerChoice();

    private static State good(int unanswered) {
        return new State(unanswered, false, true);
    }

    /** It was in trouble, and its pause is over. */
    private static State doubtful(int unanswered) {
        return new State(unanswered, false, false);
    }

    private static State paused(int unanswered) {
        return new State(unanswered, true, false);
    }

    @Test
    void theOneWithTheLeastUnansweredWorkIsNext() {
        assertThat(choice.next(List.of(good(5), good(3), good(4))).index()).isEqualTo(1);
        assertThat(choice.next(List.of(good(5), good(6), good(4))).index()).isEqualTo(2);
    }

    @Test
    void equalOnesTakeTurns() {
        List<Integer> chosen = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            chosen.add(choice.next(List.of(good(0), good(0), good(0))).index());
        }
        assertThat(chosen).containsExactly(0, 1, 2, 0, 1, 2);
    }

    @Test
    void aShareIsNotMuchMoreThanTheNextOnes() {
        assertThat(choice.next(List.of(good(5), good(30), good(90))))
                .isEqualTo(new Choice(0, 25 + JoinerChoice.AHEAD_MAX));
        assertThat(choice.next(List.of(good(7), good(7))).eventsMax())
                .isEqualTo(JoinerChoice.AHEAD_MAX);
        assertThat(choice.next(List.of(good(5), paused(30))).eventsMax())
                .isEqualTo(Integer.MAX_VALUE);
    }

    @Test
    void nobodyIsNextWhileAllAreInAPause() {
        assertThat(choice.next(List.of(paused(0), paused(3)))).isEqualTo(Choice.NOBODY);
        assertThat(choice.next(List.of(paused(0), good(300))).index()).isEqualTo(1);
    }

    @Test
    void oneThatWasInTroubleIsTriedWithFewWhileAnotherIsGood() {
        assertThat(choice.next(List.of(doubtful(0), good(9))))
                .isEqualTo(new Choice(0, JoinerChoice.PROBE_MAX));
        assertThat(choice.next(List.of(doubtful(60), good(99))).eventsMax())
                .isEqualTo(JoinerChoice.PROBE_MAX - 60);
        assertThat(choice.next(List.of(doubtful(64), good(5_000))).index()).isEqualTo(1);
        assertThat(choice.next(List.of(doubtful(0), good(0))).index())
                .as("its turn comes, however little there is to do")
                .isZero();
    }

    @Test
    void whereNoneIsGoodEachTakesWhatItCanGet() {
        assertThat(choice.next(List.of(doubtful(900), doubtful(5_000))))
                .isEqualTo(new Choice(0, 4_100 + JoinerChoice.AHEAD_MAX));
        assertThat(choice.next(List.of(doubtful(900), paused(0), new State(1, true, true))))
                .isEqualTo(new Choice(0, Integer.MAX_VALUE));
        assertThat(choice.next(List.of(doubtful(900))).eventsMax()).isEqualTo(Integer.MAX_VALUE);
    }
}
