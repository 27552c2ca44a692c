package photon.server.roles;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
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

    @Test
    void withTlsMetricsAloneAreOpen() {
        List<OpenPort> calls =
                List.of(port("raft", "10.0.0.1:7100"), port("service", "10.0.0.1:7200"));
        OpenPort metrics = port("metrics", "10.0.0.1:9100");
        assertThat(OpenPort.of(true, calls, Optional.of(metrics))).containsExactly(metrics);
        assertThat(OpenPort.of(true, calls, Optional.empty())).isEmpty();
        assertThat(OpenPort.of(false, calls, Optional.of(metrics)))
                .containsExactly(calls.get(0), calls.get(1), metrics);
    }

    private static OpenPort port(String what, String at) {
        return new OpenPort(what, HostPort.parse(at));
    }
}
