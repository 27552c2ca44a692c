package photon.server.configtest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.ZstdCompressCtx;
import com.google.common.util.concurrent.Uninterruptibles;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import photon.core.config.ConfigLoader;
import photon.core.config.PipelineConfig;
import photon.core.error.ConfigException;
import photon.core.time.IntervalClock;
import photon.joiner.adapters.AdapterHost;
import photon.joiner.adapters.load.Adapters;
import photon.server.configtest.rules.Finding;
import photon.server.configtest.rules.StreamSample;
import photon.storage.files.HadoopFileStore;

/** What is found in files, from a configuration file to the findings. */
class ConfigTestReadingTest {
    private static final long NOW = 1_767_225_600_000_000L; // 2026-01-01
    private static final IntervalClock CLOCK = () -> new IntervalClock.Interval(NOW, NOW);
    private static final long AT = 1_760_000_000;
    private static final String CONFIG =
            """
            pipeline: ads
            datacenters: [east]
            primary:
              paths: ["imp/*.csv"]
              format: {type: csv, header: true}
              id: {from: [impression]}
              timestamp: {field: at, unit: seconds}
            foreign:
              paths: ["clicks/*.jsonl*"]
              format: {type: json-lines}
              id: {from: [click]}
              timestamp: {field: at, unit: seconds}
              primaryId: {from: [impression]}
            """;

    @TempDir Path directory;

    @BeforeEach
    void logs() throws IOException {
        Files.createDirectory(directory.resolve("imp"));
        Files.createDirectory(directory.resolve("clicks"));
        write("imp/a.csv", "impression,at,page\n" + impressions(0, 50));
        write("imp/b.csv", "impression,at,page\n" + impressions(50, 100));
        write("clicks/a.jsonl", clicks(0, 60));
    }

    private static String impressions(int from, int to) {
        return IntStream.range(from, to)
                .mapToObj(i -> "i%d,%d,p%d\n".formatted(i, AT + i, i))
                .collect(Collectors.joining());
    }

    private static String clicks(int from, int to) {
        return IntStream.range(from, to)
                .mapToObj(
                        i ->
                                "{\"click\": \"c%d\", \"at\": %d, \"impression\": \"i%d\"}\n"
                                        .formatted(i, AT + i, i))
                .collect(Collectors.joining());
    }

    private void write(String name, String text) throws IOException {
        Files.writeString(directory.resolve(name), text);
    }

