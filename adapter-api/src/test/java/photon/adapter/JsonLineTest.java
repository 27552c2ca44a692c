package photon.adapter;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import photon.adapter.testing.TestEvent;

class JsonLineTest {
    @Test
    void fieldsStandInTheOrderOfTheCalls() {
        byte[] line =
                new JsonLine()
                        .text("a", "x")
                        .number("n", -5)
                        .flag("f", true)
                        .json("o", "{\"b\":[1]}".getBytes(UTF_8))
                        .toBytes();
        assertThat(new String(line, UTF_8))
                .isEqualTo("{\"a\":\"x\",\"n\":-5,\"f\":true,\"o\":{\"b\":[1]}}");
        assertThat(new String(new JsonLine().toBytes(), UTF_8)).isEqualTo("{}");
    }

    @Test
    void everyCharacterComesBack() {
        StringBuilder all = new StringBuilder("Zürich 東京 \uD83D\uDE00");
        for (char c = 0; c < 0x80; c++) {
            all.append(c);
        }
        String line = new String(new JsonLine().text("a", all.toString()).toBytes(), UTF_8);
        assertThat(line).doesNotContain("\n");
        assertThat(TestEvent.of("x", 1, line).field("a")).contains(all.toString());
        assertThat(new String(new JsonLine().text("a", "\uD83D").toBytes(), UTF_8))
                .isEqualTo("{\"a\":\"?\"}");
    }
}
