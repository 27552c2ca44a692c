package photon.core.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import photon.core.error.ConfigException;
import photon.core.rpc.HostPort;
import photon.core.security.SecurityConfig;

/** Nothing travels in the clear between machines unless somebody has written that it may. */
class SecurityConfigTest {
    private static final String PIPELINE =
            """
            pipeline: ads
            datacenters: [east]
            primary: {paths: [a], format: {type: framed}, id: native}
            foreign: {paths: [b], format: {type: framed}, id: native, primaryId: native}
            """;
    private static final String TLS =
            "security: {mode: tls, certificate: tls/c.pem, key: /k.pem, trust: t.pem}\n";

    private static ConfigLoader.Loaded load(String text) {
        return ConfigLoader.parse(PIPELINE + text, Path.of("/etc/photon/photon.yaml"));
    }

    private static String deployment(String own, String raftListen) {
        return """
               deployment:
                 datacenter: east
                 registry: [{name: r0, datacenter: west, raft: "127.0.0.1:1", raftListen: "%s:9", service: "127.0.0.1:2"}]
                 eventStore: "127.0.0.1:3"
                 dispatcher: "%s:4"
                 joiners: [{name: joiner-0, address: "127.0.0.1:5"}]
               """
                .formatted(raftListen, own);
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "localhost", "127.8.9.1", "[::1]"})
    void withinOneMachineNothingNeedsToBeSaid(String own) {
        assertThat(load(deployment(own, own)).security()).isEqualTo(SecurityConfig.DEFAULT);
    }

    @ParameterizedTest
    @CsvSource({
        "10.0.0.1,    127.0.0.1, 10.0.0.1:4",
        "127.0.0.1,   0.0.0.0,   0.0.0.0:9",
        "east.example, 127.0.0.1, east.example:4",
        "127.example.org, 127.0.0.1, 127.example.org:4",
    })
    void betweenMachinesSomethingMustBeSaid(String own, String raftListen, String named) {
        String text = deployment(own, raftListen);
        assertThatThrownBy(() -> load(text))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("security: " + named + " is no loopback address")
                .hasMessageContaining("security: {mode: tls, certificate: FILE")
                .hasMessageContaining("security: {mode: plaintext}");
        assertThatThrownBy(() -> load(text + "security: {mode: insecure-loopback}\n"))
                .hasMessageContaining(named);
        assertThat(load(text + "security: {mode: plaintext}\n").security().mode())
                .isEqualTo(SecurityConfig.Mode.PLAINTEXT);
        assertThat(load(text + TLS).security().mode()).isEqualTo(SecurityConfig.Mode.TLS);
    }

    @Test
    void anAdapterOfAnotherMachineIsAnAddressToo() {
        String adapter = "adapter: {address: \"10.0.0.7:1\"}\n";
        assertThatThrownBy(() -> load(adapter)).hasMessageContaining("10.0.0.7:1");
        assertThat(load(adapter + TLS).pipeline().adapter().remote().orElseThrow().security())
                .isEqualTo(load(TLS).security());
    }

    @Test
    void filesAreRelativeToTheConfiguration() {
        assertThat(load(TLS).security().tls())
                .isEqualTo(
                        Optional.of(
                                new SecurityConfig.Files(
                                        Path.of("/etc/photon/tls/c.pem"),
                                        Path.of("/k.pem"),
                                        Path.of("/etc/photon/t.pem"))));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{mode: ssl}                     | security.mode is 'ssl': expected tls, plaintext or insecure-loopback",
                "{certificate: c}                | security.mode is missing: expected tls, plaintext or insecure-loopback",
                "{mode: tls, key: k, trust: t}   | security.certificate is missing: expected a PEM file",
                "{mode: plaintext, key: k}       | security.key is 'k': expected no such key where the mode is plaintext",
                "{mode: tls, certificate: c, key: k, trust: 'hdfs://t'} | security.trust is 'hdfs://t'",
            })
    void whatIsWrongIsNamed(String section, String problem) {
        assertThatThrownBy(() -> load("security: " + section + "\n"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(problem);
    }

    @Test
    void serversAreOfTheDatacenterThatTheConfigurationSays() {
        Map<HostPort, String> datacenters =
                load(deployment("127.0.0.1", "127.0.0.1")).datacenters();
        assertThat(datacenters)
                .containsEntry(new HostPort("127.0.0.1", 2), "west")
                .containsEntry(new HostPort("127.0.0.1", 3), "east")
                .containsEntry(new HostPort("127.0.0.1", 5), "east");
    }
}
