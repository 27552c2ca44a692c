package photon.cli.registry;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import photon.cli.Captured;
import photon.core.rpc.HostPort;
import photon.core.rpc.LoopbackPorts;
import photon.core.rpc.RpcSecurity;
import photon.core.testing.Await;
import photon.core.time.SystemClock;
import photon.idregistry.replicated.FeatureLevel;
import photon.idregistry.server.RegistryServer;
import photon.idregistry.server.config.RegistryServerConfig;
import photon.proto.v1.FinalizeUpgradeResponse;
import photon.registry.admin.MemberSession;

/** {@code photon upgrade} on a registry whose server tells what it understands. */
@Tag("slow")
class UpgradeCommandTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @TempDir Path root;

    private final Queue<String> bugs = new ConcurrentLinkedQueue<>();

    @Test
    void aRegistryOfOneVersionHasNothingToFinalizeAndRefusesWhatNoServerUnderstands()
            throws Exception {
        List<Integer> ports = LoopbackPorts.choose(2, new Random());
        HostPort service = new HostPort("127.0.0.1", ports.get(0));
        RegistryServerConfig.Peer peer =
                new RegistryServerConfig.Peer(
                        "r0", new HostPort("127.0.0.1", ports.get(1)), service);
        RegistryServer server =
                RegistryServer.start(
                        RegistryServerConfig.of("r0", List.of(peer), root.resolve("r0")),
                        new SystemClock(Duration.ofMillis(250)),
                        (where, bug) -> bugs.add(where + ": " + bug));
        try {
            Captured status =
                    Await.answer(
                            PATIENCE,
                            "a level that the server has told",
                            run -> run.status() == 0,
                            () -> upgrade(service, "status"));
            assertThat(status.stdout())
                    .contains("r0      4            answers")
                    .contains("feature level 4: nothing is to be done");
            JsonNode json =
                    new ObjectMapper().readTree(upgrade(service, "status", "--json").stdout());
            assertThat(json.path("phase").asText()).isEqualTo("done");
            assertThat(json.path("featureLevel").asInt()).isEqualTo(FeatureLevel.SUPPORTED);
            Captured done = upgrade(service, "finalize", "--yes");
            assertThat(done.status()).as(done.toString()).isZero();
            assertThat(done.stdout()).startsWith("feature level 4: nothing is to be done");

            MemberSession session =
                    new MemberSession(List.of(service), PATIENCE, RpcSecurity.PLAINTEXT);
            FinalizeUpgradeResponse later = session.finalizeUpgrade(FeatureLevel.SUPPORTED + 1);
            assertThat(later.getVerdict()).isEqualTo(FinalizeUpgradeResponse.Verdict.HELD_BACK);
            assertThat(later.getBehindList()).containsExactly("r0");
            FinalizeUpgradeResponse same = session.finalizeUpgrade(FeatureLevel.SUPPORTED);
            assertThat(same.getVerdict()).isEqualTo(FinalizeUpgradeResponse.Verdict.FINALIZED);
            assertThat(same.getFeatureLevel()).isEqualTo(FeatureLevel.SUPPORTED);
        } finally {
            server.close();
        }
        assertThat(bugs).isEmpty();
    }

    private static Captured upgrade(HostPort server, String verb, String... more) {
        List<String> args =
                new java.util.ArrayList<>(List.of("upgrade", verb, "--servers", server.toString()));
        args.addAll(List.of(more));
        return Captured.run(args.toArray(String[]::new));
    }
}
