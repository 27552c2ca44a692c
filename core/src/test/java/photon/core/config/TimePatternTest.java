package photon.core.config;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TimePatternTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "yyyy-MM-dd hh:mm:ss",
                "yyyy-MM-dd'T'HH:mm:SS",
                "yyyy-MM-dd mm:ss",
                "dd/MMM/yyyy:KK:mm:ss"
            })
    void allEventsOfADayWouldHappenAtMidnight(String pattern) {
        assertThat(TimePattern.losesTime(pattern)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "yyyy-MM-dd HH:mm:ss",
                "yyyy-MM-dd hh:mm:ss a",
                "yyyy-MM-dd'T'HH:mm:ss[.SSSSSS]X",
                "dd/MMM/yyyy:HH:mm:ss Z",
                "yyyyMMddHHmmssSSS",
                "yyyy-MM-dd HH:mm",
                "uuuu-MM-dd'T'HH:mm:ss.SSSVV",
                "yyyy-MM-dd 'at the hour'",
                "yyyy-MM-dd",
                "'unfinished",
                "nonsense"
            })
    void othersTellTheTimeOrHaveNone(String pattern) {
        assertThat(TimePattern.losesTime(pattern)).isFalse();
    }
}
