package photon.server.configtest.rules;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class KeyFormTest {
    private static void alike(KeyForm form, String one, String other) {
        assertThat(form.of(one)).as("%s of %s and %s", form, one, other).isEqualTo(form.of(other));
    }

    private static void different(KeyForm form, String one, String other) {
        assertThat(form.of(one))
                .as("%s of %s and %s", form, one, other)
                .isNotEqualTo(form.of(other));
    }

    @Test
    void keysOfOneFormAreAlike() {
        alike(KeyForm.SPACES, " a1 ", "a1");
        different(KeyForm.SPACES, "A1", "a1");
        alike(KeyForm.CASE, "AbC", "aBc");
        different(KeyForm.CASE, "a-b", "ab");
        alike(KeyForm.NUMBER, "42.0", "42");
        alike(KeyForm.NUMBER, "0042", "42");
        alike(KeyForm.NUMBER, "4.2e1", "42");
        different(KeyForm.NUMBER, "43", "42");
        alike(KeyForm.PUNCTUATION, "\"6F9619FF-8B86\"", "6f9619ff8b86");
    }

    @Test
    void whatIsNoNumberHasNoFormOfOne() {
        assertThat(KeyForm.NUMBER.of("a42")).isEmpty();
        assertThat(KeyForm.NUMBER.of("1e999999999")).isEmpty();
        assertThat(KeyForm.NUMBER.of("1".repeat(65))).isEmpty();
    }
}
