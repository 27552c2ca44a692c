package photon.storage.output.format;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.protobuf.ByteString;
import java.io.IOException;
import java.util.List;
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
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Schema schema;
    private final List<Column> columns;

    JoinedRows(List<Field> fields) {
        this.columns = fields.stream().map(Column::of).toList();
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
     * @throws NoRowException names the column and the value
     */
    GenericRecord row(ByteString event) throws NoRowException {
        JsonNode object;
        try (var bytes = event.newInput()) {
            object = JSON.readTree(bytes);
        } catch (JsonProcessingException e) {
            throw new NoRowException("Expected a JSON object, but " + e.getOriginalMessage());
        } catch (IOException e) {
            throw new IllegalStateException("Bytes in memory cannot fail to be read", e);
        }
        if (!object.isObject()) {
            throw new NoRowException(
                    "Expected a JSON object, but got " + object.getNodeType().name());
        }
        GenericRecord row = new GenericData.Record(schema);
        for (int i = 0; i < columns.size(); i++) {
            row.put(i, columns.get(i).value(object));
        }
        return row;
    }

    /** An event that the columns do not take. */
    static final class NoRowException extends Exception {
        private static final long serialVersionUID = 1;

        NoRowException(String message) {
            super(message);
        }
    }

    private record Column(String name, FieldType type, List<String> path) {
        private static final int SHOWN_MAX = 100;

        static Column of(Field field) {
            return new Column(field.name(), field.type(), List.of(field.from().split("\\.", -1)));
        }

        @Nullable Object value(JsonNode event) throws NoRowException {
            JsonNode value = event;
            for (String step : path) {
                value = value.path(step);
            }
            if (value.isMissingNode() || value.isNull()) {
                return null;
            }
            return switch (type) {
                case STRING -> text(value);
                case LONG, TIMESTAMP_MICROS, TIMESTAMP_MILLIS -> whole(value);
                case DOUBLE -> number(value);
                case BOOLEAN -> truth(value);
                case JSON -> value.toString();
            };
        }

        private String text(JsonNode value) throws NoRowException {
            if (!value.isValueNode()) {
                throw wrong("a text (or type json)", value);
            }
            return value.asText();
        }

        private long whole(JsonNode value) throws NoRowException {
            if (value.isIntegralNumber() && value.canConvertToLong()) {
                return value.longValue();
            }
            if (value.isTextual()) {
                try {
                    return Long.parseLong(value.textValue());
                } catch (NumberFormatException e) {
                    // falls through to the one message
                }
            }
            throw wrong("a whole number", value);
        }

        private double number(JsonNode value) throws NoRowException {
            if (value.isNumber()) {
                return value.doubleValue();
            }
            if (value.isTextual()) {
                try {
                    return Double.parseDouble(value.textValue());
                } catch (NumberFormatException e) {
                    // falls through to the one message
                }
            }
            throw wrong("a number", value);
        }

        private boolean truth(JsonNode value) throws NoRowException {
            if (value.isBoolean()) {
                return value.booleanValue();
            }
            if ("true".equals(value.asText()) || "false".equals(value.asText())) {
                return value.asText().equals("true");
            }
            throw wrong("true or false", value);
        }

        private NoRowException wrong(String expected, JsonNode value) {
            String shown = value.toString();
            return new NoRowException(
                    "Expected %s in %s for the output's column '%s', but got %s"
                            .formatted(
                                    expected,
                                    String.join(".", path),
                                    name,
                                    shown.length() <= SHOWN_MAX
                                            ? shown
                                            : shown.substring(0, SHOWN_MAX) + "..."));
        }
    }
}
