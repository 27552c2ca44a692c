package photon.server.configtest.rules;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AffixTest {
    @Test
    void aKeyIsTakenApartAtPunctuationAndBeforeDigits() {
        assertThat(Affix.of("imp-42")).contains(new Affix("imp-", "42", ""));
        assertThat(Affix.of("imp42")).containsExactly(new Affix("imp", "42", ""));
        assertThat(Affix.of("42.json")).contains(new Affix("", "42", ".json"));
        assertThat(Affix.of("42")).isEmpty();
    }

    @Test
    void aLongKeyHasABoundedNumberOfThem() {
        assertThat(Affix.of("a-".repeat(1_000))).hasSizeLessThan(12);
    }
}
