package photon.verifier.repair;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import photon.core.id.Incarnation;
import photon.registry.api.ControlClient;
import photon.registry.api.ControlClient.IncarnationInfo;
import photon.registry.api.ControlClient.IncarnationState;
import photon.verifier.repair.SilenceRule.Silent;
import photon.verifier.repair.SilenceRule.Terms;

/** With listings every 3 s and fences after 30. */
final class SilenceRuleTest {
    private static final Incarnation ONE = new Incarnation(3, 5);
    private static final Incarnation OTHER = new Incarnation(4, 1);

    private SilenceRule rule = new SilenceRule(new Terms(Optional.of(Duration.ofSeconds(30))));
    private double seconds = 1_000;

    private static IncarnationInfo live(Incarnation incarnation, long renewedIndex) {
        return live(incarnation, renewedIndex, Duration.ofSeconds(5));
    }

    private static IncarnationInfo live(
            Incarnation incarnation, long renewedIndex, Duration renewsWithin) {
        return info(incarnation, IncarnationState.OPEN, false, renewedIndex, renewsWithin);
    }

    private static IncarnationInfo info(
            Incarnation incarnation,
            IncarnationState state,
            boolean fenced,
            long renewedIndex,
            Duration renewsWithin) {
        return new IncarnationInfo(
                incarnation,
                "east/joiner-" + incarnation.slot(),
                state,
                fenced,
                "host:1",
                1,
                1,
                "out",
                Long.MIN_VALUE,
                // By the registry's clock, which decides nothing: any value must do.
                renewedIndex % 2 == 0 ? Long.MAX_VALUE : 1,
                renewedIndex,
                renewsWithin,
                ControlClient.Rows.NONE,
                incarnation.generation());
    }

    /** A listing that is asked now, and answered after so many seconds. */
    private List<Silent> heard(double answeredAfter, IncarnationInfo... list) {
        long asked = (long) (seconds * 1e9);
        seconds += answeredAfter;
        return rule.heard(List.of(list), asked, (long) (seconds * 1e9));
    }

    /** Listings every 3 s for so long; the last one's. */
    private List<Silent> listings(int forSeconds, IncarnationInfo... list) {
        List<Silent> last = heard(0, list);
        for (int i = 0; i < forSeconds / 3; i++) {
            seconds += 3;
            last = heard(0, list);
        }
        return last;
    }

    @Test
    void whatDoesNotRenewIsToldAndThenFenced() {
        assertThat(listings(15, live(ONE, 100))).as("it may be slow").isEmpty();
        seconds += 3;
        List<Silent> told = heard(0, live(ONE, 100));
        assertThat(told).hasSize(1);
        assertThat(told.get(0).fence()).isFalse();
        assertThat(told.get(0).told()).isEqualTo(new SilentSlot(ONE, "east/joiner-3", 18, 12));
        seconds += 3;
        assertThat(listings(6, live(ONE, 100)).get(0).fence()).isFalse();
        seconds += 3;
        assertThat(heard(0, live(ONE, 100)).get(0).fence()).as("30 s have passed").isTrue();
        assertThat(heard(0, live(ONE, 101))).as("after all").isEmpty();
    }

    @Test
    void aRenewalBeginsTheTimeAnewForItsOwnSlotOnly() {
        listings(27, live(ONE, 100), live(OTHER, 90));
        seconds += 3;
        List<Silent> silent = heard(0, live(ONE, 101), live(OTHER, 90));
        assertThat(silent).hasSize(1);
        assertThat(silent.get(0).info().incarnation()).isEqualTo(OTHER);
        assertThat(silent.get(0).fence()).isTrue();
        seconds += 3;
        assertThat(listings(12, live(ONE, 101), live(OTHER, 90))).hasSize(1);
        seconds += 3;
        assertThat(listings(9, live(ONE, 101))).hasSize(1);
    }

    @Test
    void anotherIncarnationOfTheSlotIsAnother() {
        listings(29, live(ONE, 100));
        assertThat(listings(12, live(new Incarnation(3, 6), 100))).isEmpty();
    }

