package photon.server.configtest.rules;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import photon.core.config.FormatConfig;
import photon.core.event.LogEvent;

/**
 * The fields of a record by dotted path, as a configuration names them, with their texts as they
 * stand in the source.
 */
public final class FlatRecord {
    private static final JsonFactory JSON = new JsonFactory();
    private static final int FIELDS_MAX = 500;

    private FlatRecord() {}

    /**
     * @param json one object. One that is cut off, or broken, has the fields before that place
     */
    public static Map<String, String> of(String json) {
        return of(json, false);
    }

    /** Of an event of these. In CSV a column is named as it is, with dots and all. */
    static Map<String, String> of(StreamSample sample, LogEvent event) {
        return of(
                event.json().toStringUtf8(), sample.stream().format() instanceof FormatConfig.Csv);
    }

    private static Map<String, String> of(String json, boolean flat) {
        Map<String, String> fields = new LinkedHashMap<>();
        try (JsonParser parser = JSON.createParser(json)) {
            if (parser.nextToken() == JsonToken.START_OBJECT) {
                read(parser, "", flat, fields);
            }
        } catch (IOException e) {
            // It is cut off here.
        }
        return fields;
    }

    private static void read(
            JsonParser parser, String prefix, boolean flat, Map<String, String> fields)
            throws IOException {
        while (parser.nextToken() == JsonToken.FIELD_NAME && fields.size() < FIELDS_MAX) {
            String name = parser.currentName();
            String path = prefix + name;
            JsonToken value = parser.nextToken();
            if (!flat && name.contains(".")) {
                parser.skipChildren(); // A configuration would find it below another key.
            } else if (value == JsonToken.START_OBJECT) {
                read(parser, path + ".", flat, fields);
            } else if (value == JsonToken.START_ARRAY) {
                parser.skipChildren();
            } else if (value != null) {
                fields.put(path, value == JsonToken.VALUE_NULL ? "" : parser.getText());
            }
        }
    }
}
