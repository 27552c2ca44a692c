package photon.cli.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import photon.cli.Disorder;
import photon.cli.JoinedPairs;
import photon.cli.LocalProcess;
import photon.cli.Repository;

/**
 * {@code photon local} in processes of its own, on real and generated events whose right answer is
 * known.
 */
class LocalTest {
    static final String JOBS =
            """
            pipeline: jobs
            datacenters: [east, west]
            stagger: 500ms
            primary:
              paths: ["%1$s"]
              format: {type: csv, header: false, columns: [time_us, missing_info, job_id, event_type]}
              where: {event_type: ["0"]}
              id: {from: [job_id]}
              timestamp: {field: time_us, unit: micros, plausible: any}
            foreign:
              paths: ["%2$s"]
              format: {type: csv, header: false, columns: [time_us, missing_info, job_id, event_type]}
              where: {event_type: ["2", "3", "4", "5", "6"]}
              id: {from: [job_id, event_type, time_us]}
              timestamp: {field: time_us, unit: micros, plausible: any}
              primaryId: {from: [job_id]}
            limits: {publishEvery: 500ms, retryBackoffMax: 1s%3$s}
            """;

    static final String CLICKS =
            """
            pipeline: clicks
            datacenters: [east, west]
            stagger: 500ms
            primary:
              paths: ["%1$s"]
              format: {type: json-lines}
              id: {from: [link]}
              timestamp: {field: made, unit: seconds}
            foreign:
              paths: ["%2$s"]
              format: {type: json-lines}
              id: {from: [click]}
              timestamp: {field: at, unit: seconds}
              primaryId: {from: [link]}
            limits: {publishEvery: 500ms, retryBackoffMax: 1s}
            """;

    /** Seconds since 1970, years ago. */
    private static final long AT = 1_700_000_000;

    @TempDir Path directory;

    Path config(String text) throws IOException {
        return Files.writeString(directory.resolve("photon.yaml"), text);
    }

    LocalProcess start(Path config, String haltAt) throws IOException {
        return LocalProcess.start(
                directory,
                haltAt,
                "local",
                "--config",
                config.toString(),
                "--until-idle",
                "1s",
                "--json");
    }

    JsonNode join(Path config) throws IOException, InterruptedException {
        try (LocalProcess run = start(config, "")) {
            return run.awaitBooks();
        }
    }

    /** Of a run that could join nothing. */
    private JsonNode joinNothing(Path config, String why) throws IOException, InterruptedException {
        try (LocalProcess run = start(config, "")) {
            JsonNode books = run.awaitBooks(1);
            assertThat(run.stderr()).contains(why);
            return books;
        }
    }

    private void audit() throws IOException, InterruptedException {
        audit(directory);
    }

