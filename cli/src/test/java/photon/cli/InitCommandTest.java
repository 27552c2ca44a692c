package photon.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code photon init} prints and writes, and its exit status. */
class InitCommandTest {
    private static final long AT = 1_760_000_000;
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir Path directory;

    private Path config() {
        return directory.resolve("photon.yaml");
    }

    private Captured init(String foreign, String primary, String... more) {
        List<String> args = new ArrayList<>(List.of("init", "--foreign", foreign));
        args.addAll(List.of("--primary", primary));
        args.addAll(List.of(more));
        if (!args.contains("--config")) {
            args.addAll(List.of("--config", config().toString()));
        }
        return Captured.run(args.toArray(String[]::new));
    }

    /** The same verdict of the configuration that was written. */
    private JsonNode test() throws IOException {
        Captured run =
                Captured.run(
                        "config",
                        "test",
                        "--config",
                        config().toString(),
                        "--records",
                        "1000000",
                        "-o",
                        "json");
        assertThat(run.status()).as(run.toString()).isZero();
        return JSON.readTree(run.stdout());
    }

    private static String ads(String name) {
        return Repository.example("ads").resolve(name).toString();
    }

    private static String lines(String format, int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> format.formatted(i, AT + i) + "\n")
                .collect(Collectors.joining());
    }

    @Test
    void theExampleOfAdsIsGuessedAsItIs() throws Exception {
        Captured run = init(ads("clicks-*.jsonl"), ads("impressions-*.csv.gz"));
        assertThat(run.status()).as(run.toString()).isZero();
        assertThat(run.stderr()).isEmpty();
        assertThat(run.stdout())
                .contains("foreign.primaryId: {from: [ad.impression]}\n  certain: ")
                .contains("The first joined pair, as Photon would write it:\n{\"id\": ")
                .contains("  photon config test --config " + config())
                .contains("  photon local --config " + config() + " --until-idle 5s");
        JsonNode join = test().get("join");
        Captured given =
                Captured.run("config", "test", "--config", ads("photon.yaml"), "-o", "json");
        assertThat(join.get("found")).isEqualTo(JSON.readTree(given.stdout()).at("/join/found"));
        // Setting by setting as the example has it, but for its comments and paths.
        String example = Files.readString(Path.of(ads("photon.yaml")));
        Files.readString(config())
                .lines()
                .map(String::strip)
                .filter(line -> line.startsWith("id:") || line.startsWith("timestamp:"))
                .forEach(line -> assertThat(example).contains(line));
    }

    @Test
    void theExampleOfJobsNeedsToKnowWhichRecordsAreWhich() throws Exception {
        String jobs = Repository.example("jobs").resolve("part-*.csv.gz").toString();
        Captured run = init(jobs, jobs);
        assertThat(run.status()).isEqualTo(1);
        assertThat(run.stderr())
                .contains("both streams are in the same files")
                .contains("column4 is 0 (")
                .contains("--primary-where FIELD=VALUE");
        assertThat(config()).doesNotExist();
        String columns = "time_us,missing_info,job_id,event_type,a,b,c,d";
        String[] told = {
            "--primary-columns",
            columns,
            "--foreign-columns",
            columns,
            "--primary-where",
            "event_type=0",
            "--foreign-where",
            "event_type=2,3,4,5,6"
        };
        Captured times = init(jobs, jobs, told);
        assertThat(times.status()).isEqualTo(1);
        assertThat(times.stderr())
                .contains("photon: primary.timestamp: no field holds dates from 2000")
                .contains("--foreign-timestamp FIELD:seconds|millis|micros");
        List<String> all = new ArrayList<>(List.of(told));
        all.addAll(List.of("--primary-timestamp", "time_us:micros"));
        all.addAll(List.of("--foreign-timestamp", "time_us:micros"));
        Captured known = init(jobs, jobs, all.toArray(String[]::new));
        assertThat(known.status()).as(known.toString()).isZero();
        assertThat(known.stdout())
                .contains("primary.timestamp: {field: time_us, unit: micros, plausible: any}")
                .contains("primary.id: {from: [job_id]}")
                .contains("foreign.id: {from: [job_id, time_us]}");
        assertThat(test().at("/join/found").asInt())
                .isEqualTo(Repository.answer("jobs").get("joined").asInt());
    }

    @Test
    void realClicks() throws Exception {
        Path data = Repository.sampleData("usagov-sample");
        assumeTrue(Files.isDirectory(data), data + " is not there");
        Captured run =
                init(
                        data.resolve("clicks.jsonl").toString(),
                        data.resolve("links.jsonl").toString(),
                        "-o",
                        "json");
        assertThat(run.status()).as(run.toString()).isZero();
        JsonNode result = JSON.readTree(run.stdout());
        assertThat(result.get("good").asBoolean()).isTrue();
        assertThat(result.get("written").asText()).isEqualTo(config().toString());
        assertThat(result.at("/join/found").asInt()).isEqualTo(3_440);
        assertThat(result.get("guesses"))
                .as("all of it is certain")
                .allMatch(guess -> guess.get("certainty").asText().equals("certain"));
        assertThat(test().at("/join/found").asInt()).isEqualTo(3_440);
    }

    @Test
    void realJobs() throws Exception {
        Path data = Repository.sampleData("borg-sample");
        assumeTrue(Files.isDirectory(data), data + " is not there");
        String parts = data.resolve("part-*.csv.gz").toString();
        Captured run =
                init(
                        parts,
                        parts,
                        "--primary-where",
                        "column4=0",
                        "--foreign-where",
                        "column4=2,3,4,5,6",
                        "--primary-timestamp",
                        "column1:micros",
                        "--foreign-timestamp",
                        "column1:micros");
        assertThat(run.status()).as(run.toString()).isZero();
        JsonNode result = test();
        assertThat(result.at("/join/found").asInt()).isEqualTo(10_311);
        assertThat(result.at("/foreign/events").asInt()).isEqualTo(10_545);
    }

    @Test
    void whatIsThereIsNotReplacedUnlessForced() throws Exception {
        String clicks = ads("clicks-0.jsonl");
        String impressions = ads("impressions-0.csv.gz");
        Files.writeString(config(), "mine");
        Captured refused = init(clicks, impressions);
        assertThat(refused.status()).isEqualTo(2);
        assertThat(refused.stderr()).contains("already exists").contains("--force");
        assertThat(Files.readString(config())).isEqualTo("mine");
        Set<PosixFilePermission> mine = PosixFilePermissions.fromString("rw-r-----");
        Files.setPosixFilePermissions(config(), mine);
        assertThat(init(clicks, impressions, "--force").status()).isZero();
        assertThat(Files.readString(config())).contains("pipeline: clicks");
        assertThat(Files.getPosixFilePermissions(config())).isEqualTo(mine);
        assertThat(directory)
                .as("nothing is left beside it")
                .isDirectoryNotContaining("glob:**init*");
    }

    @Test
    void aConfigurationThatDoesNotJoinIsWrittenOnlyIfAllIsStated() throws Exception {
        Path clicks =
                Files.writeString(
                        directory.resolve("clicks.csv"),
                        "click,imp,at\n" + lines("c%1$d,x%1$d,%2$d", 50));
        Path impressions =
                Files.writeString(
                        directory.resolve("impressions.csv"),
                        "impression,at\n" + lines("i%1$d,%2$d", 50));
        Captured run = init(clicks.toString(), impressions.toString());
        assertThat(run.status()).isEqualTo(1);
        assertThat(run.stderr()).startsWith("photon: foreign.primaryId: ");
        assertThat(run.stdout()).doesNotContain("Wrote");
        assertThat(config()).doesNotExist();
        Captured insisted =
                init(
                        clicks.toString(),
                        impressions.toString(),
                        "--foreign-key",
                        "imp",
                        "--primary-id",
                        "impression");
        assertThat(insisted.status()).isEqualTo(1);
        assertThat(insisted.stdout()).contains("Wrote " + config());
        assertThat(insisted.stderr()).contains("of 50 sampled foreign events, 0 match");
        assertThat(Captured.run("config", "test", "--config", config().toString()).status())
                .isEqualTo(1);
    }

    @Test
    void wrongUsage() {
        String clicks = ads("clicks-0.jsonl");
        String impressions = ads("impressions-0.csv.gz");
        assertThat(Captured.run("init").status()).isEqualTo(2);
        assertThat(init(directory.toString(), impressions).status()).isEqualTo(2);
        assertThat(init(clicks + "x", impressions).stderr()).contains("the file does not exist");
        Captured where = init(clicks, impressions, "--foreign-where", "lang");
        assertThat(where.status()).isEqualTo(2);
        assertThat(where.stderr()).contains("expected FIELD=VALUE");
        Captured unknown = init(clicks, impressions, "--foreign-key", "ad.impresion");
        assertThat(unknown.status()).isEqualTo(2);
        assertThat(unknown.stderr()).contains("did you mean 'ad.impression'?");
        Captured pattern = init(clicks, impressions, "--foreign-timestamp", "at:milis");
        assertThat(pattern.status()).isEqualTo(2);
        assertThat(pattern.stderr()).contains("at:seconds, :millis, :micros or a pattern");
        Captured name = init(clicks, impressions, "--pipeline", "My Clicks");
        assertThat(name.status()).isEqualTo(2);
        assertThat(name.stderr()).contains("pipeline is 'My Clicks'");
        assertThat(init(clicks, impressions, "--config", directory.toString()).status())
                .isEqualTo(2);
        assertThat(init(clicks, impressions, "--config", directory + "/no/photon.yaml").stderr())
                .contains("does not exist. Create it first");
        assertThat(config()).doesNotExist();
    }

    @Test
    void theHelpHasAnExampleAndTheExitStatus() {
        Captured help = Captured.run("init", "--help");
        assertThat(help.status()).isZero();
        assertThat(help.stdout())
                .contains("photon init --foreign clicks.jsonl --primary impressions.csv")
                .contains("Exit status:")
                .contains("--foreign-timestamp");
    }
}
