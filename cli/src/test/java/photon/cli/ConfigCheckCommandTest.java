package photon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code photon config check} and {@code schema} print, and their exit status. */
class ConfigCheckCommandTest {
    @TempDir Path directory;

    private String config(int dispatcherPort) throws IOException {
        return Files.writeString(
                        directory.resolve("photon.yaml"),
                        """
                        pipeline: ads
                        datacenters: [east]
                        primary: {paths: ["a*"], format: {type: framed}, id: native}
                        foreign: {paths: ["b*"], format: {type: framed}, id: native, primaryId: native}
                        deployment:
                          datacenter: east
                          registry: [{name: r0, datacenter: east, raft: "127.0.0.1:1", service: "127.0.0.1:2"}]
                          eventStore: "127.0.0.1:3"
                          dispatcher: "127.0.0.1:%d"
                          joiners: [{name: joiner-0, address: "127.0.0.1:5"}]
                          clock: {source: configured, bound: 50ms}
                        """
                                .formatted(dispatcherPort))
                .toString();
    }

    @Test
    void aTakenPortIsStatusOneAndInTheDocument() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String config = config(taken.getLocalPort());
            Captured table = Captured.run("config", "check", "dispatcher", "--config", config);
            assertThat(table.status()).as("%s", table).isEqualTo(1);
            assertThat(table.stdout())
                    .contains(
                            "FAIL  port         deployment.dispatcher 127.0.0.1:"
                                    + taken.getLocalPort()
                                    + ": another program listens there\n      expected: ");
            Captured json =
                    Captured.run("config", "check", "dispatcher", "--config", config, "-o", "json");
            assertThat(json.status()).isEqualTo(1);
            JsonNode document = new ObjectMapper().readTree(json.stdout());
            assertThat(document.get("good").asBoolean()).isFalse();
            assertThat(document.at("/checks/0/level").asText()).isEqualTo("fail");
        }
    }

    @Test
    void whatOnlyWarnsIsStatusZero() throws Exception {
        int port;
        try (ServerSocket socket = new ServerSocket(0)) {
            port = socket.getLocalPort();
        }
        Captured run =
                Captured.run(
                        "config", "check", "dispatcher", "--timeout=2m", "--config", config(port));
        assertThat(run.status()).as("%s", run).isZero();
        assertThat(run.stdout())
                .contains("WARN  clock        registry server 127.0.0.1:2: not compared")
                .endsWith(" WARN, 0 FAIL\n");
    }

    @Test
    void wrongUsageIsStatusTwo() throws Exception {
        Captured unknown =
                Captured.run("config", "check", "registry", "--name", "r9", "--config", config(4));
        assertThat(unknown.status()).isEqualTo(2);
        assertThat(unknown.stderr()).contains("--name is 'r9': expected a replica");
        Captured local =
                Captured.run(
                        "config",
                        "check",
                        "dispatcher",
                        "--config",
                        Repository.example("ads").resolve("photon.yaml").toString());
        assertThat(local.status()).isEqualTo(2);
        assertThat(local.stderr()).contains("deployment is missing");
    }

    @Test
    void theSchemaIsTheFileOfTheDocumentation() throws Exception {
        Captured run = Captured.run("config", "schema");
        assertThat(run.status()).isZero();
        assertThat(run.stdout())
                .isEqualTo(Files.readString(Repository.root().resolve("docs/photon.schema.json")));
    }
}
