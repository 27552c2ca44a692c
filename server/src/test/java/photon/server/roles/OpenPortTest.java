package photon.server.roles;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import photon.core.rpc.HostPort;

class OpenPortTest {
    @Test
    void portsOfTheLoopbackAreSaidToBeThatOnly() {
        assertThat(
                        OpenPort.line(
                                "registry",
                                List.of(
                                        port("raft", "127.0.0.1:7100"),
                                        port("service", "localhost:7200"),
                                        port("metrics", "[::1]:9100"))))
                .isEqualTo(
                        "photon registry listens without encryption: raft 127.0.0.1:7100,"
                                + " service localhost:7200, metrics [::1]:9100 (loopback only)");
    }

    @Test
    void portsThatOthersReachAreNamed() {
        assertThat(
                        OpenPort.line(
                                "registry",
                                List.of(
                                        port("raft", "10.0.0.1:7100"),
                                        port("service", "127.0.0.1:7200"),
                                        port("metrics", "0.0.0.0:9100"))))
                .endsWith(" (open to every machine that reaches it: raft, metrics)");
        assertThat(OpenPort.line("joiner", List.of(port("service", "no-such-host.invalid:7403"))))
                .endsWith("(open to every machine that reaches it: service)");
    }

    private static OpenPort port(String what, String at) {
        return new OpenPort(what, HostPort.parse(at));
    }
}
