package photon.server.configtest.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import photon.core.config.PipelineConfig;
import photon.core.config.StreamConfig;
import photon.core.config.TimestampConfig.Unit;
import photon.storage.format.BadCause;

/** Each typical mistake is named, with what would be right. */
class DiagnosisTest {
    private static final long AT = 1_760_000_000;
    private static final StreamConfig PRIMARY = Samples.primaryStream(Unit.SECONDS, "imp");
    private static final StreamConfig FOREIGN = Samples.foreignStream(Unit.SECONDS, "of");

    private static List<String> lines(int count, IntFunction<String> line) {
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            lines.add(line.apply(i));
        }
        return lines;
    }

    private static List<String> primaries(String key) {
        return lines(
                20,
                i ->
                        "{\"imp\": %s, \"at\": %d, \"page\": \"p%d\"}"
                                .formatted(key.replace("#", "" + (100 + i)), AT + i, 500 + i));
    }

    private static List<String> clicks(String key) {
        return lines(
                10,
                i ->
                        "{\"click\": \"c%d\", \"at\": %d, \"of\": %s, \"page\": \"p%d\"}"
                                .formatted(i, AT + i, key.replace("#", "" + (100 + i)), 500 + i));
    }

    private static List<Finding> judge(
            StreamConfig primary,
            List<String> primaries,
            StreamConfig foreign,
            List<String> clicks) {
        return Samples.judge(
                Samples.pipeline(primary, foreign), primary, primaries, foreign, clicks);
    }

    private static Finding onlyError(List<Finding> findings) {
        assertThat(findings).hasSize(1);
        assertThat(findings.get(0).isError()).as(findings.get(0).text()).isTrue();
        return findings.get(0);
    }

    @Test
    void aRightConfigurationHasNoFinding() {
        assertThat(judge(PRIMARY, primaries("\"i#\""), FOREIGN, clicks("\"i#\""))).isEmpty();
    }

    /** As the parsers see it: an id's text is what counts. */
    @Test
    void aNumberAndAStringOfItsDigitsAreOneKey() {
        assertThat(judge(PRIMARY, primaries("#"), FOREIGN, clicks("\"#\""))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            value = {
                "\"I#\", \"i#\", upper and lower case",
                "#.0, \"#\", the way in which a number is written",
                "\"#\", \"0#\", the way in which a number is written",
                "\" i#\", \"i#\", spaces around them",
                "\"i-#-x\", \"i#x\", punctuation",
                "\"#\", \"imp-#\", Foreign keys have 'imp-' in front that primary keys lack",
                "\"imp:#\", \"#\", Primary keys have 'imp:' in front that foreign keys lack",
                "\"#\", \"#/click\", Foreign keys have '/click' at its end that primary keys lack",
            })
    void keysThatAreNearlyAlike(String primaryKey, String foreignKey, String difference) {
        Finding error =
                onlyError(judge(PRIMARY, primaries(primaryKey), FOREIGN, clicks(foreignKey)));
        assertThat(error.problem())
                .contains("of 10 sampled foreign events, 0 match one of the 20 primary events")
                .contains(
                        "one of the 20 primary events read; all primary files were read to their end")
                .contains(difference)
                .contains("10 of the 10 foreign events would match");
        assertThat(error.fix()).contains("no setting changes that");
    }

    @Test
    void anotherFieldOfTheForeignRecordMatches() {
        Finding error =
                onlyError(
                        judge(
                                PRIMARY,
                                primaries("\"i#\""),
                                Samples.foreignStream(Unit.SECONDS, "page"),
                                clicks("\"i#\"")));
        assertThat(error.fix()).isEqualTo("Write foreign.primaryId: {from: [of]}");
        assertThat(error.problem()).contains("10 of the 10 foreign events would match");
    }

    @Test
    void anotherFieldOfThePrimaryRecordMatches() {
        Finding error =
                onlyError(
                        judge(
                                PRIMARY,
                                primaries("\"i#\""),
                                Samples.foreignStream(Unit.SECONDS, "page"),
                                clicks("\"x\"")));
        assertThat(error.fix()).isEqualTo("Write primary.id: {from: [page]}");
    }

    @Test
    void anIdOfMoreFieldsNeverMatches() {
        Finding error =
                onlyError(
                        judge(
                                Samples.primaryStream(Unit.SECONDS, "imp", "page"),
                                primaries("\"i#\""),
                                FOREIGN,
                                clicks("\"i#\"")));
        assertThat(error.problem())
                .contains("primary.id has 2 fields, [imp, page], and foreign.primaryId has 1");
    }

    @Test
    void streamsThatDoNotOverlap() {
        List<String> later =
                lines(
                        5,
                        i ->
                                "{\"click\": \"c%d\", \"at\": %d, \"of\": \"z%dq\"}"
                                        .formatted(i, AT + 86_400, i));
        Finding error = onlyError(judge(PRIMARY, primaries("\"i#\""), FOREIGN, later));
        assertThat(error.problem())
                .contains("The streams do not overlap in time")
                .contains("2025-10-09T08:53:20Z to 2025-10-09T08:53:39Z")
                .contains("2025-10-10T08:53:20Z");
    }

    @Test
    void nothingMatchesAndNothingExplainsIt() {
        List<String> others =
                lines(
                        5,
                        i ->
                                "{\"click\": \"c%d\", \"at\": %d, \"of\": \"z%dq\"}"
                                        .formatted(i, AT + i, i));
        assertThat(onlyError(judge(PRIMARY, primaries("\"i#\""), FOREIGN, others)).problem())
                .contains("primary keys look like 'i100', 'i101', 'i102'")
                .contains("foreign events name 'z0q', 'z1q', 'z2q'");
    }

    @Test
    void aSampleThatIsTooSmallSaysSo() {
        StreamSample primary = Samples.of(PRIMARY, false, primaries("\"i#\""));
        StreamSample foreign =
                Samples.of(
                        FOREIGN,
                        true,
                        List.of("{\"click\": \"c\", \"at\": %d, \"of\": \"zz\"}".formatted(AT)));
        Matches matches = new Matches(foreign.events());
        primary.events().forEach(matches::see);
        Finding error =
                onlyError(
                        Diagnosis.of(
                                Samples.pipeline(PRIMARY, FOREIGN),
                                primary,
                                Trials.NONE,
                                foreign,
                                Trials.NONE,
                                matches,
                                Samples.NOW));
        assertThat(error.problem()).contains("the primary files were not read to their end");
        assertThat(error.fix()).contains("too small to tell").contains("--records");
    }

    @ParameterizedTest
    @CsvSource({
        "SECONDS, MILLIS, '1,000', 1970-01-21",
        "SECONDS, MICROS, '1,000,000', 1970-01-01",
        "MILLIS, MICROS, '1,000', 1970-01-21",
        "MILLIS, SECONDS, '1,000', after tomorrow",
        "MICROS, MILLIS, '1,000', after tomorrow",
        "MICROS, SECONDS, '1,000,000', no readable date",
    })
    void aUnitThatIsOff(Unit written, Unit declared, String factor, String seen) {
        long at =
                switch (written) {
                    case SECONDS -> AT;
                    case MILLIS -> AT * 1_000;
                    case MICROS -> AT * 1_000_000;
                };
        List<String> clicks =
                lines(
                        10,
                        i ->
                                "{\"click\": \"c%d\", \"at\": %d, \"of\": \"i%d\"}"
                                        .formatted(i, at + i, 100 + i));
        List<Finding> findings =
                judge(PRIMARY, primaries("\"i#\""), Samples.foreignStream(declared, "of"), clicks);
        assertThat(findings).allMatch(Finding::isError);
        Finding ofTime =
                findings.stream()
                        .filter(one -> one.where().equals("foreign.timestamp"))
                        .findFirst()
                        .orElseThrow();
        String unit = written.name().toLowerCase(java.util.Locale.ROOT);
        assertThat(ofTime.problem())
                .contains("The unit is off by " + factor + ": with unit: " + unit)
                .contains("2025-10-09T08:53:20Z")
                .contains(seen);
        assertThat(ofTime.fix())
                .isEqualTo("Write foreign.timestamp: {field: at, unit: " + unit + "}");
    }

    @Test
    void aTextWhereANumberIsExpected() {
        List<String> clicks =
                lines(
                        3,
                        i ->
                                "{\"click\": \"c%d\", \"at\": \"2025-10-09 08:53:2%d\", \"of\": \"i%d\"}"
                                        .formatted(i, i, 100 + i));
        assertThat(judge(PRIMARY, primaries("\"i#\""), FOREIGN, clicks))
                .extracting(Finding::fix)
                .contains(
                        "Write foreign.timestamp: {field: at, pattern: \"yyyy-MM-dd HH:mm:ss\", zone: UTC}");
    }

    @Test
    void nanosecondsHaveNoUnit() {
        List<String> clicks =
                lines(
                        3,
                        i ->
                                "{\"click\": \"c%d\", \"at\": %d000000000, \"of\": \"i%d\"}"
                                        .formatted(i, AT, 100 + i));
        assertThat(
                        onlyError(
                                        judge(
                                                PRIMARY,
                                                primaries("\"i#\""),
                                                Samples.foreignStream(Unit.MICROS, "of"),
                                                clicks))
                                .problem())
                .contains("nanoseconds");
    }

    /** Some logs count from the start of a recording: a person has to say so. */
    @Test
    void datesThatNoUnitExplainsAreRefusedUnlessTheConfigurationSaysThatTheyAreRight() {
        List<String> clicks =
                lines(
                        3,
                        i ->
                                "{\"click\": \"c%d\", \"at\": %d, \"of\": \"i%d\"}"
                                        .formatted(i, 7 + i, 100 + i));
        Finding refused = onlyError(judge(PRIMARY, primaries("\"i#\""), FOREIGN, clicks));
        assertThat(refused.problem()).contains("3 of 3 sampled events are dated before 2000");
        assertThat(refused.fix()).contains("write foreign.timestamp.plausible: any");
        List<Finding> findings = judge(PRIMARY, primaries("\"i#\""), FOREIGN.ofAnyDate(), clicks);
        assertThat(findings).hasSize(1);
        assertThat(findings.get(0).isError()).isFalse();
    }

    /** One producer of many has a wrong clock: that is for the ledger, and not for the start. */
    @ParameterizedTest
    @CsvSource({
        "1, 98, false",
        "2, 3, false",
        "1, 1, true",
        "3, 97, true",
        "3, 296, true",
        "3, 297, false"
    })
    void moreThanOneInAHundredIsRefusedIfItIsNoAccident(int wrong, int right, boolean refused) {
        List<String> clicks =
                lines(
                        wrong + right,
                        i ->
                                "{\"click\": \"c%d\", \"at\": %d, \"of\": \"i%d\"}"
                                        .formatted(i, i < wrong ? 7 : AT + i, 100 + i % 20));
        List<Finding> findings = judge(PRIMARY, primaries("\"i#\""), FOREIGN, clicks);
        assertThat(findings).hasSize(1);
        assertThat(findings.get(0).isError()).isEqualTo(refused);
    }

    @Test
    void eventsOlderThanTheRetention() {
        PipelineConfig forever = Samples.pipeline(PRIMARY, FOREIGN);
        PipelineConfig days =
                new PipelineConfig(
                        forever.pipeline(),
                        forever.datacenters(),
                        Optional.of(Duration.ofDays(3)),
                        forever.stagger(),
                        PRIMARY,
                        FOREIGN,
                        forever.adapter(),
                        forever.limits(),
                        forever.repair(),
                        forever.output(),
                        forever.unmatched());
        Finding error =
                onlyError(
                        Samples.judge(
                                days, PRIMARY, primaries("\"i#\""), FOREIGN, clicks("\"i#\"")));
        assertThat(error.problem())
                .contains("10 of 10 sampled foreign events are older than the retention, 3d");
        assertThat(error.fix()).contains("retention: 85d");
    }

    @ParameterizedTest
    @CsvSource({
        "impp, 'Write primary.id: {from: [imp]}'",
        "something, 'Expected one of these fields: imp, at, page'",
    })
    void aFieldThatIsNotThere(String wrong, String fix) {
        List<Finding> findings =
                judge(
                        Samples.primaryStream(Unit.SECONDS, wrong),
                        primaries("\"i#\""),
                        FOREIGN,
                        clicks("\"i#\""));
        Finding error = onlyError(findings);
        assertThat(error.problem()).contains("20 of 20 records are bad");
        assertThat(error.fix()).contains("primary.id names '" + wrong + "'").contains(fix);
    }

    @Test
    void aFewBadRecordsAreAWarning() {
        List<String> clicks = new ArrayList<>(clicks("\"i#\""));
        clicks.add("{\"click\": \"c\", \"at\": \"soon\", \"of\": \"i1\"}");
        List<Finding> findings = judge(PRIMARY, primaries("\"i#\""), FOREIGN, clicks);
        assertThat(findings).hasSize(1);
        assertThat(findings.get(0).isError()).isFalse();
        assertThat(findings.get(0).problem())
                .contains("1 of 11 records are bad")
                .contains("'soon'");
    }

    /** Keys of several fields are compared in order. */
    @Test
    void fieldsOfAKeyInAnotherOrder() {
        StreamConfig primary = Samples.primaryStream(Unit.SECONDS, "site", "num", "part");
        StreamConfig foreign = Samples.foreignStream(Unit.SECONDS, "nr", "of_part", "of_site");
        List<String> primaries =
                lines(
                        20,
                        i ->
                                "{\"site\": \"s%d\", \"num\": %d, \"part\": \"p%d\", \"at\": %d}"
                                        .formatted(i % 3, i, i % 2, AT + i));
        List<String> clicks =
                lines(
                        10,
                        i ->
                                "{\"click\": \"c%d\", \"nr\": %d, \"of_part\": \"p%d\", \"of_site\": \"s%d\", \"at\": %d}"
                                        .formatted(i, i, i % 2, i % 3, AT + i));
        Finding finding = onlyError(judge(primary, primaries, foreign, clicks));
        assertThat(finding.where()).isEqualTo("foreign.primaryId");
        assertThat(finding.problem())
                .contains("are in another order than those of primary.id, [site, num, part]")
                .contains("10 of the 10 foreign events would match");
        assertThat(finding.fix())
                .isEqualTo("Write foreign.primaryId: {from: [of_site, nr, of_part]}");
        StreamConfig right = Samples.foreignStream(Unit.SECONDS, "of_site", "nr", "of_part");
        assertThat(judge(primary, primaries, right, clicks)).isEmpty();
    }

    /** Hints go by what the parser says for programs; the text for people may change. */
    @Test
    void hintsDoNotHangOnTheWordsOfAReason() {
        StreamSample sample = Samples.of(PRIMARY, true, List.of("{\"impp\": 1, \"at\": 2}"));
        assertThat(sample.bad().kinds().get(0).cause()).isEqualTo(new BadCause.NoValue("imp"));
        assertThat(FieldHints.of(sample, new BadCause.NoValue("imp")))
                .contains("Write primary.id: {from: [impp]}");
        assertThat(FieldHints.of(sample, new BadCause.NoColumn("imp", List.of("imp;at"))))
                .contains("separator: \";\"");
        assertThat(FieldHints.of(sample, BadCause.OTHER)).isEmpty();
        StreamSample avro = Samples.of(PRIMARY, true, List.of("Obj\u0001\u0004\u0014avro.codec"));
        assertThat(FieldHints.of(avro, new BadCause.NoJson()))
                .isEqualTo("The log is an Avro container file. Write primary.format: {type: avro}");
    }
}
