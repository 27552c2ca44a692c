package photon.demo.generate;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import photon.core.config.ConfigLoader;
import photon.demo.generate.GeneratorSettings.Format;
import photon.demo.generate.model.LoadShape;
import photon.storage.files.HadoopFileStore;

/** Generated logs are what was asked for, and the answer beside them is right. */
class GeneratorTest {
    @TempDir Path directory;

    /** Much of everything that makes joining hard. */
    static GeneratorSettings hard(Format format, long seed, boolean gzip) {
        return new GeneratorSettings(
                new LoadShape(
                        seed,
                        9,
                        20_000.0 / 86_400,
                        0.5,
                        1.5,
                        Duration.ofSeconds(60),
                        1.9,
                        0.1,
                        0.1,
                        0.2,
                        Duration.ofSeconds(5),
                        Duration.ofSeconds(2)),
                format,
                20_000,
                0.3,
                Duration.ofHours(2),
                64 << 10,
                Duration.ofHours(6),
                gzip);
    }

    private Path generate(String name, GeneratorSettings settings) throws IOException {
        Path into = directory.resolve(name);
        FileGenerator.run(into, settings, new HadoopFileStore(), () -> false);
        return into;
    }

    private static Answer answer(Path directory) throws IOException {
        return new ObjectMapper()
                .readValue(directory.resolve("answer.json").toFile(), Answer.class);
    }

    private static List<String> lines(Path file) throws IOException {
        return new String(GeneratedLogs.bytes(file), StandardCharsets.US_ASCII)
                .lines()
                .sorted()
                .toList();
    }

    @ParameterizedTest
    @EnumSource(Format.class)
    void theAnswerIsWhatJoiningTheLogsComesTo(Format format) throws Exception {
        for (boolean gzip : new boolean[] {false, true}) {
            Path into = generate("gzip-" + gzip, hard(format, 7, gzip));
            GeneratedLogs logs = GeneratedLogs.read(into);
            Answer answer = answer(into);
            assertThat(answer.events()).isEqualTo(20_000);
            assertThat(answer.primaryEvents()).isEqualTo(logs.primaries.size());
            assertThat(answer.foreignEvents()).isEqualTo(logs.primaryByForeign.size());
            assertThat(answer.repeats()).isEqualTo(logs.records - 20_000L);
            assertThat(answer.foreignRepeats())
                    .isEqualTo(logs.foreignRecords - (long) logs.primaryByForeign.size());
            String ending = gzip ? ".tsv.gz" : ".tsv";
            assertThat(lines(into.resolve("joinable" + ending))).isEqualTo(logs.pairs(true));
            assertThat(lines(into.resolve("orphans" + ending))).isEqualTo(logs.pairs(false));
            assertThat(answer.joinable()).isEqualTo(logs.pairs(true).size());
            assertThat(answer.orphans()).isEqualTo(logs.pairs(false).size());
            assertThat(answer.sha256()).isEqualTo(logs.sha256());
            assertThat(answer.files()).isEqualTo(logs.files.size());
            assertThat(logs.files.stream().anyMatch(file -> file.endsWith(".gz"))).isEqualTo(gzip);
            // It was hard indeed.
            assertThat(answer.orphans()).isGreaterThan(500);
            assertThat(answer.repeats()).isGreaterThan(1_000);
            assertThat(answer.loggedBeforePrimary()).isGreaterThan(500);
            assertThat(answer.lateFiles()).isPositive();
            assertThat(answer.files()).isGreaterThan(3 * 2 * 9);
            assertThat(into.resolve(".aside")).doesNotExist();
        }
    }

    @ParameterizedTest
    @EnumSource(Format.class)
    void theSameSeedGivesTheSameBytesAndAnotherSeedOthers(Format format) throws Exception {
        var first = GeneratedLogs.digests(generate("a", hard(format, 7, true)));
        assertThat(GeneratedLogs.digests(generate("b", hard(format, 7, true)))).isEqualTo(first);
        assertThat(GeneratedLogs.digests(generate("c", hard(format, 8, true))).get("answer.json"))
                .isNotEqualTo(first.get("answer.json"));
    }

    /** A change of the generator that changes what a seed means should be one that was meant. */
    @Test
    void aSeedMeansTheSameForEver() throws Exception {
        Path into = generate("a", hard(Format.FRAMED, 7, false));
        assertThat(answer(into).sha256()).isEqualTo(SHA256_OF_SEED_7);
    }

    private static final String SHA256_OF_SEED_7 =
            "c04e354cec78996a6b8b40af18d630b36e887fc47eb55d1600062ea348bba3fa";

