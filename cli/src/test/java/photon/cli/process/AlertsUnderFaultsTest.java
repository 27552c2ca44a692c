package photon.cli.process;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import photon.cli.LocalProcess;
import photon.core.rpc.HostPort;
import photon.core.rpc.LoopbackPorts;
import photon.core.security.SecurityConfig;
import photon.core.security.TestCertificates;
import photon.core.testing.Await;
import photon.server.metrics.Scrape;

/** Alerts fire under the faults that they are for, and no other: real daemons, real scrapes. */
@Tag("crash")
class AlertsUnderFaultsTest {
    private static final Duration LONG = Duration.ofMinutes(5);

    /** A look asks five daemons and works out all rules over an hour and a half. */
    private static final Duration LOOK_EVERY = Duration.ofSeconds(3);

    private static final List<String> REPLICAS = List.of("r0", "r1", "r2");

    @TempDir Path directory;
    private final Map<String, LocalProcess> running = new LinkedHashMap<>();
    private final Map<String, HostPort> metrics = new LinkedHashMap<>();
    private final TreeSet<String> expected = new TreeSet<>();

    @AfterEach
    void killWhatIsLeft() {
        running.values().forEach(LocalProcess::close);
    }

    @Test
    void eachFaultHasItsAlerts() throws Exception {
        assumeTrue(FiringAlerts.canBeAsked(), "promtool is not on the PATH");
        List<Integer> ports = LoopbackPorts.choose(14, new Random());
        // No chronyd, and a certificate that is for one day more.
        SecurityConfig.Files files =
                new TestCertificates(directory.resolve("tls"))
                        .issueFor("east", "photon://east/daemon/all", Duration.ofDays(1));
        config(ports, files);
        for (String replica : REPLICAS) {
            start("registry", replica, ports.get(9 + REPLICAS.indexOf(replica)));
        }
        start("eventstore", "", ports.get(12));
        start("joiner", "", ports.get(13));
        fires(
                "PhotonBoundaryStandsStill",
                "PhotonCertificateExpiresSoon",
                "PhotonClockWithoutVote");

        Files.writeString(files.certificate(), "half of a certificate");
        part("eventstore").signal("STOP");
        fires("PhotonCertificateNotReplaced", "PhotonDaemonGone", "PhotonDaemonNotReady");

        part("r0").kill();
        part("r1").kill();
        fires(
                "PhotonRegistryNoLeader",
                "PhotonRegistryReplicaMissing",
                "PhotonRegistryUnreachable");
    }

    private void fires(String... more) throws Exception {
        expected.addAll(List.of(more));
        String[] said = {""};
        Await.until(
                LONG,
                LOOK_EVERY,
                "exactly these alerts: " + expected,
                () -> said[0] + state(),
                () -> {
                    said[0] = unless();
                    return said[0].isEmpty();
                });
    }

    private String unless() throws Exception {
        Map<String, Scrape> scrapes = new TreeMap<>();
        List<String> away = new ArrayList<>();
        for (Map.Entry<String, HostPort> daemon : metrics.entrySet()) {
            try {
                scrapes.put(daemon.getKey(), Scrape.of(daemon.getValue(), Duration.ofSeconds(10)));
            } catch (HttpTimeoutException | ConnectException e) {
                away.add(daemon.getKey());
            }
        }
        return FiringAlerts.unless(expected, scrapes, away, directory);
    }

    private void start(String role, String name, int metricsPort) throws IOException {
        HostPort at = new HostPort("127.0.0.1", metricsPort);
        String part = name.isEmpty() ? role : name;
        metrics.put(part, at);
        List<String> args =
                new ArrayList<>(List.of("run", role, "--metrics", at.toString(), "--config"));
        args.add(directory.resolve("photon.yaml").toString());
        if (!name.isEmpty()) {
            args.addAll(List.of("--name", name));
        }
        running.put(part, LocalProcess.start(directory, "", args.toArray(String[]::new)));
    }

    private LocalProcess part(String name) {
        return requireNonNull(running.get(name), name);
    }

    private String state() {
        StringBuilder state = new StringBuilder();
        for (String part : running.keySet()) {
            String said = part(part).messagesOrTrouble();
            state.append("\n" + part + ": " + said.substring(Math.max(0, said.length() - 1_000)));
        }
        return state.toString();
    }

    private void config(List<Integer> ports, SecurityConfig.Files files) throws IOException {
        StringBuilder text =
                new StringBuilder(
                        LocalTest.JOBS
                                .formatted("events-*.csv", "events-*.csv", "")
                                .replace("[east, west]", "[east]"));
        text.append("retention: 7d\n");
        text.append(
                "security: {mode: tls, certificate: %s, key: %s, trust: %s}\n"
                        .formatted(files.certificate(), files.key(), files.trust()));
        text.append("deployment:\n  datacenter: east\n  clock: {chronyc: no-chronyc-is-here}\n");
        text.append("  state: state\n  output: out\n  registry:\n");
        for (int i = 0; i < REPLICAS.size(); i++) {
            text.append(
                    "    - {name: r%d, datacenter: east, raft: \"127.0.0.1:%d\", service: \"127.0.0.1:%d\"}\n"
                            .formatted(i, ports.get(2 * i), ports.get(2 * i + 1)));
        }
        text.append("  eventStore: 127.0.0.1:" + ports.get(6) + "\n");
        text.append("  dispatcher: 127.0.0.1:" + ports.get(7) + "\n");
        text.append("  joiners:\n    - {name: joiner-0, address: \"127.0.0.1:");
        text.append(ports.get(8) + "\"}\n");
        Files.writeString(directory.resolve("photon.yaml"), text);
    }
}
