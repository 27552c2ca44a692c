package photon.server.configinit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.Zstd;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import photon.core.error.ConfigException;
import photon.core.time.IntervalClock;
import photon.server.configinit.rules.Guess;
import photon.server.configinit.rules.Guess.Certainty;
import photon.server.configinit.rules.Need;
import photon.server.configinit.rules.Stated;
import photon.storage.files.HadoopFileStore;
import photon.storage.files.IrregularFiles;

/** What is guessed of files, from their bytes to the text of a configuration that was tried. */
class ConfigInitTest {
    private static final long NOW = 1_767_225_600_000_000L; // 2026-01-01
    private static final IntervalClock CLOCK = () -> new IntervalClock.Interval(NOW, NOW);
    private static final long AT = 1_760_000_000;
    private static final int PRIMARIES = 100;
    private static final int CLICKS = 60;

    @TempDir Path directory;

    @BeforeEach
    void logs() throws IOException {
        write("impressions.csv", "impression,at,page\n" + lines(PRIMARIES, ConfigInitTest::csv));
        write("clicks.jsonl", lines(CLICKS, ConfigInitTest::click));
    }

    private static String csv(int i) {
        return "i%d,%d,p%d".formatted(i, AT + i, i % 7);
    }

    private static String click(int i) {
        return "{\"click\": \"c%d\", \"ad\": {\"impression\": \"i%d\"}, \"at\": %d, \"lang\": \"en\"}"
                .formatted(i, i / 2, (AT + i) * 1_000);
    }

    private static String lines(int count, IntFunction<String> line) {
        return IntStream.range(0, count)
                .mapToObj(i -> line.apply(i) + "\n")
                .collect(Collectors.joining());
    }

    private Path write(String name, String text) throws IOException {
        return Files.writeString(directory.resolve(name), text);
    }

    private ConfigInit.Result init() {
        return init("clicks.jsonl", Stated.NOTHING, "impressions.csv", Stated.NOTHING);
    }

    private ConfigInit.Result init(
            String foreign, Stated ofForeign, String primary, Stated ofPrimary) {
        return new ConfigInit(new HadoopFileStore(), CLOCK)
                .run(
                        new InitRequest(
                                directory.resolve(primary).toString(),
                                ofPrimary,
                                directory.resolve(foreign).toString(),
                                ofForeign,
                                Optional.empty(),
                                directory.resolve("photon.yaml")));
    }

    private static Stated stated(List<String> id, List<String> key, String timestamp) {
        return new Stated(
                Optional.empty(),
                List.of(),
                Map.of(),
                id,
                key,
                timestamp.isEmpty() ? Optional.empty() : Optional.of(timestamp));
    }

    private static Stated where(String field, String... values) {
        return new Stated(
                Optional.empty(),
                List.of(),
                Map.of(field, List.of(values)),
                List.of(),
                List.of(),
                Optional.empty());
    }

    private static String value(ConfigInit.Result result, String key) {
        return result.guesses().stream()
                .filter(guess -> guess.key().equals(key))
                .map(Guess::value)
                .findFirst()
                .orElse("");
    }

    private static Certainty certainty(ConfigInit.Result result, String key) {
        return result.guesses().stream()
                .filter(guess -> guess.key().equals(key))
                .map(Guess::certainty)
                .findFirst()
                .orElseThrow();
    }

    /** Good, with so many pairs. */
    private static void joins(ConfigInit.Result result, int pairs) {
        assertThat(result.good())
                .as(InitText.of(result, Optional.empty()) + needs(result))
                .isTrue();
        assertThat(result.test().orElseThrow().matches().found()).isEqualTo(pairs);
    }

    private static List<String> needs(ConfigInit.Result result) {
        return result.needs().stream().map(Need::text).toList();
    }

    /** Nothing is written, and these are the keys that are not known. */
    private static void lacks(ConfigInit.Result result, String... keys) {
        assertThat(result.yaml()).isEmpty();
        assertThat(result.good()).isFalse();
        assertThat(result.needs()).as("%s", needs(result)).extracting(Need::key).contains(keys);
    }

