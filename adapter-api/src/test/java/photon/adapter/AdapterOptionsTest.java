package photon.adapter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class AdapterOptionsTest {
    @Test
    void optionsAreReadByType() {
        AdapterOptions options =
                new AdapterOptions(
                        Map.of(
                                "url",
                                "http://h",
                                "wait",
                                "2s",
                                "n",
                                "-7",
                                "keep",
                                "true",
                                "list",
                                "a, b,"));
        assertThat(options.text("url")).isEqualTo("http://h");
        assertThat(options.duration("wait")).isEqualTo(Duration.ofSeconds(2));
        assertThat(options.number("n", -10, 10)).isEqualTo(-7);
        assertThat(options.flag("keep", false)).isTrue();
        assertThat(options.texts("list")).containsExactly("a", "b");
    }

    @Test
    void whatIsAbsentHasItsDefault() {
        AdapterOptions options = new AdapterOptions(Map.of());
        assertThat(options.text("a", "x")).isEqualTo("x");
        assertThat(options.duration("a", Duration.ofDays(1))).isEqualTo(Duration.ofDays(1));
        assertThat(options.number("a", 0, 5, 3)).isEqualTo(3);
        assertThat(options.flag("a", true)).isTrue();
        assertThat(options.texts("a", List.of("x"))).containsExactly("x");
    }

    @Test
    void whatIsWrongIsNamed() {
        wrong("", o -> o.text("a"), "adapter.options.a is '': expected a text");
        wrong("x", o -> o.text("b"), "adapter.options.b is missing: expected a text");
        wrong("2", o -> o.duration("a"), "adapter.options.a is '2': expected a duration above 0");
        wrong("0s", o -> o.duration("a"), "adapter.options.a is '0s': expected a duration above 0");
        wrong("36501d", o -> o.duration("a"), "adapter.options.a is '36501d': expected a duration");
        wrong("999999999999999999d", o -> o.duration("a"), "expected a duration above 0");
        wrong("1.5", o -> o.number("a", 1, 9), "is '1.5': expected a whole number from 1 to 9");
        wrong("10", o -> o.number("a", 1, 9, 5), "is '10': expected a whole number from 1 to 9");
        wrong("yes", o -> o.flag("a", true), "is 'yes': expected true or false");
    }

    private static void wrong(String value, Consumer<AdapterOptions> read, String message) {
        assertThatThrownBy(() -> read.accept(new AdapterOptions(Map.of("a", value))))
                .isInstanceOf(WrongOptionException.class)
                .hasMessageContaining(message);
    }

    @Test
    void whatNothingAskedForIsKnown() {
        AdapterOptions options = new AdapterOptions(Map.of("a", "1", "b", "2", "c", "3"));
        options.text("a");
        options.text("d", "");
        assertThat(options.unread()).containsExactly("b", "c");
        assertThat(options.known()).containsExactly("a", "d");
        assertThat(options.asMap()).hasSize(3);
        assertThat(options.unread()).isEmpty();
    }
}
