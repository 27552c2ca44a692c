package photon.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import photon.core.error.ConfigException;
import photon.core.security.SecurityConfig;

class ClientSecurityTest {
    private static final SecurityConfig DAEMONS =
            new SecurityConfig(
                    SecurityConfig.Mode.TLS,
                    Optional.of(
                            new SecurityConfig.Files(
                                    Path.of("/d.pem"), Path.of("/d.key"), Path.of("/ca.pem"))));

    @Test
    void aPersonsCertificateComesBeforeTheMachines() {
        Map<String, String> own =
                Map.of("PHOTON_CERTIFICATE", "/alice.pem", "PHOTON_KEY", "/alice.key");
        assertThat(ClientSecurity.of(own, DAEMONS).tls())
                .contains(
                        new SecurityConfig.Files(
                                Path.of("/alice.pem"), Path.of("/alice.key"), Path.of("/ca.pem")));
        assertThat(ClientSecurity.of(Map.of(), DAEMONS)).isEqualTo(DAEMONS);
        assertThat(ClientSecurity.of(Map.of(), SecurityConfig.DEFAULT))
                .isEqualTo(SecurityConfig.DEFAULT);
    }

    @Test
    void halfOfItIsRefused() {
        Map<String, String> half = Map.of("PHOTON_CERTIFICATE", "/alice.pem");
        assertThatThrownBy(() -> ClientSecurity.of(half, SecurityConfig.DEFAULT))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("PHOTON_KEY is missing");
    }
}
