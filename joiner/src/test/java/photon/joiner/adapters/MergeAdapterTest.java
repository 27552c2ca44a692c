package photon.joiner.adapters;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.protobuf.ByteString;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import photon.proto.v1.Event;

class MergeAdapterTest {
    private final MergeAdapter merge = new MergeAdapter();

    @Test
    void itWritesExactlyTheseBytes() {
        assertThat(join(foreign("j1:2:7", "j1", "{\"a\":\"1\",  \"b\":2}"), primary("{\"p\":[]}")))
                .isEqualTo(
                        "{\"id\": \"j1:2:7\", \"primaryId\": \"j1\", \"timestampMicros\": 7,"
                                + " \"foreign\": {\"a\":\"1\",  \"b\":2}, \"primary\":"
                                + " {\"p\":[]}}");
    }

    @Test
    void idTextsAreEscapedAsJsonAsksFor() throws IOException {
        String nasty = "q\" b\\ n\n t\t r\r f\f b\b \u0001 \u001f \u007f ü 漢 \uD83D\uDE00 \u2028 /";
        String line = join(foreign(nasty, nasty, "{}"), primary("{}"));
        assertThat(line)
                .startsWith(
                        "{\"id\": \"q\\\" b\\\\ n\\n t\\t r\\r f\\f b\\b \\u0001 \\u001f \u007f ü");
        JsonNode read = new ObjectMapper().readTree(line);
        assertThat(read.get("id").asText()).isEqualTo(nasty);
        assertThat(read.get("primaryId").asText()).isEqualTo(nasty);
    }

    @Test
    void anEventWithoutFieldsHasNoFields() {
        assertThat(join(foreign("a", "b", ""), primary("")))
                .endsWith("\"foreign\": {}, \"primary\": {}}");
    }

    @Test
    void fieldsLargerThanItsBufferGoThroughWhole() {
        String large = "{\"x\":\"" + "y".repeat(100_000) + "\"}";
        assertThat(join(foreign("a", "b", large), primary(large)))
                .contains("\"foreign\": " + large + ", \"primary\": " + large + "}");
    }

    private String join(Event foreign, Event primary) {
        AdapterDecision decision = merge.join(foreign, 7, primary, 1);
        return ((AdapterDecision.Emit) decision).events().get(0).bytes().toStringUtf8();
    }

    private static Event foreign(String id, String primaryId, String json) {
        return Event.newBuilder()
                .setIdText(id)
                .setPrimaryIdText(primaryId)
                .setJson(ByteString.copyFromUtf8(json))
                .build();
    }

    private static Event primary(String json) {
        return Event.newBuilder().setJson(ByteString.copyFromUtf8(json)).build();
    }
}