    @Test
    void bothFormatsHoldTheSameEvents() throws Exception {
        Answer lines = answer(generate("a", hard(Format.JSON_LINES, 7, false)));
        Answer frames = answer(generate("b", hard(Format.FRAMED, 7, false)));
        assertThat(frames.joinable()).isEqualTo(lines.joinable());
        assertThat(frames.orphans()).isEqualTo(lines.orphans());
        assertThat(frames.repeats()).isEqualTo(lines.repeats());
    }

    @Test
    void theConfigurationBesideThemCanBeRead() throws Exception {
        for (Format format : Format.values()) {
            Path into = generate(format.text(), hard(format, 7, false));
            assertThat(ConfigLoader.load(into.resolve("photon.yaml")).pipeline().datacenters())
                    .containsExactly("east", "west");
        }
    }

    @Test
    void aRunThatIsStoppedEarlyAnswersForWhatItWrote() throws Exception {
        Path into = directory.resolve("stopped");
        FileGenerator.run(
                into, hard(Format.JSON_LINES, 7, false), new HadoopFileStore(), () -> true);
        GeneratedLogs logs = GeneratedLogs.read(into);
        assertThat(answer(into).events())
                .isLessThan(20_000)
                .isEqualTo(logs.primaries.size() + logs.primaryByForeign.size());
        assertThat(answer(into).sha256()).isEqualTo(logs.sha256());
    }

    @Test
    void theRateSwingsOverTheDayAndTheDelaysHaveALongTail() throws Exception {
        Path into = generate("a", hard(Format.FRAMED, 7, false));
        GeneratedLogs logs = GeneratedLogs.read(into);
        int[] byHour = new int[24];
        for (String id : logs.primaries) {
            byHour[(int) (micros(id) / 3_600_000_000L % 24)]++;
        }
        assertThat(byHour[15]).isGreaterThan(2 * byHour[3]);
        long[] delays =
                logs.pairs(true).stream()
                        .mapToLong(
                                pair ->
                                        micros(pair)
                                                - micros(pair.substring(pair.indexOf('\t') + 1)))
                        .sorted()
                        .toArray();
        assertThat(delays[0]).as("clocks disagree").isNegative();
        assertThat(delays[delays.length / 2]).isBetween(30_000_000L, 90_000_000L);
        assertThat(delays[delays.length * 99 / 100]).isGreaterThan(3_000_000_000L);
    }

    private static long micros(String framedId) {
        return Long.parseLong(framedId.substring(0, framedId.indexOf('/')));
    }

    @Test
    void severalServersWithBothKindsOfAddressesWriteEachTheirOwnFiles() throws Exception {
        GeneratedLogs logs = GeneratedLogs.read(generate("a", hard(Format.JSON_LINES, 7, false)));
        Set<String> processes = new HashSet<>();
        logs.primaries.forEach(id -> processes.add(id.substring(0, id.lastIndexOf(':'))));
        assertThat(processes).hasSize(9).contains("10.1.0.1:4000", "2001:db8:1:0:0:0:0:4:4222");
    }

    @Test
    void pairsAreSorted() {
        for (int seed = 0; seed < 200; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            int size = random.nextInt(3_000);
            int bound = 1 + random.nextInt(1 << random.nextInt(1, 20));
            PairTable table = new PairTable();
            long[][] expected = new long[size][];
            for (int i = 0; i < size; i++) {
                expected[i] = new long[] {random.nextInt(bound), random.nextInt(bound)};
                table.add(expected[i][0], expected[i][1]);
            }
            Arrays.sort(expected, Arrays::compare);
            table.sort();
            for (int i = 0; i < size; i++) {
                assertThat(new long[] {table.first(i), table.second(i)}).isEqualTo(expected[i]);
            }
        }
    }

    @Test
    void lateFilesAreNotSeenBeforeTheyAreDue() throws Exception {
        Path into = directory.resolve("late");
        GeneratorSettings settings = hard(Format.JSON_LINES, 7, false);
        LogSession session =
                new LogSession(
                        into,
                        settings,
                        GeneratorSettings.START_MICROS,
                        LogStore.of(new HadoopFileStore()),
                        Runnable::run,
                        null);
        boolean hidden = false;
        while (!session.done()) {
            long now = session.dueMicros();
            session.step(now);
            session.tick(now);
            try (var aside = Files.list(into.resolve(".aside"))) {
                hidden |= aside.findAny().isPresent();
            }
        }
        assertThat(hidden).isTrue();
        Answer answer = session.finish(session::dueMicros);
        assertThat(GeneratedLogs.read(into).pairs(true)).hasSize((int) answer.joinable());
    }
}
