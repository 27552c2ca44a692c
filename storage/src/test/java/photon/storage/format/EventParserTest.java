package photon.storage.format;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import photon.core.config.FormatConfig;
import photon.core.config.IdConfig;
import photon.core.config.StreamConfig;
import photon.core.config.TimestampConfig;
import photon.core.config.TimestampConfig.Unit;
import photon.core.error.ConfigException;
import photon.core.event.LogEvent;
import photon.core.id.EventId;
import photon.core.id.UserKey;
import photon.proto.v1.FramedRecord;

class EventParserTest {
    private static final FormatConfig CSV =
            new FormatConfig.Csv(false, ',', List.of("t", "id", "kind"), "#");
    private static final FormatConfig JSON = new FormatConfig.JsonLines();
    private static final IdConfig ID = new IdConfig.User(List.of("id"));

    @Test
    void aCsvRowBecomesAnEventWithAllItsColumns() {
        LogEvent event = event(parse(stream(CSV), "5,x,k,more,\"a \"\"q\"\", b\\\","));
        assertThat(event.id()).isEqualTo(EventId.ofUser(5, UserKey.of(List.of("x"))));
        assertThat(event.key().toByteArray()).isEqualTo(UserKey.of(List.of("x")).encoded());
        assertThat(event.idText()).isEqualTo("x");
        assertThat(event.primaryKey()).isEqualTo(ByteString.EMPTY);
        assertThat(event.json().toStringUtf8())
                .isEqualTo(
                        "{\"t\":\"5\",\"id\":\"x\",\"kind\":\"k\",\"column4\":\"more\","
                                + "\"column5\":\"a \\\"q\\\", b\\\\\",\"column6\":\"\"}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "5,x,k           | event",
                "5,x             | event",
                "5,\"x\",k       | event",
                "5,,k            | Expected id to be part of an id, but it is ''",
                "5               | Expected a value of the field id, but the record has none",
                "a,x,k           | Expected t to be a number of micros since 1970, but it is 'a'",
                "-5,x,k          | Expected t to be a number of micros since 1970, but it is '-5'",
                "99999999999999999999,x,k | Expected t to be a number of micros since 1970, but it is '99999999999999999999'",
                "5,\"x,k         | Expected the quote of field 2 to be closed in its line, but it is not",
                "5,\"x\"y,k      | Expected a separator after the closing quote of field 2, but there is none",
                "#5,x,k          | filtered",
            })
    void csvRows(String row, String expected) {
        assertThat(tell(parse(stream(CSV), row))).isEqualTo(expected);
    }

    @Test
    void malformedTextIsNoIdentityButMayStandElsewhere() {
        byte[] row = "5,x?,k".getBytes(UTF_8);
        row[3] = (byte) 0xFF;
        assertThat(tell(parse(stream(CSV), row)))
                .isEqualTo("Expected the field id to be UTF-8, but it is not");
        byte[] other = "5,x,k?é".getBytes(UTF_8);
        other[5] = (byte) 0xFF;
        assertThat(event(parse(stream(CSV), other)).json().toStringUtf8())
                .isEqualTo("{\"t\":\"5\",\"id\":\"x\",\"kind\":\"k\uFFFDé\"}");
    }

    @Test
    void controlCharactersAreEscapedAndTextKept() {
        assertThat(event(parse(stream(CSV), "5,zürich \t\u0001,k")).json().toStringUtf8())
                .isEqualTo("{\"t\":\"5\",\"id\":\"zürich \\u0009\\u0001\",\"kind\":\"k\"}");
    }

    @Test
    void aHeaderNamesTheColumnsOfItsFile() {
        FormatConfig csv = new FormatConfig.Csv(true, '\t', List.of(), "#");
        FileParser parser = EventParser.of(stream(csv)).forFile();
        assertThat(parser.needsHeader()).isTrue();
        assertThat(parse(parser, "# a comment")).isEqualTo(Parsed.FILTERED);
        assertThat(parse(parser, "id\tt")).isEqualTo(Parsed.FILTERED);
        assertThat(parser.needsHeader()).isFalse();
        assertThat(event(parse(parser, "x\t7")).id().micros()).isEqualTo(7);
    }

    @Test
    void aHeaderWithoutAColumnOfTheConfigMakesItsRowsBad() {
        FormatConfig csv = new FormatConfig.Csv(true, ',', List.of(), "");
        FileParser parser = EventParser.of(stream(csv)).forFile();
        parse(parser, "t,other");
        assertThat(tell(parse(parser, "1,2")))
                .isEqualTo("Expected a column 'id' in the header, but it has [t, other]");
    }

