package photon.storage.output.format;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.google.protobuf.ByteString;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.avro.LogicalType;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.jspecify.annotations.Nullable;
import photon.core.config.OutputConfig.Field;
import photon.core.config.OutputConfig.FieldType;

/** Turns joined events, which are JSON objects, into rows of declared columns. Thread-safe. */
final class JoinedRows {
    /** A decimal of a column of JSON stays as it is written: it may be an amount. */
    private static final ObjectMapper JSON =
            JsonMapper.builder()
                    .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
                    .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
                    .build();

    private final Schema schema;
    private final Place root = new Place();

    /** A place in an event: what columns take from it, and from below it. */
    private static final class Place {
        private final Map<String, Place> inside = new HashMap<>();
        private final Map<Integer, Column> columns = new TreeMap<>(); // by their index
        private boolean whole; // a column takes it as JSON text
    }

    JoinedRows(List<Field> fields) {
        for (int i = 0; i < fields.size(); i++) {
            Place place = root;
            for (String step : fields.get(i).from().split("\\.", -1)) {
                place = place.inside.computeIfAbsent(step, name -> new Place());
            }
            place.columns.put(i, new Column(fields.get(i)));
            place.whole |= fields.get(i).type() == FieldType.JSON;
        }
        this.schema =
                Schema.createRecord(
                        "Joined",
                        null,
                        "photon",
                        false,
                        fields.stream().map(JoinedRows::schemaField).toList());
    }

    Schema schema() {
        return schema;
    }

    private static Schema.Field schemaField(Field field) {
        Schema type =
                switch (field.type()) {
                    case STRING, JSON -> Schema.create(Schema.Type.STRING);
                    case LONG -> Schema.create(Schema.Type.LONG);
                    case DOUBLE -> Schema.create(Schema.Type.DOUBLE);
                    case BOOLEAN -> Schema.create(Schema.Type.BOOLEAN);
                    case TIMESTAMP_MICROS -> time(LogicalTypes.timestampMicros());
                    case TIMESTAMP_MILLIS -> time(LogicalTypes.timestampMillis());
                };
        Schema nullable = Schema.createUnion(Schema.create(Schema.Type.NULL), type);
        return new Schema.Field(field.name(), nullable, null, Schema.Field.NULL_DEFAULT_VALUE);
    }

    private static Schema time(LogicalType type) {
        return type.addToSchema(Schema.create(Schema.Type.LONG));
    }

    /** Why this event is no row; null: it is one. */
    @Nullable String refusal(ByteString event) {
        try {
            row(event);
            return null;
        } catch (NoRowException e) {
            return e.getMessage();
        }
    }

    /**
     * Reads the event once, from its bytes: a tree of all of it would cost more than the rest of
     * its way to the file.
     *
     * @throws NoRowException names the column and the value
     */
    GenericRecord row(ByteString event) throws NoRowException {
        GenericRecord row = new GenericData.Record(schema);
        try (JsonParser parser = JSON.createParser(event.toByteArray())) {
            JsonToken first = parser.nextToken();
            if (first != JsonToken.START_OBJECT) {
                JsonNode node =
                        first == null
                                ? JSON.getNodeFactory().missingNode()
                                : parser.readValueAsTree();
                throw new NoRowException(
                        "Expected a JSON object, but got " + node.getNodeType().name());
            }
            object(parser, root, row);
        } catch (JsonProcessingException e) {
            throw new NoRowException("Expected a JSON object, but " + e.getOriginalMessage());
        } catch (IOException e) {
            // Of bytes that are taken for another encoding than UTF-8.
            throw new NoRowException("Expected a JSON object, but " + e.getMessage());
        }
        return row;
    }

