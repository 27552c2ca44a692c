package photon.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import photon.cli.Disorder;
import photon.cli.JoinedPairs;
import photon.cli.LocalProcess;
import photon.cli.Repository;
import photon.core.testing.Await;

/** One of two datacenters of a local pipeline is retired, and the other goes on alone. */
@Tag("slow")
class RetireLocalTest {
    @TempDir Path directory;

    private Path config(String text) throws IOException {
        return Files.writeString(directory.resolve("photon.yaml"), text);
    }

    private LocalProcess start(Path config, String haltAt) throws IOException {
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

    private JsonNode join(Path config) throws Exception {
        try (LocalProcess run = start(config, "")) {
            return run.awaitBooks();
        }
    }

    private boolean hasPublished(String datacenter) {
        String[] days =
                directory
                        .resolve("photon-out")
                        .resolve(datacenter)
                        .toFile()
                        .list((in, name) -> name.startsWith("dt="));
        return days != null && days.length > 0;
    }

    private LocalProcess datacenter(Path config, String... more) throws IOException {
        List<String> args = new ArrayList<>(List.of("datacenter"));
        args.addAll(List.of(more));
        args.addAll(List.of("--config", config.toString(), "--json"));
        return LocalProcess.start(directory, "", args.toArray(String[]::new));
    }

    private JsonNode asked(int expected, Path config, String... more) throws Exception {
        try (LocalProcess asked = datacenter(config, more)) {
            assertThat(asked.await()).as(asked.messages()).isEqualTo(expected);
            return new ObjectMapper().readTree(asked.stdout());
        }
    }

    private void refused(Path config, String... said) throws Exception {
        try (LocalProcess run = start(config, "")) {
            assertThat(run.await()).as(run.messages()).isEqualTo(2);
            assertThat(run.stderr()).contains(said);
        }
    }

    private void write(String name, List<String> lines) throws IOException {
        Files.writeString(directory.resolve(name), String.join("\n", lines) + "\n");
    }

    @Test
    void theOtherGoesOnAndTheBooksBalance() throws Exception {
        List<String> lines = Disorder.lines(Repository.files("jobs", ".csv.gz"));
        int half = lines.size() / 2;
        write("events-0.csv", lines.subList(0, half));
        String both =
                // Long enough for the datacenter that starts last to take its share.
                LocalTest.JOBS
                        .replace("stagger: 500ms", "stagger: 10m")
                        .formatted(
                                "events-*.csv",
                                "events-*.csv",
                                ", eventsInFlightMax: 40, commitsInFlightMax: 40");
        Path config = config(both);
        // Killed once west has published: its incarnation is open.
        try (LocalProcess killed =
                LocalProcess.start(directory, "", "local", "--config", config.toString())) {
            Await.until(
                    Duration.ofMinutes(5),
                    "west to publish",
                    killed::messagesOrTrouble,
                    () -> hasPublished("west"));
            killed.kill();
        }
        JsonNode early = asked(1, config, "retire", "west", "--yes");
        assertThat(early.get("outcome").asText()).isEqualTo("not retired");
        assertThat(early.get("refusals").toString())
                .contains("not repaired", "photon local --until-idle", "west in datacenters");

        JsonNode before = join(config);
        int west = before.get("byDatacenter").get("west").get("joined").asInt();
        assertThat(west).isPositive();
        Path alone = config(both.replace("[east, west]", "[east]"));
        refused(
                alone,
                "west has output here, in " + directory.resolve("photon-out/west"),
                "Retire it with 'photon datacenter retire west'",
                "write datacenters: [east, west]");

        assertThat(asked(0, alone, "retire", "west", "--dry-run").get("outcome").asText())
                .isEqualTo("would be retired");
        JsonNode retired = asked(0, alone, "retire", "west", "--yes");
        assertThat(retired.get("outcome").asText()).isEqualTo("retired");
        assertThat(retired.get("output").get("events").asInt()).isEqualTo(west);
        assertThat(asked(0, alone, "retire", "west", "--yes").get("outcome").asText())
                .isEqualTo("retired before");
        try (LocalProcess last = datacenter(alone, "retire", "east", "--yes")) {
            assertThat(last.await()).as(last.messages()).isEqualTo(1);
            assertThat(last.stderr()).contains("no other datacenter takes part");
        }

        write("events-1.csv", lines.subList(half, lines.size()));
        JsonNode answer = Repository.answer("jobs");
        JsonNode after = join(alone);
        assertThat(after.get("joined").asInt()).isEqualTo(answer.get("joined").asInt());
        assertThat(after.get("waiting").asInt()).isEqualTo(answer.get("waiting").asInt());
        assertThat(after.get("byDatacenter").get("west").get("joined").asInt()).isEqualTo(west);
        assertThat(JoinedPairs.read(directory.resolve("photon-out")).sha256())
                .isEqualTo(answer.get("sha256").asText());
        LocalTest.audit(directory);

        refused(
                config(both),
                "datacenters is [east, west], but datacenter west was retired at 20",
                "does not come back",
                "Write datacenters: [east]");
        Files.move(directory.resolve("photon-out/west"), directory.resolve("elsewhere"));
        config(both.replace("[east, west]", "[east]"));
        try (LocalProcess run = start(alone, "")) {
            assertThat(run.awaitBooks(1).get("alarms").toString())
                    .contains("datacenter west was retired", "is not there: put it back");
        }
    }
}