    /** Its fields are not looked at, and it is not taken for CSV. */
    @Test
    void anAvroFileIsToldByItsName() throws IOException {
        write("clicks.avro", "Obj\u0001\u0004\u0014avro.codec\nmore\n");
        ConfigInit.Result result =
                init("clicks.avro", Stated.NOTHING, "impressions.csv", Stated.NOTHING);
        assertThat(result.yaml()).isEmpty();
        assertThat(needs(result).toString())
                .contains("clicks.avro is an Avro container file")
                .contains("format: {type: avro}");
    }

    @Test
    void csvAndJson() {
        ConfigInit.Result result = init();
        joins(result, CLICKS);
        assertThat(value(result, "primary.format"))
                .isEqualTo("{type: csv, header: true, separator: \",\"}");
        assertThat(value(result, "primary.id")).isEqualTo("{from: [impression]}");
        assertThat(value(result, "primary.timestamp")).isEqualTo("{field: at, unit: seconds}");
        assertThat(value(result, "foreign.format")).isEqualTo("{type: json-lines}");
        assertThat(value(result, "foreign.id")).isEqualTo("{from: [click]}");
        assertThat(value(result, "foreign.timestamp")).isEqualTo("{field: at, unit: millis}");
        assertThat(value(result, "foreign.primaryId")).isEqualTo("{from: [ad.impression]}");
        assertThat(certainty(result, "foreign.primaryId")).isEqualTo(Certainty.CERTAIN);
        assertThat(certainty(result, "foreign.id")).as("60 records").isEqualTo(Certainty.LIKELY);
        assertThat(result.yaml().orElseThrow())
                .contains("pipeline: clicks\n")
                .contains("paths: [\"impressions.csv\"]")
                .contains("# Certain: 60 of 60 foreign records name a primary record");
    }

