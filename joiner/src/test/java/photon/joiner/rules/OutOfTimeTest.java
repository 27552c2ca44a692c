package photon.joiner.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import photon.core.id.EventId;
import photon.core.id.UserKey;

class OutOfTimeTest {
    private static final EventId ID = EventId.ofUser(1_000_000_000_000L, UserKey.of(List.of("a")));

    @ParameterizedTest
    @CsvSource({
        "1,0 ms",
        "1999999,1999 ms",
        "2000000,2 s",
        "119999999,119 s",
        "120000000,2 min",
        "7200000000,2 h",
        "172799999999,47 h",
        "172800000000,2 d"
    })
    void lengthsAreInUnitsThatPeopleRead(long micros, String text) {
        assertThat(OutOfTime.length(micros)).isEqualTo(text);
    }

    @Test
    void itIsSaidByHowMuch() {
        assertThat(OutOfTime.below(ID, ID.micros() + 300_000_000))
                .isEqualTo("below the registry's boundary, by 5 min");
        assertThat(OutOfTime.below(ID, Long.MIN_VALUE)).isEqualTo("below the registry's boundary");
        assertThat(OutOfTime.ahead(ID, ID.micros() - 90_000_000))
                .isEqualTo("later than the registry's clock allows, by 90 s");
        assertThat(OutOfTime.ahead(ID, Long.MAX_VALUE))
                .isEqualTo("later than the registry's clock allows");
        assertThat(OutOfTime.nearBoundary(ID, ID.micros() - 60_000_000, 600_000_000))
                .isEqualTo(
                        "too near the registry's boundary: 60 s above it, expected 10 min above");
        assertThat(OutOfTime.nearBoundary(ID, ID.micros() + 60_000_000, 600_000_000))
                .isEqualTo(
                        "too near the registry's boundary: 60 s below it, expected 10 min above");
    }
}