    private static void object(JsonParser parser, Place place, GenericRecord row)
            throws IOException, NoRowException {
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            Place inside = place.inside.get(parser.currentName());
            JsonToken value = parser.nextToken();
            if (inside == null) {
                parser.skipChildren();
            } else if (inside.whole || (value.isStructStart() && !inside.columns.isEmpty())) {
                fromTree(parser.readValueAsTree(), inside, row);
            } else if (value == JsonToken.START_OBJECT) {
                object(parser, inside, row);
            } else {
                scalar(parser, value, inside, row);
                parser.skipChildren();
            }
        }
    }

    private static void scalar(JsonParser parser, JsonToken value, Place place, GenericRecord row)
            throws IOException, NoRowException {
        if (place.columns.isEmpty() || value == JsonToken.VALUE_NULL) {
            return;
        }
        String text = parser.getText();
        boolean number = value.isNumeric();
        for (Map.Entry<Integer, Column> column : place.columns.entrySet()) {
            row.put(column.getKey(), column.getValue().value(text, number, value));
        }
    }

    private static void fromTree(JsonNode node, Place place, GenericRecord row)
            throws NoRowException {
        for (Map.Entry<Integer, Column> column : place.columns.entrySet()) {
            if (!node.isNull()) {
                row.put(column.getKey(), column.getValue().value(node));
            }
        }
        for (Map.Entry<String, Place> inside : place.inside.entrySet()) {
            JsonNode value = node.path(inside.getKey());
            if (!value.isMissingNode()) {
                fromTree(value, inside.getValue(), row);
            }
        }
    }

    /** An event that the columns do not take. */
    static final class NoRowException extends Exception {
        private static final long serialVersionUID = 1;

        NoRowException(String message) {
            super(message);
        }
    }

    private record Column(Field field) {
        private static final int SHOWN_MAX = 100;

        Object value(JsonNode node) throws NoRowException {
            if (field.type() == FieldType.JSON) {
                return node.toString();
            }
            if (!node.isValueNode()) {
                String expected =
                        switch (field.type()) {
                            case STRING, JSON -> "a text (or type json)";
                            case LONG, TIMESTAMP_MICROS, TIMESTAMP_MILLIS -> "a whole number";
                            case DOUBLE -> "a number";
                            case BOOLEAN -> "true or false";
                        };
                throw wrong(expected, node.toString());
            }
            return value(node.asText(), node.isNumber(), node.asToken());
        }

        /**
         * @param text of a text what it says, of another value how it is written
         */
        Object value(String text, boolean number, JsonToken token) throws NoRowException {
            boolean isText = token == JsonToken.VALUE_STRING;
            return switch (field.type()) {
                case STRING, JSON -> text;
                case LONG, TIMESTAMP_MICROS, TIMESTAMP_MILLIS ->
                        whole(text, isText || token == JsonToken.VALUE_NUMBER_INT, isText);
                case DOUBLE -> number(text, isText || number, isText);
                case BOOLEAN -> truth(text, isText || token.isBoolean(), isText);
            };
        }

        private long whole(String text, boolean may, boolean isText) throws NoRowException {
            if (may) {
                try {
                    return Long.parseLong(text);
                } catch (NumberFormatException e) {
                    // falls through to the one message
                }
            }
            throw wrong("a whole number", shown(text, isText));
        }

        private double number(String text, boolean may, boolean isText) throws NoRowException {
            if (may) {
                try {
                    return Double.parseDouble(text);
                } catch (NumberFormatException e) {
                    // falls through to the one message
                }
            }
            throw wrong("a number", shown(text, isText));
        }

        private boolean truth(String text, boolean may, boolean isText) throws NoRowException {
            if (may && (text.equals("true") || text.equals("false"))) {
                return text.equals("true");
            }
            throw wrong("true or false", shown(text, isText));
        }

        private static String shown(String text, boolean isText) {
            return isText ? JSON.getNodeFactory().textNode(text).toString() : text;
        }

        private NoRowException wrong(String expected, String value) {
            return new NoRowException(
                    "Expected %s in %s for the output's column '%s', but got %s"
                            .formatted(
                                    expected,
                                    field.from(),
                                    field.name(),
                                    value.length() <= SHOWN_MAX
                                            ? value
                                            : value.substring(0, SHOWN_MAX) + "..."));
        }
    }
}
