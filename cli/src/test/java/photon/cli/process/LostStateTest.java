package photon.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import photon.cli.Disorder;
import photon.cli.JoinedPairs;
import photon.cli.LocalProcess;
import photon.cli.Repository;
import photon.storage.files.HadoopFileStore;
import photon.storage.state.StateHome;

/** A dispatcher's disk is lost, with rows of events that still wait for their primary event. */
@Tag("slow")
class LostStateTest {
    @TempDir Path directory;

    private Path config = Path.of("");
    private Path dispatcher = Path.of("");
    private final JsonNode answer;

    LostStateTest() throws IOException {
        answer = Repository.answer("jobs");
    }

    @BeforeEach
    void everyEventWaitsInTheJournals() throws Exception {
        dispatcher = directory.resolve("photon-state/east/dispatcher");
        List<String> lines = Disorder.lines(Repository.files("jobs", ".csv.gz"));
        config =
                Files.writeString(
                        directory.resolve("photon.yaml"),
                        LocalTest.JOBS.formatted("primary/*.log", "foreign/*.log", ""));
        new Disorder(7).write(lines, directory.resolve("foreign"), "events", 3);
        JsonNode before = books(run());
        assertThat(before.get("joined").asInt()).isZero();
        assertThat(before.get("waiting").asInt()).isEqualTo(events());
        new Disorder(8).write(lines, directory.resolve("primary"), "events", 3);
    }

    private int events() {
        return answer.get("joined").asInt() + answer.get("waiting").asInt();
    }

    private LocalProcess run(String... more) throws IOException {
        List<String> args =
                new ArrayList<>(
                        List.of(
                                "local",
                                "--config",
                                config.toString(),
                                "--until-idle",
                                "1s",
                                "--json"));
        args.addAll(List.of(more));
        return LocalProcess.start(directory, "", args.toArray(String[]::new));
    }

    private static JsonNode books(LocalProcess run) throws Exception {
        try (run) {
            return run.awaitBooks();
        }
    }

    private UUID identity() throws IOException {
        return new StateHome(new HadoopFileStore(), dispatcher.toString()).identity().orElseThrow();
    }

    @Test
    void itIsRefusedUntilItIsDeclaredLostAndThenNothingIsMissing() throws Exception {
        UUID lost = identity();
        new HadoopFileStore().delete(dispatcher.toString());

        try (LocalProcess refused = run()) {
            assertThat(refused.await()).as(refused.messages()).isEqualTo(2);
            assertThat(refused.stderr())
                    .contains(
                            "state " + lost + " registered for the dispatcher of east",
                            "--state-is-lost=" + lost);
        }
        assertThat(dispatcher.resolve(lost.toString())).doesNotExist();

        JsonNode after = books(run("--state-is-lost", lost.toString()));
        assertThat(after.get("joined").asInt()).isEqualTo(answer.get("joined").asInt());
        assertThat(after.get("waiting").asInt()).isEqualTo(answer.get("waiting").asInt());
        assertThat(JoinedPairs.read(directory.resolve("photon-out")).sha256())
                .isEqualTo(answer.get("sha256").asText());
        UUID next = identity();
        assertThat(next).isNotEqualTo(lost);

        // The option may stay where it is.
        books(run("--state-is-lost", lost.toString()));
        assertThat(identity()).isEqualTo(next);
    }
}
