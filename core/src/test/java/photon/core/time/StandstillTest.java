package photon.core.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class StandstillTest {
    /** Each look is {@code second=progress}. */
    private static List<String> transcript(int patience, String... looks) {
        List<String> decisions = new ArrayList<>();
        Standstill standstill = new Standstill(Duration.ofSeconds(patience), "0", 0);
        for (String look : looks) {
            String[] parts = look.split("=", -1);
            boolean reached =
                    standstill.reached(
                            parts[1], Duration.ofSeconds(Long.parseLong(parts[0])).toNanos());
            decisions.add(look + (reached ? " gives up" : " waits"));
        }
        return decisions;
    }

    @Test
    void aWaitGoesOnForAsLongAsSomethingMovesAndEndsWhenNothingHasForThePatience() {
        assertThat(transcript(60, "10=1", "59=1", "69=2", "128=3", "10000=4", "10059=4", "10060=4"))
                .containsExactly(
                        "10=1 waits",
                        "59=1 waits",
                        "69=2 waits",
                        "128=3 waits",
                        "10000=4 waits",
                        "10059=4 waits",
                        "10060=4 gives up");
    }

    @Test
    void whatNeverMovesIsGivenUpAfterThePatience() {
        assertThat(transcript(60, "1=0", "59=0", "60=0"))
                .containsExactly("1=0 waits", "59=0 waits", "60=0 gives up");
    }

    @Test
    void aStepBackIsAMoveToo() {
        assertThat(transcript(60, "50=5", "100=4", "150=4", "160=4"))
                .containsExactly("50=5 waits", "100=4 waits", "150=4 waits", "160=4 gives up");
    }

    @Test
    void theTimeOfTheMachineMayBeNegative() {
        Standstill standstill = new Standstill(Duration.ofNanos(10), "", Long.MAX_VALUE - 2);
        assertThat(standstill.reached("", Long.MAX_VALUE)).isFalse();
        assertThat(standstill.reached("", Long.MAX_VALUE + 8)).isTrue();
    }
}