    /** By the implementation in another language. */
    static void audit(Path directory) throws IOException, InterruptedException {
        Process audit =
                new ProcessBuilder(
                                "python3",
                                Repository.root().resolve("docs/audit/audit.py").toString(),
                                "--output",
                                directory.resolve("photon-out").toString(),
                                "--state",
                                directory.resolve("photon-state").toString())
                        .redirectErrorStream(true)
                        .start();
        String said = new String(audit.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(audit.waitFor()).as(said).isZero();
    }

    /** What waits for good otherwise; and a second run finds nothing more to do. */
    @Test
    @Tag("slow")
    void whatFindsNoPrimaryEventIsJoinedWithoutOnceTheDeadlineHasPassed() throws Exception {
        Path jobs = Repository.example("jobs");
        JsonNode answer = Repository.answer("jobs");
        int waiting = answer.get("waiting").asInt();
        int joined = answer.get("joined").asInt();
        Path config =
                config(
                        JOBS.formatted(jobs + "/*.csv.gz", jobs + "/*.csv.gz", "")
                                + "unmatched: {after: 1h}\n");
        assertThat(waiting).isPositive();
        JsonNode books = join(config);
        assertThat(books.get("joined").asInt()).isEqualTo(joined + waiting);
        assertThat(books.get("unmatched").asInt()).isEqualTo(waiting);
        assertThat(books.get("waiting").asInt()).isZero();
        assertThat(books.get("duplicates").asInt()).isZero();
        assertThat(books.get("unaccounted").asInt()).isZero();
        assertThat(unmatchedLines()).isEqualTo(waiting);
        audit();
        JsonNode again = join(config);
        assertThat(again.get("joined").asInt()).isEqualTo(joined + waiting);
        assertThat(again.get("unmatched").asInt()).isZero();
        assertThat(unmatchedLines()).isEqualTo(waiting);
    }

    /** In the same state, by a later run: each event once more, whichever datacenter finds it. */
    @Test
    @Tag("slow")
    void aPrimaryEventThatComesAfterTheDeadlineUpgradesItsEventOnce() throws Exception {
        Path links = Files.createDirectory(directory.resolve("links"));
        Path clicks = Files.createDirectory(directory.resolve("clicks"));
        StringBuilder clicked = new StringBuilder();
        StringBuilder late = new StringBuilder();
        int events = 40;
        for (int i = 0; i < events; i++) {
            clicked.append(
                    "{\"click\": \"c%d\", \"at\": %d, \"link\": \"l%d\"}\n"
                            .formatted(i, AT + i, i));
            late.append("{\"link\": \"l%d\", \"made\": %d}\n".formatted(i, AT));
        }
        Files.writeString(clicks.resolve("a.jsonl"), clicked);
        Files.writeString(
                links.resolve("a.jsonl"), "{\"link\": \"other\", \"made\": %d}\n".formatted(AT));
        Path config =
                config(
                        CLICKS.formatted(links + "/*.jsonl", clicks + "/*.jsonl")
                                + "unmatched: {after: 1h, upgrade: true}\n");
        JsonNode books = join(config);
        assertThat(books.get("joined").asInt()).isEqualTo(events);
        assertThat(books.get("upgraded").asInt()).isZero();
        assertThat(unmatchedLines()).isEqualTo(events);
        audit();
        Files.writeString(links.resolve("late.jsonl"), late);
        // A run ends when it is idle, which is no promise that every late primary event was found.
        for (int runs = 0; runs < 60 && books.get("upgraded").asInt() < events; runs++) {
            books = join(config);
        }
        assertThat(books.get("upgraded").asInt()).isEqualTo(events);
        assertThat(books.get("joined").asInt()).isEqualTo(events);
        assertThat(books.get("duplicates").asInt()).isZero();
        assertThat(unmatchedLines()).isEqualTo(events);
        assertThat(lines(", \"upgrade\": true}")).isEqualTo(events);
        audit();
    }

    private long unmatchedLines() throws IOException {
        return lines("\"primary\": null, \"unmatched\": true}");
    }

    private long lines(String end) throws IOException {
        try (Stream<Path> all = Files.walk(directory.resolve("photon-out"))) {
            long found = 0;
            for (Path file : all.filter(one -> one.toString().endsWith(".jsonl")).toList()) {
                found += Files.readAllLines(file).stream().filter(l -> l.endsWith(end)).count();
            }
            return found;
        }
    }

    @Test
    void theExampleOfJobsIsJoinedExactlyAndAStartAgainJoinsNothingMore() throws Exception {
        Path jobs = Repository.example("jobs");
        JsonNode answer = Repository.answer("jobs");
        // Long enough for the datacenter that starts last to take its share.
        Path config =
                config(
                        JOBS.replace("stagger: 500ms", "stagger: 10m")
                                .formatted(jobs + "/*.csv.gz", jobs + "/*.csv.gz", ""));
        JsonNode books = join(config);
        // A second shard on the same cores would only cost.
        assertThat(directory.resolve("photon-state/registry/r0/ids").toFile().list()).hasSize(1);
        assertThat(books.get("joined").asInt()).isEqualTo(answer.get("joined").asInt());
        assertThat(books.get("waiting").asInt()).isEqualTo(answer.get("waiting").asInt());
        assertThat(books.get("foreignEvents").asInt())
                .isEqualTo(answer.get("joined").asInt() + answer.get("waiting").asInt());
        assertThat(books.get("byDatacenter").get("east").get("joined").asInt()).isPositive();
        assertThat(books.get("byDatacenter").get("west").get("joined").asInt()).isPositive();
        JoinedPairs pairs = JoinedPairs.read(directory.resolve("photon-out"));
        assertThat(pairs.count()).isEqualTo(answer.get("joined").asInt());
        assertThat(pairs.sha256()).isEqualTo(answer.get("sha256").asText());
        audit();

        JsonNode again = join(config);
        assertThat(again.get("joined")).isEqualTo(books.get("joined"));
        assertThat(again.get("thisRun").toString()).isEqualTo("{\"foreignEvents\":0,\"joined\":0}");
        assertThat(books.get("thisRun").get("joined")).isEqualTo(books.get("joined"));
        assertThat(JoinedPairs.read(directory.resolve("photon-out")).sha256())
                .isEqualTo(pairs.sha256());
    }

    @Test
    @Tag("crash")
    void disorderRepeatsAndPrimaryLogsThatComeLongAfterChangeNothing() throws Exception {
        JsonNode answer = Repository.answer("jobs");
        List<String> lines = Disorder.lines(Repository.files("jobs", ".csv.gz"));
        Disorder disorder = new Disorder(20111);
        Path config = config(JOBS.formatted("primary/*.log", "foreign/*.log", ""));
        disorder.write(
                disorder.shuffledAndRepeated(lines), directory.resolve("foreign"), "events", 5);
        JsonNode before = join(config);
        assertThat(before.get("joined").asInt()).isZero();
        assertThat(before.get("waiting").asInt())
                .isEqualTo(answer.get("joined").asInt() + answer.get("waiting").asInt());

        disorder.write(
                disorder.shuffledAndRepeated(lines), directory.resolve("primary"), "events", 4);
        JsonNode after = join(config);
        assertThat(after.get("joined").asInt()).isEqualTo(answer.get("joined").asInt());
        assertThat(after.get("waiting").asInt()).isEqualTo(answer.get("waiting").asInt());
        assertThat(JoinedPairs.read(directory.resolve("photon-out")).sha256())
                .isEqualTo(answer.get("sha256").asText());
        audit();
    }

    @Test
    @Tag("crash")
    void filesThatGrowWhileTheyAreReadAreReadWhole() throws Exception {
        JsonNode answer = Repository.answer("jobs");
        List<String> lines = Disorder.lines(Repository.files("jobs", ".csv.gz"));
        byte[] content = (String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8);
        Path log = directory.resolve("events.csv");
        Files.createFile(log);
        Path config = config(JOBS.formatted("events.csv", "events.csv", ""));
        try (LocalProcess run =
                LocalProcess.start(
                        directory,
                        "",
                        "local",
                        "--config",
                        config.toString(),
                        "--until-idle",
                        "15s",
                        "--json")) {
            // Pieces that end anywhere, also within a record, each written when the one before was
            // published.
            try (OutputStream out = Files.newOutputStream(log, StandardOpenOption.APPEND)) {
                int pieces = 7;
                for (int i = 0; i < pieces; i++) {
                    out.write(
                            content,
                            content.length * i / pieces,
                            content.length * (i + 1) / pieces - content.length * i / pieces);
                    out.flush();
                }
            }
            JsonNode books = run.awaitBooks();
            assertThat(books.get("joined").asInt()).isEqualTo(answer.get("joined").asInt());
        }
        assertThat(JoinedPairs.read(directory.resolve("photon-out")).sha256())
                .isEqualTo(answer.get("sha256").asText());
    }

    @Test
    @Tag("slow")
    void idsOlderThanTheRetentionAreSkippedAndCounted() throws Exception {
        Path jobs = Repository.example("jobs");
        JsonNode answer = Repository.answer("jobs");
        // Their clock began in 1970.
        JsonNode books =
                joinNothing(
                        config(
                                "retention: 3d\n"
                                        + JOBS.formatted(
                                                jobs + "/*.csv.gz", jobs + "/*.csv.gz", "")),
                        "are older than the retention, 3d, and Photon joined none");
        assertThat(books.get("joined").asInt()).isZero();
        assertThat(books.get("skipped").get("too old").asInt())
                .isEqualTo(answer.get("joined").asInt() + answer.get("waiting").asInt());
        assertThat(books.get("foreignEvents")).isEqualTo(books.get("skipped").get("too old"));
        audit();
    }

    @Test
    @Tag("slow")
    void aRetentionThatTheConfigurationSaysAnewStandsFromThenOn() throws Exception {
        Path jobs = Repository.example("jobs");
        Path none = directory.resolve("none");
        JsonNode made = join(config(JOBS.formatted(none + "/*.csv", none + "/*.csv", "")));
        assertThat(made.get("foreignEvents").asInt()).isZero();
        JsonNode books =
                joinNothing(
                        config(
                                "retention: 3d\n"
                                        + JOBS.formatted(
                                                jobs + "/*.csv.gz", jobs + "/*.csv.gz", "")),
                        "are older than the retention, 3d, and Photon joined none");
        assertThat(books.get("joined").asInt()).isZero();
        assertThat(books.get("foreignEvents").asInt()).isPositive();
        assertThat(books.get("skipped").get("too old")).isEqualTo(books.get("foreignEvents"));
    }

    @Test
    @Tag("slow")
    void realJobsOfABorgCellAreJoinedExactly() throws Exception {
        Path sample = Repository.sampleData("borg-sample");
        assumeTrue(Files.isDirectory(sample), "skipped: no sample data at " + sample);
        JsonNode books =
                join(config(JOBS.formatted(sample + "/*.csv.gz", sample + "/*.csv.gz", "")));
        assertThat(books.get("joined").asInt()).isEqualTo(10_311);
        assertThat(books.get("waiting").asInt()).isEqualTo(234);
        assertThat(JoinedPairs.read(directory.resolve("photon-out")).sha256())
                .isEqualTo("663201f5d4deaa842532b1d318c85387808a0895795b3a1546bbcb3c3467d88e");
        audit();
    }

    @Test
    @Tag("slow")
    void realClicksOnShortLinksAreJoinedExactly() throws Exception {
        Path sample = Repository.sampleData("usagov-sample");
        assumeTrue(Files.isDirectory(sample), "skipped: no sample data at " + sample);
        JsonNode books =
                join(config(CLICKS.formatted(sample + "/links.jsonl", sample + "/clicks.jsonl")));
        assertThat(books.get("joined").asInt()).isEqualTo(3_440);
        assertThat(books.get("foreignEvents").asInt()).isEqualTo(3_440);
        assertThat(JoinedPairs.read(directory.resolve("photon-out")).count()).isEqualTo(3_440);
        audit();
    }
}