    /** Nobody can renew at a registry that is away, and nobody is heard by one who sleeps. */
    @Test
    void aGapBetweenTwoListingsBeginsTheTimeAnew() {
        listings(27, live(ONE, 100));
        seconds += 10.1;
        assertThat(heard(0, live(ONE, 100))).isEmpty();
        seconds += 3;
        assertThat(listings(12, live(ONE, 100))).as("since the gap").isEmpty();
        seconds += 3;
        assertThat(listings(12, live(ONE, 100)).get(0).fence()).isTrue();
    }

    /** As where each answer waits behind files that are read slowly. */
    @Test
    void forHowLongEachListingCameTooLateIsTold() {
        listings(27, live(ONE, 100));
        assertThat(rule.blindFor((long) (seconds * 1e9))).isZero();
        for (int i = 0; i < 30; i++) {
            seconds += 10.1;
            assertThat(heard(0, live(ONE, 100))).isEmpty();
        }
        assertThat(rule.blindFor((long) (seconds * 1e9))).isGreaterThan(Duration.ofMinutes(5));
        seconds += 3;
        heard(0, live(ONE, 100));
        assertThat(rule.blindFor((long) (seconds * 1e9))).isZero();
    }

    @Test
    void anHourWithoutAListingIsNoSilence() {
        heard(0, live(ONE, 100));
        seconds += 3_600;
        assertThat(heard(0, live(ONE, 100))).isEmpty();
    }

    @Test
    void aListingThatTakesLongIsAGap() {
        listings(27, live(ONE, 100));
        seconds += 3;
        assertThat(heard(7.1, live(ONE, 100))).isEmpty();
    }

    /** What an answer says was so at some moment between the question and the answer. */
    @Test
    void theTimeIsFromAnAnswerToAQuestion() {
        heard(4, live(ONE, 100));
        for (int i = 0; i < 6; i++) {
            seconds += 1;
            List<Silent> silent = heard(4, live(ONE, 100));
            if (i == 5) {
                assertThat(silent.get(0).fence()).as("26 s").isFalse();
            }
        }
        seconds += 1;
        assertThat(heard(4, live(ONE, 100)).get(0).fence()).as("31 s").isTrue();
    }

    /** By the settings that it started with, which may be others than the verifier's. */
    @Test
    void whatSaysThatItRenewsSeldomIsGivenThreeTimesAsLong() {
        IncarnationInfo seldom = live(ONE, 100, Duration.ofSeconds(20));
        assertThat(listings(30, seldom)).isEmpty();
        seconds += 3;
        assertThat(listings(24, seldom).get(0).fence()).as("57 s").isFalse();
        seconds += 3;
        assertThat(heard(0, seldom).get(0).fence()).as("60 s").isTrue();
    }

    @Test
    void whatIsNotLiveIsNotSilent() {
        Duration within = Duration.ofSeconds(5);
        IncarnationInfo[] dead = {
            info(ONE, IncarnationState.OPEN, true, 7, within),
            info(ONE.compareTo(OTHER) < 0 ? OTHER : ONE, IncarnationState.CLEAN, true, 7, within),
            info(new Incarnation(5, 1), IncarnationState.REPAIRED, true, 7, within),
            info(new Incarnation(6, 1), IncarnationState.OPEN, false, 0, within),
        };
        assertThat(listings(120, dead)).isEmpty();
    }

    @Test
    void whereNothingIsFencedSilenceIsToldAllTheSame() {
        rule = new SilenceRule(new Terms(Optional.empty()));
        assertThat(listings(840, live(ONE, 100, Duration.ofMinutes(5)))).isEmpty();
        Silent silent = listings(90, live(ONE, 100, Duration.ofMinutes(5))).get(0);
        assertThat(silent.fence()).isFalse();
        assertThat(silent.told().isLeftToAPerson()).isTrue();
        assertThat(silent.told().text()).contains("photon registry incarnations fence");
    }
}
