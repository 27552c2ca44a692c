package photon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import photon.core.config.ConfigLoader;
import photon.core.share.StoreShare;
import photon.eventstore.index.IndexDirectory;
import photon.eventstore.index.IndexLimits;
import photon.server.lifecycle.StateLock;
import photon.storage.files.HadoopFileStore;

/** The index of an event store that is stopped is dropped, and of no other. */
class EventStoreRebuildCommandTest {
    @TempDir Path directory;
    private Path config;

    @BeforeEach
    void anIndexAndALog() throws Exception {
        Files.createDirectories(directory.resolve("pages"));
        Files.writeString(directory.resolve("pages/a.jsonl"), "{\"page\":\"p1\",\"at\":1}\n");
        config =
                Files.writeString(
                        directory.resolve("photon.yaml"),
                        """
                        pipeline: ads
                        datacenters: [east]
                        primary:
                          paths: ["pages/*.jsonl"]
                          format: {type: json-lines}
                          id: {from: [page]}
                          timestamp: {field: at, unit: millis}
                        foreign:
                          paths: ["clicks/*.jsonl"]
                          format: {type: json-lines}
                          id: {from: [click]}
                          timestamp: {field: at, unit: millis}
                          primaryId: {from: [page]}
                        deployment:
                          datacenter: east
                          state: state
                          output: out
                          registry:
                            - {name: r0, datacenter: east, raft: "127.0.0.1:1", service: "127.0.0.1:2"}
                          eventStores:
                            - {name: eventstore-0, address: "127.0.0.1:3"}
                            - {name: eventstore-1, address: "127.0.0.1:4"}
                          dispatcher: 127.0.0.1:5
                          joiners:
                            - {name: joiner-0, address: "127.0.0.1:6"}
                        """);
        openIndex("eventstore");
        openIndex("eventstores/eventstore-1");
    }

    /** As a start of the event store does. */
    private void openIndex(String store) throws IOException {
        Path state = Files.createDirectories(directory.resolve("state/east").resolve(store));
        new IndexDirectory(new HadoopFileStore(), state.toString(), IndexLimits.DEFAULTS)
                .open(
                        ConfigLoader.load(config).pipeline().primary(),
                        StoreShare.WHOLE,
                        Runnable::run)
                .close();
    }

    private Path index(String store) {
        return directory.resolve("state/east").resolve(store).resolve("index");
    }

    private Captured rebuild(String... more) {
        List<String> args =
                new ArrayList<>(List.of("eventstore", "rebuild", "--config", config.toString()));
        args.addAll(List.of(more));
        return Captured.run(args.toArray(String[]::new));
    }

    private static JsonNode json(Captured run) throws IOException {
        assertThat(run.status()).as(run.toString()).isZero();
        return new ObjectMapper().readTree(run.stdout());
    }

    @Test
    void aPlanChangesNothing() throws Exception {
        Captured plan = rebuild("--dry-run");
        assertThat(plan.status()).as(plan.toString()).isZero();
        assertThat(plan.stdout())
                .contains("event store eventstore-0 of east", "dropped: " + index("eventstore"))
                .contains("read from their start: 1 logs, 21 bytes", "planned");
        JsonNode json = json(rebuild("--dry-run", "--json"));
        assertThat(json.get("outcome").asText()).isEqualTo("planned");
        assertThat(json.get("indexBytes").asLong()).isPositive();
        assertThat(index("eventstore")).isNotEmptyDirectory();
    }

    @Test
    void onlyTheNamedOneIsDroppedAndASecondCallFindsNothing() throws Exception {
        JsonNode done = json(rebuild("--name", "eventstore-1", "--yes", "--json"));
        assertThat(done.get("outcome").asText()).isEqualTo("dropped");
        assertThat(done.get("eventStore").asText()).isEqualTo("eventstore-1");
        assertThat(index("eventstores/eventstore-1")).doesNotExist();
        assertThat(index("eventstore")).isNotEmptyDirectory();
        assertThat(
                        json(rebuild("--name", "eventstore-1", "--yes", "--json"))
                                .get("outcome")
                                .asText())
                .isEqualTo("there is no index on this machine");
        openIndex("eventstores/eventstore-1");
        assertThat(index("eventstores/eventstore-1")).isNotEmptyDirectory();
    }

    @Test
    void whatWouldLoseSomethingIsRefused() throws Exception {
        Captured unknown = rebuild("--name", "eventstore-2", "--yes");
        assertThat(unknown.status()).isEqualTo(2);
        assertThat(unknown.stderr()).contains("--name is 'eventstore-2': expected an event store");

        StateLock works = StateLock.take(directory.resolve("state/east/locks/eventstore"), "state");
        try {
            Captured refused = rebuild("--yes");
            assertThat(refused.status()).isEqualTo(1);
            assertThat(refused.stderr())
                    .contains(
                            "not rebuilt: the event store eventstore-0 works with",
                            "stop it first");
            JsonNode other = json(rebuild("--name", "eventstore-1", "--dry-run", "--json"));
            assertThat(other.get("logs").asInt()).isEqualTo(1);
        } finally {
            works.close();
        }

        Files.delete(directory.resolve("pages/a.jsonl"));
        Files.delete(directory.resolve("pages"));
        Captured unmounted = rebuild("--yes");
        assertThat(unmounted.status()).isEqualTo(1);
        assertThat(unmounted.stdout()).contains("NOT THERE: " + directory.resolve("pages"));
        assertThat(unmounted.stderr()).contains("its logs could not be read again");
        assertThat(index("eventstore")).isNotEmptyDirectory();
    }
}