    @Test
    void compressedFiles() throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
            Files.copy(directory.resolve("impressions.csv"), out);
        }
        Files.write(directory.resolve("impressions.gz"), bytes.toByteArray());
        Files.write(
                directory.resolve("clicks.zst"),
                Zstd.compress(Files.readAllBytes(directory.resolve("clicks.jsonl"))));
        ConfigInit.Result result =
                init("clicks.zst", Stated.NOTHING, "impressions.gz", Stated.NOTHING);
        joins(result, CLICKS);
        assertThat(result.yaml().orElseThrow())
                .contains("# Photon recognises gzip")
                .contains("# Photon recognises zstd");
    }

    @Test
    void nothingJoins() throws Exception {
        write(
                "clicks.jsonl",
                lines(CLICKS, ConfigInitTest::click).replaceAll("\"i([0-9])", "\"z$1"));
        ConfigInit.Result result = init();
        lacks(result, "foreign.primaryId");
        assertThat(needs(result))
                .anySatisfy(
                        need ->
                                assertThat(need)
                                        .contains("Ids may be: impression ('i0')")
                                        .contains("--primary-id FIELD")
                                        .contains("the foreign ones click, "));
        // Whoever knows better gets a configuration, and hears what the test finds of it.
        ConfigInit.Result insisted =
                init(
                        "clicks.jsonl",
                        stated(List.of(), List.of("ad.impression"), ""),
                        "impressions.csv",
                        stated(List.of("impression"), List.of(), ""));
        assertThat(insisted.yaml()).isPresent();
        assertThat(insisted.good()).isFalse();
    }

    @Test
    void keysThatDifferInCase() throws Exception {
        write(
                "clicks.jsonl",
                lines(CLICKS, ConfigInitTest::click).replaceAll("\"i([0-9])", "\"I$1"));
        ConfigInit.Result result = init();
        lacks(result, "foreign.primaryId");
        assertThat(needs(result))
                .anySatisfy(
                        need ->
                                assertThat(need)
                                        .contains("differ in upper and lower case only")
                                        .contains("'I0' and 'i0'"));
    }

    @Test
    void twoKeysThatFitAlikeAreNotGuessed() throws Exception {
        write(
                "clicks.jsonl",
                lines(
                        CLICKS,
                        i ->
                                "{\"click\": \"c%d\", \"first\": \"i%d\", \"last\": \"i%d\", \"at\": %d}"
                                        .formatted(i, i / 2, i / 3, AT + i)));
        ConfigInit.Result result = init();
        lacks(result, "foreign.primaryId");
        assertThat(needs(result))
                .anySatisfy(
                        need ->
                                assertThat(need)
                                        .contains(
                                                "--foreign-key first --primary-id impression | --foreign-key last --primary-id impression"));
        ConfigInit.Result known =
                init(
                        "clicks.jsonl",
                        stated(List.of(), List.of("last"), ""),
                        "impressions.csv",
                        Stated.NOTHING);
        joins(known, CLICKS);
        assertThat(value(known, "foreign.primaryId")).isEqualTo("{from: [last]}");
        assertThat(certainty(known, "foreign.primaryId")).isEqualTo(Certainty.STATED);
    }

    /** The one that is called like the primary field is likely, and the other is named. */
    @Test
    void ofTwoKeysThatFitTheNameDecides() throws Exception {
        write(
                "clicks.jsonl",
                lines(
                        CLICKS,
                        i ->
                                "{\"click\": \"c%d\", \"last_impression\": \"i%d\", \"impression\": \"i%d\", \"at\": %d}"
                                        .formatted(i, i / 2, i / 3, AT + i)));
        ConfigInit.Result result = init();
        joins(result, CLICKS);
        assertThat(value(result, "foreign.primaryId")).isEqualTo("{from: [impression]}");
        assertThat(certainty(result, "foreign.primaryId")).isEqualTo(Certainty.LIKELY);
        assertThat(InitText.of(result, Optional.empty())).contains("--foreign-key last_impression");
    }

    /** Two streams that count their records from 1 have the same numbers by chance. */
    @Test
    void countedNumbersMatchByChance() throws Exception {
        write("a.csv", "id,at\n" + lines(PRIMARIES, i -> "%d,%d".formatted(i + 1, AT + i)));
        write(
                "b.csv",
                "nr,note,at\n" + lines(CLICKS, i -> "%d,n%d,%d".formatted(i + 1, i / 2, AT + i)));
        ConfigInit.Result result = init("b.csv", Stated.NOTHING, "a.csv", Stated.NOTHING);
        lacks(result, "foreign.primaryId");
        assertThat(needs(result)).anySatisfy(need -> assertThat(need).contains("by chance"));
    }

    /** What happened at the same second need not belong together. */
    @Test
    void datesMatchByChance() throws Exception {
        write(
                "clicks.csv",
                "click,imp,at\n" + lines(CLICKS, i -> "c%d,x%d,%d".formatted(i, i, AT + i)));
        ConfigInit.Result result =
                init("clicks.csv", Stated.NOTHING, "impressions.csv", Stated.NOTHING);
        lacks(result, "foreign.primaryId");
        assertThat(needs(result))
                .anySatisfy(
                        need ->
                                assertThat(need)
                                        .contains("at would name at (60 of 60)")
                                        .contains("--foreign-key at --primary-id at"));
    }

    @Test
    void idsOfSeveralFields() throws Exception {
        write(
                "shown.csv",
                "campaign;number;shown;price\n"
                        + lines(
                                PRIMARIES,
                                i ->
                                        "k%d;%d;%d;%d.%02d"
                                                .formatted(i / 10, i % 10, AT + i, i % 3, i)));
        write(
                "clicks.tsv",
                lines(
                        CLICKS,
                        i ->
                                "2025-10-09T10:%02d:%02dZ\tc%d\tk%d\t%d"
                                        .formatted(i / 2, i % 60, i, i / 10, i % 10)));
        ConfigInit.Result result = init("clicks.tsv", Stated.NOTHING, "shown.csv", Stated.NOTHING);
        joins(result, CLICKS);
        assertThat(value(result, "primary.id")).isEqualTo("{from: [campaign, number]}");
        assertThat(value(result, "foreign.primaryId")).isEqualTo("{from: [column3, column4]}");
        assertThat(value(result, "foreign.format"))
                .isEqualTo(
                        "{type: csv, header: false, separator: \"\\t\", columns: [column1, column2, column3, column4]}");
        assertThat(value(result, "foreign.id")).isEqualTo("{from: [column2]}");
    }

    @Test
    void anOwnIdOfSeveralFields() throws Exception {
        write(
                "ends.jsonl",
                lines(
                        CLICKS,
                        i ->
                                "{\"impression\": \"i%d\", \"type\": %d, \"at\": %d}"
                                        .formatted(i / 2, i % 2, AT + i / 4)));
        ConfigInit.Result result =
                init("ends.jsonl", Stated.NOTHING, "impressions.csv", Stated.NOTHING);
        joins(result, CLICKS);
        assertThat(value(result, "foreign.id")).isEqualTo("{from: [impression, at, type]}");
        assertThat(certainty(result, "foreign.id")).isEqualTo(Certainty.LIKELY);
    }

    /** Of fields that no name sets apart none is taken: the key and the time tell events apart. */
    @Test
    void fieldsThatAreDifferentByChanceAreNoId() throws Exception {
        write(
                "ends.jsonl",
                lines(
                        CLICKS,
                        i ->
                                "{\"impression\": \"i%d\", \"page\": \"p%d\", \"agent\": \"b%d\", \"at\": %d}"
                                        .formatted(i / 2, i, i, AT + i)));
        ConfigInit.Result result =
                init("ends.jsonl", Stated.NOTHING, "impressions.csv", Stated.NOTHING);
        joins(result, CLICKS);
        assertThat(value(result, "foreign.id")).isEqualTo("{from: [impression, at]}");
        assertThat(InitText.of(result, Optional.empty()))
                .contains("--foreign-id page | --foreign-id agent");
    }

    /** A key that each event has for itself would allow one event for each primary event. */
    @Test
    void theKeyAloneIsNotTheOwnId() throws Exception {
        write(
                "ends.jsonl",
                lines(CLICKS, i -> "{\"impression\": \"i%d\", \"at\": %d}".formatted(i, AT + i)));
        ConfigInit.Result result =
                init("ends.jsonl", Stated.NOTHING, "impressions.csv", Stated.NOTHING);
        joins(result, CLICKS);
        assertThat(value(result, "foreign.id")).isEqualTo("{from: [impression, at]}");
    }

    @Test
    void unitsOfTime() throws Exception {
        Map<String, String> expected =
                Map.of(
                        "%d", "{field: at, unit: seconds}",
                        "%d.250", "{field: at, unit: seconds}",
                        "%d250", "{field: at, unit: millis}",
                        "%d250000", "{field: at, unit: micros}");
        for (Map.Entry<String, String> one : expected.entrySet()) {
            write(
                    "clicks.csv",
                    "click,impression,at\n"
                            + lines(
                                    CLICKS,
                                    i -> ("c%d,i%d," + one.getKey()).formatted(i, i / 2, AT + i)));
            ConfigInit.Result result =
                    init("clicks.csv", Stated.NOTHING, "impressions.csv", Stated.NOTHING);
            joins(result, CLICKS);
            assertThat(value(result, "foreign.timestamp")).isEqualTo(one.getValue());
        }
    }

    /** An id keeps its date for good: the guard against a clock that was not set stays on. */
    @Test
    void oneClockThatWasNotSetLetsNoOldDatesIn() throws Exception {
        write(
                "clicks.csv",
                "click,impression,at\n"
                        + lines(
                                2 * CLICKS,
                                i -> "c%d,i%d,%d".formatted(i, i / 2, i == CLICKS ? 0 : AT + i)));
        ConfigInit.Result result =
                init("clicks.csv", Stated.NOTHING, "impressions.csv", Stated.NOTHING);
        assertThat(value(result, "foreign.timestamp")).isEqualTo("{field: at, unit: seconds}");
        assertThat(InitText.of(result, Optional.empty()))
                .contains("and 1 of %,d are before 2000".formatted(2 * CLICKS));
    }

    /** As a data frame is written, with its index, and a spreadsheet with empty columns. */
    @Test
    void aHeaderMayLeaveColumnsWithoutAName() throws Exception {
        write(
                "clicks.csv",
                ",click,impression,at,\n"
                        + lines(CLICKS, i -> "%d,c%d,i%d,%d,".formatted(i, i, i / 2, AT + i)));
        ConfigInit.Result result =
                init("clicks.csv", Stated.NOTHING, "impressions.csv", Stated.NOTHING);
        joins(result, CLICKS);
        assertThat(value(result, "foreign.id")).isEqualTo("{from: [click]}");
    }

    /** A configuration would look for id below event. */
    @Test
    void aKeyWithADotInItIsNotGuessed() throws Exception {
        write(
                "clicks.jsonl",
                lines(
                        CLICKS,
                        i ->
                                "{\"event.id\": \"c%d\", \"click\": \"c%d\", \"impression\": \"i%d\", \"at\": %d}"
                                        .formatted(i, i, i / 2, (AT + i) * 1_000)));
        ConfigInit.Result result = init();
        joins(result, CLICKS);
        assertThat(value(result, "foreign.id")).isEqualTo("{from: [click]}");
    }

    @Test
    void patternsOfTime() throws Exception {
        Map<String, String> expected =
                Map.of(
                        "2025-10-09T10:%02d:%02dZ", "yyyy-MM-dd'T'HH:mm:ssX",
                        "2025-10-09 10:%02d:%02d.125", "yyyy-MM-dd HH:mm:ss.SSS",
                        "09/Oct/2025:10:%02d:%02d +0200", "dd/MMM/yyyy:HH:mm:ss Z",
                        "2025100910%02d%02d", "yyyyMMddHHmmss");
        for (Map.Entry<String, String> one : expected.entrySet()) {
            write(
                    "clicks.csv",
                    "click,impression,at\n"
                            + lines(
                                    CLICKS,
                                    i ->
                                            ("c%d,i%d," + one.getKey())
                                                    .formatted(i, i / 2, i / 2, i)));
            ConfigInit.Result result =
                    init("clicks.csv", Stated.NOTHING, "impressions.csv", Stated.NOTHING);
            joins(result, CLICKS);
            assertThat(value(result, "foreign.timestamp"))
                    .isEqualTo("{field: at, pattern: \"%s\", zone: UTC}".formatted(one.getValue()));
            assertThat(certainty(result, "foreign.timestamp"))
                    .isEqualTo(
                            one.getValue().matches(".*[XZ]")
                                    ? Certainty.CERTAIN
                                    : Certainty.LIKELY);
        }
    }

    @Test
    void timesThatCannotBeTold() throws Exception {
        write(
                "impressions.csv",
                "impression,at\n" + lines(PRIMARIES, i -> "i%d,%d".formatted(i, 600 + i)));
        ConfigInit.Result early = init();
        lacks(early, "primary.timestamp");
        assertThat(needs(early))
                .singleElement()
                .asString()
                .contains("at ('600')")
                .contains("--primary-timestamp FIELD:seconds|millis|micros");
        joins(
                init(
                        "clicks.jsonl",
                        Stated.NOTHING,
                        "impressions.csv",
                        stated(List.of(), List.of(), "at:millis")),
                CLICKS);
        write(
                "impressions.csv",
                "impression,at\n" + lines(PRIMARIES, i -> "i%d,%d000000000".formatted(i, AT + i)));
        assertThat(needs(init())).singleElement().asString().contains("at looks like nanoseconds");
        write(
                "impressions.csv",
                "impression,paid\n" + lines(PRIMARIES, i -> "i%d,%d".formatted(i, AT + i)));
        ConfigInit.Result calledLikeAnId = init();
        joins(calledLikeAnId, CLICKS);
        assertThat(certainty(calledLikeAnId, "primary.timestamp")).isEqualTo(Certainty.LIKELY);
        write(
                "impressions.csv",
                "impression,made_at,shown_at\n"
                        + lines(PRIMARIES, i -> "i%d,%d,%d".formatted(i, AT + i, AT + 2L * i)));
        ConfigInit.Result two = init();
        lacks(two, "primary.timestamp");
        assertThat(needs(two))
                .singleElement()
                .asString()
                .contains("--primary-timestamp made_at | --primary-timestamp shown_at");
        assertThat(
                        value(
                                init(
                                        "clicks.jsonl",
                                        Stated.NOTHING,
                                        "impressions.csv",
                                        stated(List.of(), List.of(), "shown_at")),
                                "primary.timestamp"))
                .isEqualTo("{field: shown_at, unit: seconds}");
    }

    /** A click that has the time of its impression, too. */
    @Test
    void ofTwoTimesTheNameDecides() throws Exception {
        write(
                "clicks.jsonl",
                lines(
                        CLICKS,
                        i ->
                                "{\"click\": \"c%d\", \"impression\": \"i%d\", \"impression_time\": %d, \"click_time\": %d}"
                                        .formatted(i, i / 2, AT + i / 2, AT + 9L * i)));
        ConfigInit.Result result = init();
        joins(result, CLICKS);
        assertThat(value(result, "foreign.timestamp"))
                .isEqualTo("{field: click_time, unit: seconds}");
        assertThat(certainty(result, "foreign.timestamp")).isEqualTo(Certainty.LIKELY);
        assertThat(InitText.of(result, Optional.empty()))
                .contains("otherwise --foreign-timestamp impression_time");
    }

    /** Logged twice is one record; the same id in another record is told. */
    @Test
    void repeats() throws Exception {
        String impressions = "impression,at,page\n" + lines(PRIMARIES, ConfigInitTest::csv);
        write("impressions.csv", impressions + csv(3) + "\n" + csv(4) + "\n");
        ConfigInit.Result twice = init();
        joins(twice, CLICKS);
        assertThat(certainty(twice, "primary.id")).isEqualTo(Certainty.CERTAIN);
        write("impressions.csv", impressions + "i3,%d,p9\n".formatted(AT + 500));
        ConfigInit.Result again = init();
        joins(again, CLICKS);
        assertThat(certainty(again, "primary.id")).isEqualTo(Certainty.LIKELY);
        assertThat(InitText.of(again, Optional.empty())).contains("101 records but for 1");
    }

    @Test
    void filesWithoutEvents() throws Exception {
        write("clicks.jsonl", "");
        lacks(init(), "foreign.format");
        write("clicks.jsonl", "{\"click\": \"c0\", \"at\": 17");
        assertThat(needs(init())).singleElement().asString().contains("ends with a line feed");
        write("clicks.jsonl", "click,at,impression\n");
        assertThat(needs(init())).singleElement().asString().contains("except a header");
        write("clicks.jsonl", "[\n{\"click\": 1},\n{\"click\": 2}\n]\n");
        assertThat(needs(init())).singleElement().asString().contains("jq -c '.[]'");
        write("clicks.jsonl", "{\n  \"click\": 1\n}\n{\n  \"click\": 2\n}\n");
        assertThat(needs(init())).singleElement().asString().contains("one object per line");
        write("clicks.jsonl", "hello\nworld\n");
        assertThat(needs(init())).singleElement().asString().contains("--foreign-separator");
    }

    @Test
    void whatIsNoFile() throws Exception {
        Files.createDirectory(directory.resolve("clicks"));
        IrregularFiles.fifo(directory.resolve("fifo"));
        Map<String, String> expected =
                Map.of(
                        "clicks", "it is a directory",
                        "fifo", "it is a FIFO",
                        "none.jsonl", "the file does not exist",
                        "none-*.jsonl", "no file matches it");
        expected.forEach(
                (name, problem) ->
                        assertThatThrownBy(
                                        () ->
                                                init(
                                                        name,
                                                        Stated.NOTHING,
                                                        "impressions.csv",
                                                        Stated.NOTHING))
                                .isInstanceOf(ConfigException.class)
                                .hasMessageContaining("--foreign is '")
                                .hasMessageContaining(problem));
    }

    @Test
    void aStatedFieldThatIsNotThere() {
        assertThatThrownBy(
                        () ->
                                init(
                                        "clicks.jsonl",
                                        stated(List.of("klick"), List.of(), "att:millis"),
                                        "impressions.csv",
                                        Stated.NOTHING))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("--foreign-id: no sampled foreign record has a field 'klick'")
                .hasMessageContaining("did you mean 'click'?")
                .hasMessageContaining("--foreign-timestamp")
                .hasMessageContaining("did you mean 'at'?");
    }

    @Test
    void bothStreamsInOneFile() throws Exception {
        write(
                "jobs.csv",
                "at,job,event\n"
                        + lines(
                                CLICKS,
                                i -> "%d,j%d,%d".formatted(AT + i, i / 2, i % 2 == 0 ? 0 : 4)));
        ConfigInit.Result result = init("jobs.csv", Stated.NOTHING, "jobs.csv", Stated.NOTHING);
        lacks(result, "primary.where, foreign.where");
        assertThat(needs(result)).singleElement().asString().contains("event is 0 (30), 4 (30)");
        ConfigInit.Result known =
                init("jobs.csv", where("event", "4"), "jobs.csv", where("event", "0"));
        joins(known, CLICKS / 2);
        assertThat(known.yaml().orElseThrow()).contains("where: {event: [\"4\"]}");
        lacks(
                init("jobs.csv", where("event", "9"), "jobs.csv", where("event", "0")),
                "foreign.where");
    }

    @Test
    void idsOfPhotonsOwnKind() throws Exception {
        write(
                "p.log",
                lines(
                        PRIMARIES,
                        i ->
                                "{\"server\": \"10.0.0.%d\", \"process\": 7, \"timestamp\": %d000000}"
                                        .formatted(i % 3, AT + i)));
        write(
                "f.log",
                lines(
                        CLICKS,
                        i ->
                                "{\"server\": \"10.0.1.9\", \"process\": 8, \"timestamp\": %d000000, \"of\": {\"server\": \"10.0.0.%d\", \"process\": 7, \"timestamp\": %d000000}}"
                                        .formatted(AT + i + 1, i % 3, AT + i)));
        ConfigInit.Result result = init("f.log", Stated.NOTHING, "p.log", Stated.NOTHING);
        joins(result, CLICKS);
        assertThat(value(result, "foreign.primaryId"))
                .isEqualTo("{server: of.server, process: of.process, timestamp: of.timestamp}");
    }

    /** Names that mean something to a glob, or to YAML. */
    @Test
    void namesOfFilesAndFields() throws Exception {
        write(
                "a[1] {x}.csv",
                "\"im, id\",on\n" + lines(PRIMARIES, i -> "i%d,%d".formatted(i, AT + i)));
        Files.createDirectory(directory.resolve("sub dir"));
        write("sub dir/clicks.jsonl", lines(CLICKS, ConfigInitTest::click));
        ConfigInit.Result result =
                init("sub dir/clicks.jsonl", Stated.NOTHING, "a[1] {x}.csv", Stated.NOTHING);
        joins(result, CLICKS);
        assertThat(value(result, "primary.id")).isEqualTo("{from: [\"im, id\"]}");
        assertThat(value(result, "primary.timestamp")).isEqualTo("{field: \"on\", unit: seconds}");
        assertThat(result.test().orElseThrow().primary().files()).isEqualTo(1);
    }

    /** Files elsewhere are named absolutely, and several that look alike are pointed out. */
    @Test
    void pathsAsTheConfigurationReadsThem() throws Exception {
        Path conf = Files.createDirectory(directory.resolve("conf"));
        write("clicks-1.jsonl", lines(CLICKS, ConfigInitTest::click));
        write("clicks-2.jsonl", lines(CLICKS, ConfigInitTest::click));
        ConfigInit.Result result =
                new ConfigInit(new HadoopFileStore(), CLOCK)
                        .run(
                                new InitRequest(
                                        directory.resolve("impressions.csv").toString(),
                                        Stated.NOTHING,
                                        directory.resolve("clicks-1.jsonl").toString(),
                                        Stated.NOTHING,
                                        Optional.of("ads"),
                                        conf.resolve("photon.yaml")));
        joins(result, CLICKS);
        assertThat(result.yaml().orElseThrow())
                .contains("pipeline: ads\n")
                .contains("paths: [\"" + directory + "/impressions.csv\"]")
                .contains("clicks-*.jsonl\"] matches 2 files now");
        joins(
                init("clicks-*.jsonl", Stated.NOTHING, "impressions.csv", Stated.NOTHING),
                2 * CLICKS);
    }

    @Test
    void aFileThatIsCorruptIsNamed() throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
            out.write(lines(CLICKS, ConfigInitTest::click).getBytes(StandardCharsets.UTF_8));
        }
        byte[] corrupt = bytes.toByteArray();
        corrupt[corrupt.length / 2] ^= 0x55;
        Files.write(directory.resolve("clicks.gz"), corrupt);
        ConfigInit.Result result =
                init("clicks.gz", Stated.NOTHING, "impressions.csv", Stated.NOTHING);
        lacks(result, "foreign.format");
        assertThat(result.troubles())
                .singleElement()
                .asString()
                .contains("clicks.gz cannot be read to its end");
    }
}
