package photon.server.roles;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import photon.core.config.ConfigLoader;
import photon.core.config.DeploymentConfig;
import photon.core.error.ConfigException;
import photon.core.rpc.RpcSecurity;
import photon.core.security.TestCertificates;

class OwnCertificateTest {
    private static final String CONFIG =
            """
            pipeline: ads
            datacenters: [east]
            primary: {paths: [a], format: {type: framed}, id: native}
            foreign: {paths: [b], format: {type: framed}, id: native, primaryId: native}
            deployment:
              datacenter: east
              registry: [{name: r0, datacenter: witness, raft: "127.0.0.1:1", service: "127.0.0.1:2"}]
              eventStore: "127.0.0.1:3"
              dispatcher: "127.0.0.1:4"
              joiners: [{name: joiner-0, address: "127.0.0.1:5"}]
            """;

    @TempDir Path directory;

    private void check(String uri, DaemonRun.Role role, String name) {
        DeploymentConfig deployment =
                ConfigLoader.parse(CONFIG, Path.of("/photon.yaml")).deployment().orElseThrow();
        RpcSecurity security =
                uri.isEmpty() ? RpcSecurity.PLAINTEXT : new TestCertificates(directory).tls(uri);
        OwnCertificate.check(security, DaemonInstance.of(role, name, deployment), deployment);
    }

    @Test
    void aDaemonHasACertificateOfItsDatacenter() {
        assertThatCode(
                        () -> {
                            check("photon://east/daemon/x", DaemonRun.Role.JOINER, "joiner-0");
                            check("photon://witness/daemon/x", DaemonRun.Role.REGISTRY, "r0");
                            check("", DaemonRun.Role.REGISTRY, "r0");
                        })
                .doesNotThrowAnyException();
    }

    @Test
    void anotherOneEndsTheStart() {
        assertThatThrownBy(() -> check("photon://west/daemon/x", DaemonRun.Role.JOINER, "joiner-0"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("security.certificate is of daemon x of west")
                .hasMessageContaining("a daemon of datacenter east");
        assertThatThrownBy(() -> check("photon://east/daemon/x", DaemonRun.Role.REGISTRY, "r0"))
                .hasMessageContaining("a daemon of datacenter witness");
        assertThatThrownBy(() -> check("photon://east/operator/x", DaemonRun.Role.VERIFIER, ""))
                .hasMessageContaining("of operator x of east");
    }
}
