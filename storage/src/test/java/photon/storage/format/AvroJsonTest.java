package photon.storage.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.avro.Conversions;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.io.EncoderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import photon.storage.avro.AvroCursor;
import photon.storage.avro.AvroDatum;
import photon.storage.avro.AvroFormatException;
import photon.storage.avro.AvroSink;

/** What becomes of Avro's values, as the library writes them. */
class AvroJsonTest {
    private static byte[] encode(Schema schema, Object value) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        var encoder = EncoderFactory.get().binaryEncoder(bytes, null);
        new GenericDatumWriter<>(schema).write(value, encoder);
        encoder.flush();
        return bytes.toByteArray();
    }

    private static String json(Schema schema, byte[] bytes) throws AvroFormatException {
        AvroDatum datum = new AvroDatum(schema);
        AvroJson json = new AvroJson();
        AvroCursor cursor = new AvroCursor(bytes, 0, bytes.length);
        datum.walk(cursor, json);
        assertThat(cursor.at()).isEqualTo(bytes.length);
        AvroCursor skipped = new AvroCursor(bytes, 0, bytes.length);
        datum.walk(skipped, AvroSink.NONE);
        assertThat(skipped.at()).isEqualTo(bytes.length);
        return json.take().toStringUtf8();
    }

    private static String json(String schema, Object value)
            throws IOException, AvroFormatException {
        Schema parsed = new Schema.Parser().parse(schema);
        return json(parsed, encode(parsed, value));
    }

    @Test
    void everyTypeHasItsJson() throws IOException, AvroFormatException {
        assertThat(json(Schema.create(Schema.Type.NULL), new byte[0])).isEqualTo("null");
        assertThat(json("\"boolean\"", true)).isEqualTo("true");
        assertThat(json("\"int\"", -7)).isEqualTo("-7");
        assertThat(json("\"long\"", Long.MIN_VALUE)).isEqualTo("-9223372036854775808");
        assertThat(json("\"string\"", "a\"\n\u00fc")).isEqualTo("\"a\\\"\\u000a\u00fc\"");
        assertThat(json("\"bytes\"", ByteBuffer.wrap(new byte[] {65, -1})))
                .isEqualTo("\"A\u00ff\"");
        assertThat(json("[\"null\", \"long\"]", 5L)).isEqualTo("5");
        assertThat(json("{\"type\": \"array\", \"items\": \"int\"}", List.of(1, 2)))
                .isEqualTo("[1,2]");
        assertThat(json("{\"type\": \"array\", \"items\": \"int\"}", List.of())).isEqualTo("[]");
        assertThat(json("{\"type\": \"map\", \"values\": \"int\"}", Map.of("k", 1)))
                .isEqualTo("{\"k\":1}");
        Schema letter = Schema.createEnum("Letter", null, null, List.of("A", "B"));
        assertThat(json(letter, encode(letter, new GenericData.EnumSymbol(letter, "B"))))
                .isEqualTo("\"B\"");
    }

    @Test
    void recordsNest() throws IOException, AvroFormatException {
        Schema inner =
                Schema.createRecord(
                        "Inner",
                        null,
                        null,
                        false,
                        List.of(
                                new Schema.Field("a", Schema.create(Schema.Type.LONG)),
                                new Schema.Field("b", Schema.create(Schema.Type.STRING))));
        Schema outer =
                Schema.createRecord(
                        "Outer",
                        null,
                        null,
                        false,
                        List.of(
                                new Schema.Field("list", Schema.createArray(inner)),
                                new Schema.Field("last", Schema.create(Schema.Type.BOOLEAN))));
        GenericData.Record value = new GenericData.Record(outer);
        GenericData.Record element = new GenericData.Record(inner);
        element.put("a", 1L);
        element.put("b", "x");
        value.put("list", List.of(element, element));
        value.put("last", false);
        assertThat(json(outer, encode(outer, value)))
                .isEqualTo(
                        "{\"list\":[{\"a\":1,\"b\":\"x\"},{\"a\":1,\"b\":\"x\"}],\"last\":false}");
    }

    @Test
    void logicalTypesThatHaveATextHaveIt() throws IOException, AvroFormatException {
        Schema decimal = LogicalTypes.decimal(9, 2).addToSchema(Schema.create(Schema.Type.BYTES));
        ByteBuffer bytes =
                new Conversions.DecimalConversion()
                        .toBytes(new BigDecimal("-12.30"), decimal, decimal.getLogicalType());
        assertThat(json(decimal, encode(decimal, bytes))).isEqualTo("-12.30");
        Schema time = LogicalTypes.timestampMillis().addToSchema(Schema.create(Schema.Type.LONG));
        assertThat(json(time, encode(time, 1_700_000_000_000L))).isEqualTo("1700000000000");
    }

    /** They may stand in an identity, so they may not depend on the version of Java. */
    @ParameterizedTest
    @CsvSource({
        "5, 5.0",
        "-0.0, -0.0",
        "1704103230.25, 1704103230.25",
        "0.1, 0.1",
        "2.0E-3, 0.002",
        "1.1E23, 1.1E+23",
        "4.9E-324, 4.94065645841247E-324",
        "1.7976931348623157E308, 1.7976931348623157E+308",
        "NaN, \"NaN\"",
        "Infinity, \"Infinity\""
    })
    void aDoubleHasOneText(double value, String text) throws IOException, AvroFormatException {
        assertThat(json("\"double\"", value)).isEqualTo(text);
    }

    @Test
    void aNumbersTextGivesItBack() throws IOException, AvroFormatException {
        Random random = new Random(7);
        for (int i = 0; i < 20_000; i++) {
            double wide = Double.longBitsToDouble(random.nextLong());
            float narrow = Float.intBitsToFloat(random.nextInt());
            if (Double.isFinite(wide)) {
                assertThat(Double.parseDouble(json("\"double\"", wide))).isEqualTo(wide);
            }
            if (Float.isFinite(narrow)) {
                assertThat(Float.parseFloat(json("\"float\"", narrow))).isEqualTo(narrow);
            }
        }
        assertThat(json("\"float\"", 0.1f)).isEqualTo("0.1");
    }

    /** A few bytes may ask for much. */
    @Test
    void whatHostileBytesAskForHasABound() throws IOException {
        Schema nulls = Schema.createArray(Schema.create(Schema.Type.NULL));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        var encoder = EncoderFactory.get().binaryEncoder(bytes, null);
        encoder.writeLong(1L << 40);
        encoder.flush();
        assertThatThrownBy(() -> json(nulls, bytes.toByteArray()))
                .isInstanceOf(AvroFormatException.class)
                .hasMessageContaining("elements");
        Schema text = Schema.create(Schema.Type.STRING);
        assertThatThrownBy(() -> json(text, new byte[] {20, 'a'}))
                .isInstanceOf(AvroFormatException.class)
                .hasMessageContaining("in the midst");
        assertThatThrownBy(() -> json(text, new byte[] {1}))
                .isInstanceOf(AvroFormatException.class)
                .hasMessageContaining("-1 bytes");
        Schema list = Schema.createRecord("L", null, null, false);
        list.setFields(
                List.of(
                        new Schema.Field(
                                "next",
                                Schema.createUnion(Schema.create(Schema.Type.NULL), list))));
        byte[] deep = new byte[100_000];
        java.util.Arrays.fill(deep, (byte) 2);
        assertThatThrownBy(() -> json(list, deep))
                .isInstanceOf(AvroFormatException.class)
                .hasMessageContaining("nested");
    }

    /** Forty records, each with two of the one before: more values than can be visited. */
    @Test
    @Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void valuesThatTakeNoBytesHaveABound() throws AvroFormatException {
        assertThat(json(doubling(3), new byte[0])).hasSize(8 * 2 + 7 * 11);
        AvroDatum many = new AvroDatum(doubling(40));
        AvroCursor cursor = new AvroCursor(new byte[0], 0, 0);
        assertThatThrownBy(() -> many.walk(cursor, AvroSink.NONE))
                .isInstanceOf(AvroFormatException.class)
                .hasMessage("it has more than 16777216 values, most of which take no bytes");
        AvroDatum datum = new AvroDatum(doubling(23));
        datum.walk(cursor, AvroSink.NONE);
        assertThatThrownBy(() -> datum.walk(cursor, AvroSink.NONE))
                .as("all values of a block count together")
                .isInstanceOf(AvroFormatException.class);
    }

    private static Schema doubling(int times) {
        String text = "{\"type\": \"record\", \"name\": \"R0\", \"fields\": []}";
        for (int i = 1; i <= times; i++) {
            text =
                    """
                    {"type": "record", "name": "R%d", "fields": [
                        {"name": "a", "type": %s}, {"name": "b", "type": "R%d"}]}
                    """
                            .formatted(i, text, i - 1);
        }
        return new Schema.Parser().parse(text);
    }

    /** A number of as many digits as bytes take 8 MiB would be written for minutes. */
    @Test
    void aDecimalOfManyBytesStaysBytes() throws IOException, AvroFormatException {
        Schema decimal = LogicalTypes.decimal(9, 0).addToSchema(Schema.create(Schema.Type.BYTES));
        byte[] ones = new byte[1_025];
        java.util.Arrays.fill(ones, (byte) 'A');
        ByteBuffer number = ByteBuffer.wrap(ones, 0, 1_024);
        assertThat(json(decimal, encode(decimal, number))).matches("[0-9]{2466}");
        assertThat(json(decimal, encode(decimal, ByteBuffer.wrap(ones))))
                .isEqualTo("\"" + "A".repeat(1_025) + "\"");
    }
}
