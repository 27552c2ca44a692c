package photon.adapter.testing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTextTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "[]",
                "{\"a\":{\"b\":[1,-2.5e+3,true,false,null,\"x\\\"\\\\\"]}}",
                "0",
                "\"\"",
                "{\"half\":\"\\ud83d\"}",
                "[\"\uD83D\uDE00\"]",
                "[[[]]]"
            })
    void whatIsReadIsWrittenTheSame(String json) {
        Object value = Objects.requireNonNull(JsonText.parse(json));
        assertThat(value instanceof String ? "\"" + value + "\"" : JsonText.asText(value))
                .isEqualTo(json);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "{\"a\"}",
                "{\"a\":1,}",
                "[1,]",
                "01",
                "1.",
                "+1",
                "nul",
                "NaN",
                "{a:1}",
                "\"a",
                "\"\\x\"",
                "\"\\u12g4\"",
                "\"\\u12\"",
                "{} {}",
                "\"a\nb\"",
                "'a'"
            })
    void whatIsNoJsonIsRefused(String json) {
        assertThatThrownBy(() -> JsonText.parse(json))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("expected");
    }

    @Test
    void bytesMustBeUtf8AndNestingHasABound() {
        assertThatThrownBy(() -> JsonText.parse(new byte[] {'"', (byte) 0xff, '"'}))
                .hasMessageContaining("not UTF-8");
        assertThat(JsonText.parse(" \"\\u00fc\\n\\ud83d\\ude00\" ".getBytes(UTF_8)))
                .isEqualTo("ü\n\uD83D\uDE00");
        JsonText.parse("[".repeat(1_000) + "]".repeat(1_000));
        assertThatThrownBy(() -> JsonText.parse("[".repeat(1_002) + "]".repeat(1_002)))
                .hasMessageContaining("at most 1000 levels");
    }

    @Test
    void anEventOfATestAnswersAsARealOneDoes() {
        TestEvent event =
                TestEvent.of("x", 9, "{\"a\":{\"b\":3},\"a.c\":true,\"n\":null,\"o\":[1]}");
        assertThat(event.field("a.b")).contains("3");
        assertThat(event.field("a.c")).contains("true");
        assertThat(event.field("o")).contains("[1]");
        assertThat(event.field("a")).contains("{\"b\":3}");
        assertThat(event.field("n")).isEmpty();
        assertThat(event.field("z.z")).isEmpty();
        assertThatThrownBy(() -> TestEvent.of("x", 9, "[]")).hasMessageContaining("JSON object");
    }
}
