package photon.server.configcheck;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import photon.core.config.ConfigLoader;
import photon.core.config.DeploymentConfig;
import photon.core.config.HadoopConfig;
import photon.core.security.SecurityConfig;
import photon.core.security.TestCertificates;
import photon.server.configcheck.rules.CheckLine;
import photon.server.configcheck.rules.CheckLine.Level;
import photon.server.lifecycle.StateLock;
import photon.server.roles.DaemonInstance;
import photon.server.roles.DaemonRun;
import photon.server.trace.FakeCollector;
import photon.storage.files.HadoopFileStore;

/** What is seen of a machine: the rules have tests of their own. */
class DeploymentCheckTest {
    private static final String CONFIG =
            """
            pipeline: ads
            datacenters: [east]
            retention: 3d
            primary: {paths: [primary/*], format: {type: framed}, id: native}
            foreign: {paths: [foreign/*], format: {type: framed}, id: native, primaryId: native}
            security: %s
            deployment:
              datacenter: east
              state: state
              output: output
              registry: [{name: r0, datacenter: east, raft: "127.0.0.1:1", service: "127.0.0.1:2"}]
              eventStore: "127.0.0.1:3"
              dispatcher: "127.0.0.1:%d"
              joiners: [{name: joiner-0, address: "no-such-host.invalid:5"}]
              clock: {source: configured, bound: 50ms}
            """;

    @TempDir Path directory;

    private List<CheckLine> check(DaemonRun.Role role, String name, String security, int port) {
        ConfigLoader.Loaded loaded =
                ConfigLoader.parse(
                        CONFIG.formatted(security, port), directory.resolve("photon.yaml"));
        DeploymentConfig deployment = loaded.deployment().orElseThrow();
        return new DeploymentCheck(
                        loaded,
                        deployment,
                        DaemonInstance.of(role, name, deployment),
                        new HadoopFileStore(HadoopConfig.NONE),
                        directory.resolve("timesync"),
                        Duration.ofMinutes(2),
                        Clock.systemUTC())
                .run();
    }

    private List<CheckLine> dispatcher(int port) {
        return check(DaemonRun.Role.DISPATCHER, "", "{mode: plaintext}", port);
    }

    private static CheckLine line(List<CheckLine> lines, String area, String subject) {
        return lines.stream()
                .filter(line -> line.area().equals(area) && line.subject().startsWith(subject))
                .findFirst()
                .orElseThrow(() -> new AssertionError(lines));
    }