    /** As spreadsheets and data frames write them. */
    @Test
    void aColumnThatAHeaderGivesNoNameOfItsOwnIsCalledByItsPosition() {
        FormatConfig csv = new FormatConfig.Csv(true, ',', List.of(), "");
        FileParser parser = EventParser.of(stream(csv)).forFile();
        parse(parser, ",id,t,kind,kind,,");
        assertThat(event(parse(parser, "0,x,7,k,l,,")).json().toStringUtf8())
                .isEqualTo(
                        "{\"column1\":\"0\",\"id\":\"x\",\"t\":\"7\",\"kind\":\"k\",\"column5\":\"l\",\"column6\":\"\",\"column7\":\"\"}");
        for (String unclear : List.of("id,t,id", "id,t,,column3", "column2,,id,t")) {
            FileParser refuses = EventParser.of(stream(csv)).forFile();
            parse(refuses, unclear);
            assertThat(tell(parse(refuses, "1,2,3,4"))).contains("is there twice");
        }
    }

    @Test
    void aCarriageReturnBeforeTheLineFeedIsNoPartOfARow() {
        assertThat(event(parse(stream(CSV), "5,x,k\r")).json().toStringUtf8())
                .isEqualTo("{\"t\":\"5\",\"id\":\"x\",\"kind\":\"k\"}");
    }