    private static byte[] gzip(String text) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        }
        return bytes.toByteArray();
    }

    private ConfigTest.Result test(int records, String... replaced) throws IOException {
        String text = CONFIG;
        for (int i = 0; i < replaced.length; i += 2) {
            assertThat(text).contains(replaced[i]);
            text = text.replace(replaced[i], replaced[i + 1]);
        }
        Path file = Files.writeString(directory.resolve("photon.yaml"), text);
        return new ConfigTest(ConfigLoader.load(file).pipeline(), new HadoopFileStore(), CLOCK)
                .run(records);
    }

    /** Of an adapter that answers: it is never waited for. */
    private static final Duration ENOUGH = Duration.ofMinutes(1);

    /** With an adapter of this class path, which a file cannot name. */
    private ConfigTest testOf(Class<?> adapter, Duration timeout) throws IOException {
        Path file = Files.writeString(directory.resolve("photon.yaml"), CONFIG);
        return new ConfigTest(
                ConfigLoader.load(file)
                        .pipeline()
                        .withAdapter(
                                new PipelineConfig.Adapter(
                                        adapter.getName(),
                                        List.of(),
                                        Optional.empty(),
                                        Map.of(),
                                        timeout,
                                        50,
                                        200)),
                new HadoopFileStore(),
                CLOCK);
    }

    private static List<String> errors(ConfigTest.Result result) {
        assertThat(result.good()).as(ConfigTestText.of(result)).isFalse();
        return result.findings().stream().filter(Finding::isError).map(Finding::text).toList();
    }

    @Test
    void aRightConfiguration() throws Exception {
        ConfigTest.Result result = test(1_000);
        assertThat(result.findings()).isEmpty();
        assertThat(result.good()).isTrue();
        assertThat(result.matches().found()).isEqualTo(60);
        assertThat(ConfigTestText.of(result))
                .contains("imp/*.csv matches 2 files")
                .contains("2025-10-09T08:53:20Z to 2025-10-09T08:54:59Z")
                .contains("of 60 sampled foreign events, 60 match one of the 100 primary events")
                .contains(
                        "{\"id\": \"c0\", \"primaryId\": \"i0\", \"timestampMicros\":"
                                + " 1760000000000000")
                .contains("The test found nothing wrong");
    }

    @Test
    void aSampleIsSpreadOverTheFilesAndPrimaryEventsAreReadOnForIt() throws Exception {
        ConfigTest.Result result = test(12);
        assertThat(result.primary().ids(12)).contains("i0", "i50");
        assertThat(result.primary().records()).isEqualTo(12);
        assertThat(result.foreign().events()).hasSize(12);
        assertThat(result.matches().found()).isEqualTo(12);
        assertThat(result.foreign().atEnd()).isFalse();
    }

    @Test
    void aColumnThatIsNotThere() throws Exception {
        assertThat(
                        errors(
                                test(
                                        1_000,
                                        "from: [impression]}\n  timestamp",
                                        "from: [impresion]}\n  timestamp")))
                .singleElement()
                .asString()
                .contains("100 of 100 records are bad")
                .contains("it has [impression, at, page]")
                .contains("Write primary.id: {from: [impression]}");
    }

    @Test
    void aFieldThatIsNotThere() throws Exception {
        assertThat(
                        errors(
                                test(
                                        1_000,
                                        "primaryId: {from: [impression]}",
                                        "primaryId: {from: [impresion]}")))
                .singleElement()
                .asString()
                .contains("60 of 60 records are bad")
                .contains("Write foreign.primaryId: {from: [impression]}");
    }

    @Test
    void otherSeparatorsAndFormats() throws Exception {
        assertThat(errors(test(1_000, "header: true}", "header: true, separator: \";\"}")))
                .singleElement()
                .asString()
                .contains("Write primary.format: {type: csv, header: true, separator: \",\"}");
        assertThat(errors(test(1_000, "type: json-lines", "type: csv, header: true")))
                .singleElement()
                .asString()
                .contains("Write foreign.format: {type: json-lines}");
        assertThat(errors(test(1_000, "type: csv, header: true", "type: json-lines")))
                .singleElement()
                .asString()
                .contains("Write primary.format: {type: csv, header: true}");
    }

    @Test
    void aUnitThatIsOff() throws Exception {
        assertThat(errors(test(1_000, "unit: seconds}\nforeign", "unit: millis}\nforeign")))
                .containsExactly(
                        "primary.timestamp: 100 of 100 sampled events are dated before 2000:"
                                + " 1970-01-21T08:53:20Z to 1970-01-21T08:53:20Z. The unit is off by"
                                + " 1,000: with unit: seconds the dates are 2025-10-09T08:53:20Z to"
                                + " 2025-10-09T08:54:59Z. Write primary.timestamp: {field: at, unit:"
                                + " seconds}");
    }

    @Test
    void aFilterThatLeavesNothing() throws Exception {
        String where = "  where: {page: [\"7\"]}\n  id: {from: [impression]}";
        assertThat(errors(test(1_000, "  id: {from: [impression]}", where)))
                .singleElement()
                .asString()
                .contains("where: {page: [7]} keeps only records with these values")
                .contains("The field 'page' has the values 'p0' (1)");
        assertThat(
                        errors(
                                test(
                                        1_000,
                                        "  id: {from: [click]}",
                                        "  where: {Page: [\"7\"]}\n  id: {from: [click]}")))
                .singleElement()
                .asString()
                .contains("No record has the field 'Page'");
    }

    @Test
    void noFileAndNoDirectory() throws Exception {
        assertThat(errors(test(1_000, "imp/*.csv", "imp/*.tsv")))
                .singleElement()
                .asString()
                .contains("imp/*.tsv' matches no file")
                .contains("holds a.csv, b.csv");
        assertThat(errors(test(1_000, "imp/*.csv", "imps/*.csv")))
                .singleElement()
                .asString()
                .contains("/imps does not exist");
    }

    @Test
    void aHeaderWithoutRowsAndAnEmptyFile() throws Exception {
        write("imp/a.csv", "impression,at,page\n");
        Files.delete(directory.resolve("imp/b.csv"));
        write("clicks/a.jsonl", "");
        assertThat(errors(test(1_000)))
                .satisfiesExactlyInAnyOrder(
                        one ->
                                assertThat(one)
                                        .contains(
                                                "primary: the files hold no records besides"
                                                        + " headers"),
                        one ->
                                assertThat(one)
                                        .contains(
                                                "foreign.paths: none of the 1 matching files holds"
                                                        + " a record"));
    }

    @Test
    void aCorruptCompressedFile() throws Exception {
        byte[] bytes = gzip(clicks(60, 90));
        bytes[bytes.length / 2] ^= 0x55;
        Files.write(directory.resolve("clicks/b.jsonl.gz"), bytes);
        ConfigTest.Result result = test(1_000);
        assertThat(result.good()).as("the other file joins").isTrue();
        assertThat(result.findings())
                .singleElement()
                .satisfies(
                        one ->
                                assertThat(one.text())
                                        .contains("clicks/b.jsonl.gz cannot be read to its end")
                                        .contains("gzip stream is corrupt"));
        Files.delete(directory.resolve("clicks/a.jsonl"));
        assertThat(errors(test(1_000)))
                .singleElement()
                .asString()
                .contains("cannot be read to its end");
    }

    @Test
    void aCorruptZstdFile() throws Exception {
        byte[] bytes = zstd(clicks(60, 90));
        bytes[bytes.length - 1] ^= 0x55; // of its checksum
        Files.write(directory.resolve("clicks/b.jsonl.zst"), bytes);
        ConfigTest.Result result = test(1_000);
        assertThat(result.good()).as("the other file joins").isTrue();
        assertThat(result.matches().found()).isEqualTo(60);
        assertThat(result.findings())
                .singleElement()
                .satisfies(
                        one ->
                                assertThat(one.text())
                                        .contains("clicks/b.jsonl.zst cannot be read to its end"));
    }

    /** Of the half frame nothing counts; the frame before it does. */
    @Test
    void aZstdFileThatIsNotWholeYet() throws Exception {
        byte[] whole = zstd(clicks(60, 75));
        byte[] second = zstd(clicks(75, 90));
        for (int missing : new int[] {1, 4, second.length / 2, second.length - 3}) {
            byte[] both = Arrays.copyOf(whole, whole.length + second.length - missing);
            System.arraycopy(second, 0, both, whole.length, second.length - missing);
            Files.write(directory.resolve("clicks/b.jsonl.zst"), both);
            ConfigTest.Result result = test(1_000);
            assertThat(result.good()).isTrue();
            assertThat(result.matches().found()).as("%s bytes missing", missing).isEqualTo(75);
            assertThat(result.foreign().halfWritten())
                    .extracting(StreamSample.HalfWritten::path)
                    .containsExactly(directory + "/clicks/b.jsonl.zst");
            assertThat(result.findings()).singleElement().matches(one -> !one.isError());
        }
        Files.delete(directory.resolve("clicks/a.jsonl"));
        Files.write(
                directory.resolve("clicks/b.jsonl.zst"), Arrays.copyOf(second, second.length - 4));
        assertThat(errors(test(1_000)))
                .singleElement()
                .asString()
                .contains("b.jsonl.zst is incomplete");
    }

    private static byte[] zstd(String text) {
        try (ZstdCompressCtx context = new ZstdCompressCtx()) {
            return context.setChecksum(true).compress(text.getBytes(StandardCharsets.UTF_8));
        }
    }

    @Test
    void whatIsNotWholeYet() throws Exception {
        byte[] bytes = gzip(clicks(60, 90));
        Files.write(directory.resolve("clicks/b.jsonl.gz"), Arrays.copyOf(bytes, bytes.length - 4));
        write("clicks/c.jsonl", "{\"click\": \"c100\"");
        ConfigTest.Result result = test(1_000);
        assertThat(result.good()).isTrue();
        assertThat(result.foreign().halfWritten())
                .extracting(StreamSample.HalfWritten::bytes)
                .containsExactlyInAnyOrder(0L, 16L);
        assertThat(result.findings()).hasSize(2).noneMatch(Finding::isError);
    }

    @Test
    void keysOfOtherCase() throws Exception {
        write(
                "clicks/a.jsonl",
                clicks(0, 60).replace("\"i", "\"I").replace("\"Impression", "\"impression"));
        assertThat(errors(test(1_000)))
                .singleElement()
                .asString()
                .contains("of 60 sampled foreign events, 0 match")
                .contains("upper and lower case");
    }

    @Test
    void anAdapterThatEmitsNothing() throws Exception {
        ConfigTest.Result result = testOf(Skipping.class, ENOUGH).run(1_000);
        assertThat(errors(result))
                .singleElement()
                .asString()
                .contains("emits nothing for the first 60 pairs")
                .contains("skip: not today");
    }

    /** So that the first start is not counted, which loads a library's classes. */
    @BeforeAll
    static void startOne() {
        Adapters.load(
                        new PipelineConfig.Adapter(Skipping.class.getName(), Map.of()),
                        AdapterHost.trial("ads"))
                .close();
    }

    /** It ends all the same, and says which pair it was. */
    @Test
    void anAdapterThatGivesNoAnswer() throws Exception {
        try {
            for (Class<?> adapter : List.of(Waiting.class, Stubborn.class)) {
                assertThat(errors(testOf(adapter, Duration.ofSeconds(5)).run(1_000)))
                        .singleElement()
                        .asString()
                        .contains("adapter: the adapter gives no answer for the foreign event 'c")
                        .contains("within adapter.timeout, 5s")
                        .contains("see what the adapter waits for");
            }
        } finally {
            NEVER.countDown();
        }
    }

    @Test
    void textsThatAreNotUtf8() throws Exception {
        Files.write(
                directory.resolve("imp/a.csv"),
                ("impression,at,page\n" + impressions(0, 50).replace("p7\n", "Zürich\n"))
                        .getBytes(StandardCharsets.ISO_8859_1));
        ConfigTest.Result latin = test(1_000);
        assertThat(latin.good()).isTrue();
        assertThat(latin.findings())
                .singleElement()
                .extracting(Finding::text)
                .asString()
                .isEqualTo(
                        "primary.format: 1 of 100 sampled events hold U+FFFD, which Photon writes for bytes that are not UTF-8 (first: i7). If the logs do not hold it, write them in UTF-8");
        for (String name : List.of("imp/a.csv", "imp/b.csv")) {
            Files.write(
                    directory.resolve(name),
                    ("impression,at,page\n" + impressions(0, 50))
                            .getBytes(StandardCharsets.UTF_16));
        }
        assertThat(errors(test(1_000))).anyMatch(text -> text.contains("The file is UTF-16."));
    }

    @Test
    void anAdapterThatIsNeverMade() throws Exception {
        ConfigTest test = testOf(NeverMade.class, ENOUGH);
        assertThatThrownBy(() -> test.checkSettings(Duration.ofMillis(200)))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("NeverMade did not start within 200ms");
    }

    @Test
    void whatAnAdapterMakesOfTheSampleIsCounted() throws Exception {
        ConfigTest.Result result = testOf(Choosing.class, ENOUGH).run(1_000);
        assertThat(result.good()).isTrue();
        assertThat(ConfigTestText.of(result))
                .contains("{\"kept\":\"c50\"}")
                .contains("The adapter's answers to the first 60 pairs: ")
                .contains("45 emit", "12 skip", "3 retry")
                .contains("  12 x skip: spam")
                .contains("the adapter fails at 3 of 60 pairs")
                .contains("retry: adapter threw java.lang.IllegalStateException: boom");
        assertThat(ConfigTestJson.of(result))
                .contains("\"pairs\" : 60", "\"emit\" : 45", "\"skip: spam\" : 12")
                .contains("\"side\" : 45");
    }

    /** Decides by the click's number. */
    public static final class Choosing implements photon.adapter.Adapter {
        @Override
        public void join(
                photon.adapter.SourceEvent foreign,
                photon.adapter.SourceEvent primary,
                Result result) {
            int number = Integer.parseInt(foreign.id().substring(1));
            if (number % 20 == 0) {
                throw new IllegalStateException("boom");
            }
            if (number % 5 == 4) {
                result.skip("spam");
            } else {
                result.emit(("{\"kept\":\"" + foreign.id() + "\"}").getBytes(UTF_8));
                result.emit("side", "{}".getBytes(UTF_8));
            }
        }
    }

    private static final CountDownLatch NEVER = new CountDownLatch(1);

    /** Waits until it is interrupted. */
    public static final class Waiting implements photon.adapter.Adapter {
        @Override
        public void join(
                photon.adapter.SourceEvent foreign,
                photon.adapter.SourceEvent primary,
                Result result) {
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /** Does not heed interruptions. */
    public static final class Stubborn implements photon.adapter.Adapter {
        @Override
        public void join(
                photon.adapter.SourceEvent foreign,
                photon.adapter.SourceEvent primary,
                Result result) {
            Uninterruptibles.awaitUninterruptibly(NEVER);
        }
    }

    /** Its constructor waits. */
    public static final class NeverMade implements photon.adapter.Adapter {
        public NeverMade() throws InterruptedException {
            new CountDownLatch(1).await();
        }

        @Override
        public void join(
                photon.adapter.SourceEvent foreign,
                photon.adapter.SourceEvent primary,
                Result result) {
            result.skip("never asked");
        }
    }

    /** Leaves out everything. */
    public static final class Skipping implements photon.adapter.Adapter {
        @Override
        public void join(
                photon.adapter.SourceEvent foreign,
                photon.adapter.SourceEvent primary,
                Result result) {
            result.skip("not today");
        }
    }
}