    @Test
    void whatIsRightIsOkAndNothingIsMade() throws IOException {
        Files.createDirectories(directory.resolve("foreign"));
        Path log = Files.writeString(directory.resolve("foreign/log"), "");
        Files.setLastModifiedTime(log, FileTime.from(Instant.now().minus(Duration.ofDays(9))));
        List<CheckLine> lines = dispatcher(freePort());
        assertThat(line(lines, "port", "deployment.dispatcher").level()).isEqualTo(Level.OK);
        assertThat(line(lines, "path", "deployment.state").found()).startsWith("will be made");
        assertThat(line(lines, "certificate", "security.mode plaintext").level())
                .isEqualTo(Level.OK);
        assertThat(line(lines, "clock", "this machine").level()).isEqualTo(Level.OK);
        assertThat(line(lines, "clock", "registry server 127.0.0.1:2").found())
                .isEqualTo("not compared: cannot be reached");
        assertThat(line(lines, "retention", "foreign logs").level()).isEqualTo(Level.WARN);
        assertThat(CheckJson.isGood(lines)).isTrue();
        assertThat(directory.resolve("state")).doesNotExist();
        assertThat(directory.resolve("output")).doesNotExist();
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private List<CheckLine> traced(DaemonRun.Role role, String tracing) {
        String name = role == DaemonRun.Role.REGISTRY ? "r0" : "";
        return check(role, name, "{mode: plaintext}\ntracing: " + tracing, 4);
    }

    @Test
    void aCollectorThatTakesNoTracesIsAWarningForThoseThatTrace() throws IOException {
        String endpoint;
        try (FakeCollector collector = FakeCollector.start()) {
            endpoint = collector.endpoint().toString().replace("/v1/traces", "");
            List<CheckLine> lines =
                    traced(DaemonRun.Role.DISPATCHER, "{endpoint: '%s'}".formatted(endpoint));
            CheckLine line = line(lines, "tracing", "tracing.endpoint " + endpoint);
            assertThat(line.level()).as(line.toString()).isEqualTo(Level.OK);
            assertThat(collector.paths()).containsExactly("/v1/traces");
            assertThat(collector.spans()).isEmpty();
        }
        CheckLine away =
                line(
                        traced(DaemonRun.Role.DISPATCHER, "{endpoint: '%s'}".formatted(endpoint)),
                        "tracing",
                        "tracing.endpoint");
        assertThat(away.level()).isEqualTo(Level.WARN);
        assertThat(away.found()).startsWith("does not take traces: ");
        CheckLine unusable =
                line(
                        traced(
                                DaemonRun.Role.DISPATCHER,
                                "{endpoint: 'https://127.0.0.1:1', trust: none.pem}"),
                        "tracing",
                        "tracing.trust");
        assertThat(unusable.level()).isEqualTo(Level.FAIL);
        assertThat(unusable.found()).contains("none.pem");
        assertThat(traced(DaemonRun.Role.REGISTRY, "{endpoint: '%s'}".formatted(endpoint)))
                .noneMatch(line -> line.area().equals("tracing"));
    }

    @Test
    void aPortOfAnotherProgramAndANameWithoutAddressFail() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            List<CheckLine> lines = dispatcher(taken.getLocalPort());
            assertThat(line(lines, "port", "deployment.dispatcher").found())
                    .isEqualTo("another program listens there");
            assertThat(CheckJson.isGood(lines)).isFalse();
        }
        List<CheckLine> joiner = check(DaemonRun.Role.JOINER, "", "{mode: plaintext}", 4);
        assertThat(line(joiner, "port", "deployment.joiners").found())
                .isEqualTo("the name no-such-host.invalid has no address here");
    }

    @Test
    @SuppressWarnings("try") // A lock is held, not used.
    void thePortOfADaemonThatRunsIsItsOwn() throws IOException {
        Path locks = directory.resolve("state/east/locks/dispatcher");
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                StateLock lock = StateLock.take(locks, "dispatcher state")) {
            assertThat(
                            line(dispatcher(taken.getLocalPort()), "port", "deployment.dispatcher")
                                    .found())
                    .isEqualTo("taken by this daemon, which runs");
        }
    }

    @Test
    void aFileInPlaceOfADirectoryFails() throws IOException {
        Files.writeString(directory.resolve("output"), "");
        List<CheckLine> lines = check(DaemonRun.Role.VERIFIER, "", "{mode: plaintext}", 4);
        assertThat(line(lines, "path", "deployment.output").level()).isEqualTo(Level.FAIL);
    }

    @Test
    void aCertificateIsCheckedAsPeersDo() {
        TestCertificates own = new TestCertificates(directory.resolve("own"));
        SecurityConfig.Files right = own.issue("d", "photon://east/daemon/d");
        assertThat(certificates(right)).extracting(CheckLine::level).containsOnly(Level.OK);

        SecurityConfig.Files west = own.issue("w", "photon://west/daemon/d");
        assertThat(certificates(west))
                .extracting(CheckLine::found)
                .anyMatch(found -> found.contains("a daemon of datacenter east"));

        SecurityConfig.Files elsewhere = own.issueFor("e", "photon://east/daemon/d", "10.9.9.9");
        assertThat(certificates(elsewhere))
                .extracting(CheckLine::found)
                .contains("is for [10.9.9.9], and others reach this daemon as 127.0.0.1");

        TestCertificates others = new TestCertificates(directory.resolve("others"));
        SecurityConfig.Files distrusted =
                new SecurityConfig.Files(
                        right.certificate(),
                        right.key(),
                        others.issue("o", "photon://east/daemon/o").trust());
        assertThat(certificates(distrusted))
                .extracting(CheckLine::found)
                .anyMatch(found -> found.startsWith("does not vouch for security.certificate"));

        SecurityConfig.Files missing =
                new SecurityConfig.Files(directory.resolve("none.pem"), right.key(), right.trust());
        assertThat(certificates(missing))
                .extracting(CheckLine::found)
                .anyMatch(found -> found.contains("there is no such file"));
    }

    private List<CheckLine> certificates(SecurityConfig.Files files) {
        String security =
                "{mode: tls, certificate: \"%s\", key: \"%s\", trust: \"%s\"}"
                        .formatted(files.certificate(), files.key(), files.trust());
        return check(DaemonRun.Role.DISPATCHER, "", security, 4).stream()
                .filter(line -> line.area().equals("certificate"))
                .toList();
    }

    @Test
    void theTextHasALineEachAndTheJsonTheSame() {
        List<CheckLine> lines =
                List.of(
                        new CheckLine(Level.OK, "port", "deployment.dispatcher d:1", "free", ""),
                        new CheckLine(Level.FAIL, "path", "deployment.state /s", "full", "space"));
        assertThat(CheckText.of(lines))
                .isEqualTo(
                        """
                        OK    port         deployment.dispatcher d:1: free
                        FAIL  path         deployment.state /s: full
                              expected: space
                        1 OK, 0 WARN, 1 FAIL
                        """);
        assertThat(CheckJson.of(new DaemonInstance(DaemonRun.Role.DISPATCHER, ""), lines))
                .contains("\"good\" : false", "\"level\" : \"fail\"", "\"role\" : \"dispatcher\"");
    }
}
