package photon.bench.flink;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import org.apache.flink.api.java.tuple.Tuple3;

/**
 * A record of either log, as far as a join needs it: the primary event's id, the foreign event's
 * id, which is empty in a primary record, and the line as it stands in the log.
 */
final class ClickRecord {
    private static final JsonFactory JSON = new JsonFactory();

    private ClickRecord() {}

    /**
     * Reads no further than to the ids.
     *
     * @param line a JSON object with {@code server}, {@code process} and {@code timestamp}, which
     *     are its id; in a foreign record {@code primary} holds the same of its primary event
     */
    static Tuple3<String, String, String> of(String line, boolean foreign) throws IOException {
        try (JsonParser parser = JSON.createParser(line)) {
            parser.nextToken();
            Id own = new Id();
            Id primary = new Id();
            while (!(own.isWhole() && (!foreign || primary.isWhole()))
                    && parser.nextToken() == JsonToken.FIELD_NAME) {
                if (foreign && parser.currentName().equals("primary")) {
                    parser.nextToken();
                    while (parser.nextToken() == JsonToken.FIELD_NAME) {
                        primary.take(parser);
                    }
                } else {
                    own.take(parser);
                }
            }
            if (!own.isWhole() || (foreign && !primary.isWhole())) {
                throw new IOException("Expected a record with its ids, but got: " + line);
            }
            return foreign
                    ? Tuple3.of(primary.text(), own.text(), line)
                    : Tuple3.of(own.text(), "", line);
        }
    }

    private static final class Id {
        private String server = "";
        private String process = "";
        private String timestamp = "";

        void take(JsonParser parser) throws IOException {
            String name = parser.currentName();
            parser.nextToken();
            switch (name) {
                case "server" -> server = parser.getText();
                case "process" -> process = parser.getText();
                case "timestamp" -> timestamp = parser.getText();
                default -> parser.skipChildren();
            }
        }

        boolean isWhole() {
            return !server.isEmpty() && !process.isEmpty() && !timestamp.isEmpty();
        }

        String text() {
            return server + ":" + process + ":" + timestamp;
        }
    }
}