    @Test
    void anyCharacterMaySeparate() {
        FormatConfig csv = new FormatConfig.Csv(false, '¦', List.of("t", "id"), "");
        assertThat(event(parse(stream(csv), "5¦x")).idText()).isEqualTo("x");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{\"id\":\"x\",\"t\":5}                | x",
                "{\"id\":1.50,\"t\":5}                 | 1.50",
                "{\"id\":1e3,\"t\":\"5\"}              | 1e3",
                "{\"id\":true,\"t\":5}                 | true",
                "{\"id\":null,\"t\":5}                 | Expected a value of the field id, but the record has none",
                "{\"id\":{\"a\":1},\"t\":5}            | Expected a value of the field id, but the record has none",
                "{\"id\":[1],\"t\":5}                  | Expected a value of the field id, but the record has none",
                "{\"t\":5}                             | Expected a value of the field id, but the record has none",
                "{\"id\":\"x\",\"id\":\"y\",\"t\":5}   | Expected the field id once, but it is there twice",
                "{\"a\":{\"id\":1},\"id\":\"x\",\"a\":2,\"t\":5} | x",
                "{\"id\":\"\\ud83d\\ude00\",\"t\":5}      | 😀",
                "{\"id\":\"\\ud83d\",\"t\":5}           | Expected the field id to be text, but it has half of a surrogate pair",
                "[1]                                   | Expected a JSON object, but the record is none",
                "{\"id\":\"x\",\"t\":5} {}             | Expected one JSON object, but more follows it",
            })
    void jsonLines(String line, String expected) {
        Parsed parsed = parse(stream(JSON), line);
        assertThat(parsed instanceof Parsed.Event event ? event.event().idText() : tell(parsed))
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"id\":\"x\",\"t\":5", "nonsense", "{\"id\":x}", "\"id\""})
    void brokenJsonIsABadRecord(String line) {
        assertThat(parse(stream(JSON), line)).isInstanceOf(Parsed.Bad.class);
    }

    @Test
    void jsonThatIsNoUtf8IsABadRecord() {
        String line = "{\"id\":\"x\",\"t\":5}";
        for (byte[] malformed :
                new byte[][] {
                    {(byte) 0xC0, (byte) 0xB1}, // an overlong '1'
                    {(byte) 0xED, (byte) 0xA0, (byte) 0x80}, // half of a surrogate pair
                    {(byte) 0xF5, (byte) 0x80, (byte) 0x80, (byte) 0x80} // above U+10FFFF
                }) {
            String marked = line.replace("x", new String(malformed, ISO_8859_1));
            assertThat(tell(parse(stream(JSON), marked.getBytes(ISO_8859_1))))
                    .isEqualTo("Expected a JSON object in UTF-8, but it is not");
        }
        assertThat(parse(stream(JSON), line.getBytes(UTF_16LE))).isInstanceOf(Parsed.Bad.class);
        assertThat(parse(stream(JSON), line.getBytes(UTF_16BE))).isInstanceOf(Parsed.Bad.class);
        assertThat(parse(stream(JSON), "\uFEFF" + line)).isInstanceOf(Parsed.Bad.class);
    }

    @Test
    void aFieldOnThePathOfAnIdMayStandOnceOnly() {
        StreamConfig stream = stream(JSON, new IdConfig.User(List.of("a.id")), "t", Unit.MICROS);
        for (String twice :
                List.of(
                        "{\"a\":{\"id\":1},\"t\":5,\"a\":2}",
                        "{\"a\":{\"id\":1},\"t\":5,\"a\":{}}",
                        "{\"a\":2,\"t\":5,\"a\":{\"id\":1}}")) {
            assertThat(tell(parse(stream, twice)))
                    .isEqualTo("Expected the field a once, but it is there twice");
        }
    }

    @Test
    void whatIsFilteredOutIsNotJudged() {
        StreamConfig stream =
                stream(
                        JSON,
                        ID,
                        Optional.of(new TimestampConfig.Numeric("t", Unit.MICROS)),
                        null,
                        Map.of("kind", List.of("click")),
                        Map.of());
        String twice = "{\"kind\":\"%s\",\"id\":1,\"id\":2,\"t\":5}";
        assertThat(tell(parse(stream, twice.formatted("view")))).isEqualTo("filtered");
        assertThat(tell(parse(stream, twice.formatted("click")))).contains("there twice");
    }

    @Test
    void aHeaderThatIsNoRowMakesItsRowsBad() {
        FormatConfig csv = new FormatConfig.Csv(true, ',', List.of(), "");
        FileParser parser = EventParser.of(stream(csv)).forFile();
        for (String row : List.of("id,t,\"other", "x,5,k")) {
            assertThat(tell(parse(parser, row)))
                    .isEqualTo(
                            "Expected a header, but it is broken: Expected the quote of field 3 to be closed in its line, but it is not");
        }
    }

    @Test
    void anEventThatNoMessageCouldCarryIsABadRecord() {
        byte[] row = ("5,x," + "\u0001".repeat(4 << 20)).getBytes(UTF_8);
        assertThat(tell(parse(stream(CSV), row))).startsWith("Expected an event of at most ");
    }

    @Test
    void jsonInAFrameBecomesOneLine() {
        StreamConfig stream = framed(new IdConfig.Native());
        EventId id = new EventId(5, 1, 2, 3);
        byte[] frame = frame(id, id, "{\n  \"a\": \"b\\n\"\r\n}\n");
        assertThat(event(parse(stream, frame)).json().toStringUtf8())
                .isEqualTo("{   \"a\": \"b\\n\"\r } ");
    }

    @Test
    void jsonKeepsItsBytesAndNestedFieldsAreFound() {
        StreamConfig stream =
                stream(JSON, new IdConfig.User(List.of("a.b", "a.c.d")), "when.t", Unit.SECONDS);
        String line =
                "{\"when\": {\"t\":1.5}, \"x\":[{\"a\":1}], \"a\":{\"b\":\"p\",\"c\":{\"d\":2}} }";
        LogEvent event = event(parse(stream, "  " + line + " \r"));
        assertThat(event.json().toStringUtf8()).isEqualTo(line);
        assertThat(event.idText()).isEqualTo("p:2");
        assertThat(event.id()).isEqualTo(EventId.ofUser(1_500_000, UserKey.of(List.of("p", "2"))));
    }

    @ParameterizedTest
    @CsvSource({
        "SECONDS, 1.9999999,        1999999",
        "SECONDS, 1331923247,       1331923247000000",
        "SECONDS, 0.0000019,        1",
        "SECONDS, 0.0000009,        bad",
        "SECONDS, 0,                0",
        "SECONDS, 0e-400,           0",
        "SECONDS, 1e-400,           bad",
        "SECONDS, 1.5e3,            1500000000",
        "SECONDS, 1e-999999999,     bad",
        "SECONDS, 1e999999999,      bad",
        "SECONDS, 1e2147483647,     bad",
        "SECONDS, -0.0000001,       bad",
        "SECONDS, 9223372036854.775807, 9223372036854775807",
        "SECONDS, 9223372036854.775808, bad",
        "SECONDS, NaN,              bad",
        "SECONDS, 0x10,             bad",
        "SECONDS, '\u0661\u0662',   bad",
        "MILLIS,  1500,             1500000",
        "MILLIS,  1500.0009,        1500000",
        "MICROS,  9223372036854775807, 9223372036854775807",
        "MICROS,  9223372036854775808, bad",
        "MICROS,  12.7,             12",
        "MICROS,  '',               bad",
    })
    void numericTimestamps(Unit unit, String text, String expected) {
        Parsed parsed = parse(stream(CSV, ID, "t", unit), text + ",x,k");
        assertThat(
                        parsed instanceof Parsed.Event event
                                ? String.valueOf(event.event().id().micros())
                                : "bad")
                .isEqualTo(expected);
    }

    /** Whoever reads a record decides alike, today and in ten years: no clock is asked. */
    @ParameterizedTest
    @CsvSource({
        "MICROS,  946684800000000, event",
        "MICROS,  946684799999999, 'Expected t to be a time from 2000 on (or timestamp.plausible: any), but it is ''946684799999999'''",
        "MILLIS,  1760000000,      'Expected t to be a time from 2000 on (or timestamp.plausible: any), but it is ''1760000000'''",
        "SECONDS, 9223372036854.7, event",
    })
    void whatIsDatedBefore2000IsABadRecordUnlessAnyDateIsRight(
            Unit unit, String text, String expected) {
        StreamConfig plausible =
                stream(
                        CSV,
                        ID,
                        Optional.of(
                                new TimestampConfig.Numeric(
                                        "t", unit, TimestampConfig.Dates.PLAUSIBLE)),
                        null,
                        Map.of(),
                        Map.of());
        assertThat(tell(parse(plausible, text + ",x,k"))).isEqualTo(expected);
        assertThat(tell(parse(plausible.ofAnyDate(), text + ",x,k"))).isEqualTo("event");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "yyyy-MM-dd HH:mm:ss        | 2012-03-16 18:40:47       | 1331923247000000",
                "uuuu-MM-dd HH:mm:ss.SSSSSS | 2012-03-16 18:40:47.123456| 1331923247123456",
                "dd/MMM/yyyy:HH:mm:ss Z     | 16/Mar/2012:19:40:47 +0100| 1331923247000000",
                "yyyy-MM-dd'T'HH:mm:ssXXX   | 2012-03-16T18:40:47Z      | 1331923247000000",
                "yyyy-MM-dd                 | 1970-01-02                | 86400000000",
                "yyyy-MM-dd                 | 2012-02-30                | bad",
                "yyyy-MM-dd                 | 1969-12-31                | bad",
                "yyyy-MM-dd                 | yesterday                 | bad",
            })
    void timestampsByPattern(String pattern, String text, String expected) {
        StreamConfig stream =
                stream(
                        CSV,
                        ID,
                        Optional.of(new TimestampConfig.Pattern("t", pattern, ZoneId.of("UTC"))),
                        null,
                        Map.of(),
                        Map.of());
        Parsed parsed = parse(stream, text + ",x,k");
        assertThat(
                        parsed instanceof Parsed.Event event
                                ? String.valueOf(event.event().id().micros())
                                : "bad")
                .isEqualTo(expected);
    }

    @Test
    void everyWhereMustMatchAndNoWhereNot() {
        StreamConfig stream =
                stream(
                        CSV,
                        ID,
                        Optional.of(new TimestampConfig.Numeric("t", Unit.MICROS)),
                        null,
                        Map.of("kind", List.of("a", "b"), "t", List.of("1", "2")),
                        Map.of("id", List.of("bot")));
        assertThat(tell(parse(stream, "1,x,a"))).isEqualTo("event");
        assertThat(tell(parse(stream, "3,x,a"))).isEqualTo("filtered");
        assertThat(tell(parse(stream, "1,x,c"))).isEqualTo("filtered");
        assertThat(tell(parse(stream, "1,bot,a"))).isEqualTo("filtered");
        assertThat(tell(parse(stream, "1,x"))).as("no value matches nothing").isEqualTo("filtered");
    }

    @Test
    void aForeignEventCarriesItsPrimaryKey() {
        StreamConfig stream =
                stream(
                        CSV,
                        new IdConfig.User(List.of("id", "kind", "t")),
                        Optional.of(new TimestampConfig.Numeric("t", Unit.MICROS)),
                        ID,
                        Map.of(),
                        Map.of());
        LogEvent event = event(parse(stream, "5,x,k"));
        assertThat(event.idText()).isEqualTo("x:k:5");
        assertThat(event.primaryIdText()).isEqualTo("x");
        assertThat(event.primaryKey().toByteArray()).isEqualTo(UserKey.of(List.of("x")).encoded());
    }

    @Test
    void nativeIdsComeFromFrames() {
        EventId id = new EventId(5, 0, 0xFFFF_0A00_0001L, 7);
        EventId primary = new EventId(3, 1, 2, 0);
        StreamConfig stream = framed(new IdConfig.Native());
        LogEvent event = event(parse(stream, frame(id, primary, "")));
        assertThat(event.id()).isEqualTo(id);
        assertThat(event.key().toByteArray()).isEqualTo(id.toBytes());
        assertThat(event.primaryKey().toByteArray()).isEqualTo(primary.toBytes());
        assertThat(event.json().toStringUtf8()).isEqualTo("{}");
        assertThat(tell(parse(stream, frame(new EventId(5, 1, 2, -1), primary, "{}"))))
                .contains("process other than 4294967294 and 4294967295");
        assertThat(tell(parse(stream, frame(id.upgrade(), primary, "{}"))))
                .contains("process other than 4294967294 and 4294967295");
        assertThat(tell(parse(stream, frame(id, null, "{}")))).contains("primary_id");
        assertThat(tell(parse(stream, frame(id, primary, "{")))).contains("JSON");
        assertThat(tell(parse(stream, new byte[] {1, 2, 3}))).contains("FramedRecord");
        assertThat(tell(parse(stream, new byte[0]))).contains("28 bytes");
        byte[] before1970 = id.toBytes();
        before1970[0] = (byte) 0x80;
        assertThat(
                        tell(
                                parse(
                                        stream,
                                        FramedRecord.newBuilder()
                                                .setId(ByteString.copyFrom(before1970))
                                                .build()
                                                .toByteArray())))
                .contains("since 1970");
    }

    @Test
    void aJoinedEventInAFrameKeepsTheIdThatItsPipelineMadeOfFields() {
        EventId id = EventId.ofUser(5, UserKey.of(List.of("c-1")));
        EventId primary = EventId.ofUser(3, UserKey.of(List.of("i-1")));
        StreamConfig stream = framed(new IdConfig.Native());
        FramedRecord joined =
                FramedRecord.newBuilder()
                        .setId(ByteString.copyFrom(id.toBytes()))
                        .setPrimaryId(ByteString.copyFrom(primary.toBytes()))
                        .setJson(ByteString.copyFromUtf8("{\"id\":\"c-1\"}"))
                        .setToken(ByteString.copyFrom(new byte[16]))
                        .build();
        LogEvent event = event(parse(stream, joined.toByteArray()));
        assertThat(event.id()).isEqualTo(id);
        assertThat(event.primaryKey().toByteArray()).isEqualTo(primary.toBytes());
        byte[] second = joined.toBuilder().setOrdinal(1).build().toByteArray();
        assertThat(tell(parse(stream, second)))
                .contains("number 2 of " + id)
                .contains("id: {from: [...]}");
    }

    /** Else it would be taken for the upgrade of an event of this stream. */
    @Test
    void anUpgradeInTheOutputOfAnotherPipelineIsAnEventLikeAnyOther() {
        EventId key = EventId.ofUser(5, UserKey.of(List.of("c-1"))).upgrade();
        EventId primary = EventId.ofUser(3, UserKey.of(List.of("i-1"))).upgrade();
        FramedRecord joined =
                FramedRecord.newBuilder()
                        .setId(ByteString.copyFrom(key.toBytes()))
                        .setPrimaryId(ByteString.copyFrom(primary.toBytes()))
                        .setJson(ByteString.copyFromUtf8("{}"))
                        .setToken(ByteString.copyFrom(new byte[16]))
                        .build();
        LogEvent event = event(parse(framed(new IdConfig.Native()), joined.toByteArray()));
        assertThat(event.id().isUpgrade()).isFalse();
        assertThat(event.id().upgrade()).isNotEqualTo(key);
        assertThat(event.id().micros()).isEqualTo(5);
        assertThat(EventId.read(event.primaryKey()).isUpgrade()).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "10.0.0.1 | 7          | 5  | 5/10.0.0.1/7",
                "::ffff:10.0.0.1 | 7   | 5  | 5/10.0.0.1/7",
                "fe80::1  | 4294967293 | 5  | 5/fe80:0:0:0:0:0:0:1/4294967293",
                "fe80::1  | 4294967295 | 5  | bad",
                "fe80::1  | 4294967294 | 5  | bad",
                "localhost | 7         | 5  | bad",
                "fe80::1%eth0 | 7      | 5  | bad",
                "10.0.0.1 | -1         | 5  | bad",
                "10.0.0.1 | 7          | -5 | bad",
                "10.0.0.1 | 7          | 5.5 | bad",
            })
    void nativeIdsComeFromFields(String server, String process, String t, String expected) {
        StreamConfig stream =
                stream(
                        CSV,
                        new IdConfig.NativeFields("id", "kind", "t"),
                        Optional.empty(),
                        null,
                        Map.of(),
                        Map.of());
        Parsed parsed = parse(stream, t + "," + server + "," + process);
        assertThat(parsed instanceof Parsed.Event event ? idText(event.event()) : "bad")
                .isEqualTo(expected);
    }

    private static String idText(LogEvent event) {
        return event.id().toString().replace("0:0:0:0:0:ffff:a00:1", "10.0.0.1");
    }

    @Test
    void settingsThatDoNotFitAreRefusedByName() {
        assertRefused(
                stream(
                        new FormatConfig.Csv(false, ',', List.of("a", "id"), ""),
                        ID,
                        "t",
                        Unit.MICROS),
                "'t'");
        assertRefused(
                stream(new FormatConfig.Csv(false, ',', List.of("t", "id", "id"), "")), "'id'");
        assertRefused(
                stream(new FormatConfig.Csv(false, '"', List.of("t", "id"), "")), "separator");
        assertRefused(stream(CSV, ID, Optional.empty(), null, Map.of(), Map.of()), "timestamp");
        assertRefused(
                stream(CSV, new IdConfig.Native(), Optional.empty(), null, Map.of(), Map.of()),
                "framed");
        assertRefused(
                stream(
                        CSV,
                        ID,
                        Optional.of(new TimestampConfig.Pattern("t", "bogus", ZoneId.of("UTC"))),
                        null,
                        Map.of(),
                        Map.of()),
                "bogus");
    }

    @Test
    void aFurtherColumnMayBeNamedByItsPlace() {
        FormatConfig csv = new FormatConfig.Csv(false, ',', List.of("t"), "");
        StreamConfig stream = stream(csv, new IdConfig.User(List.of("column3")), "t", Unit.MICROS);
        assertThat(event(parse(stream, "5,a,b")).idText()).isEqualTo("b");
    }

    private static void assertRefused(StreamConfig stream, String names) {
        assertThatThrownBy(() -> EventParser.of(stream))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(names);
    }

    private static StreamConfig framed(IdConfig id) {
        return stream(
                new FormatConfig.Framed(),
                id,
                Optional.empty(),
                new IdConfig.Native(),
                Map.of(),
                Map.of());
    }

    private static byte[] frame(EventId id, @Nullable EventId primary, String json) {
        FramedRecord.Builder record =
                FramedRecord.newBuilder()
                        .setId(ByteString.copyFrom(id.toBytes()))
                        .setJson(ByteString.copyFromUtf8(json));
        if (primary != null) {
            record.setPrimaryId(ByteString.copyFrom(primary.toBytes()));
        }
        return record.build().toByteArray();
    }

    private static StreamConfig stream(FormatConfig format) {
        return stream(format, ID, "t", Unit.MICROS);
    }

    private static StreamConfig stream(FormatConfig format, IdConfig id, String field, Unit unit) {
        return stream(
                format,
                id,
                Optional.of(new TimestampConfig.Numeric(field, unit)),
                null,
                Map.of(),
                Map.of());
    }

    private static StreamConfig stream(
            FormatConfig format,
            IdConfig id,
            Optional<TimestampConfig> timestamp,
            @Nullable IdConfig primaryId,
            Map<String, List<String>> where,
            Map<String, List<String>> whereNot) {
        return new StreamConfig(
                List.of("/none"),
                format,
                where,
                whereNot,
                id,
                timestamp,
                Optional.ofNullable(primaryId));
    }

    private static Parsed parse(StreamConfig stream, String record) {
        return parse(stream, record.getBytes(UTF_8));
    }

    private static Parsed parse(StreamConfig stream, byte[] record) {
        return EventParser.of(stream).forFile().parse(record, 0, record.length);
    }

    private static Parsed parse(FileParser parser, String record) {
        byte[] bytes = record.getBytes(UTF_8);
        return parser.parse(bytes, 0, bytes.length);
    }

    private static LogEvent event(Parsed parsed) {
        assertThat(parsed).isInstanceOf(Parsed.Event.class);
        return ((Parsed.Event) parsed).event();
    }

    private static String tell(Parsed parsed) {
        if (parsed instanceof Parsed.Bad bad) {
            return bad.reason();
        }
        return parsed instanceof Parsed.Event ? "event" : "filtered";
    }
}
