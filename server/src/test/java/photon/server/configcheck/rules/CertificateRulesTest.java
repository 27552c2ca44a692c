package photon.server.configcheck.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import photon.server.configcheck.rules.CertificateRules.Certificate;

class CertificateRulesTest {
    private static final Instant NOW = Instant.parse("2026-11-01T00:00:00Z");

    private static List<CheckLine> of(
            Optional<String> wrongHolder, Optional<String> distrust, Duration left, String host) {
        return CertificateRules.of(
                new Certificate(
                        "daemon r0 of east",
                        List.of("r0.example", "*.east.example", "10.0.0.1", "2001:db8::1"),
                        wrongHolder,
                        distrust,
                        NOW.plus(left),
                        Optional.empty()),
                new TreeSet<>(List.of(host)),
                NOW);
    }

    private static List<CheckLine> forHost(String host) {
        return of(Optional.empty(), Optional.empty(), Duration.ofDays(90), host);
    }

    @ParameterizedTest
    @CsvSource({
        "r0.example, true",
        "R0.Example, true",
        "a.east.example, true",
        "a.b.east.example, false",
        "east.example, false",
        "10.0.0.1, true",
        "10.0.0.2, false",
        "2001:db8::1, true",
        "2001:db8::2, false",
        "r1.example, false"
    })
    void peersReachADaemonByANameOfItsCertificate(String host, boolean right) {
        assertThat(forHost(host).stream().noneMatch(line -> line.level() == CheckLine.Level.FAIL))
                .isEqualTo(right);
        assertThat(forHost(host)).hasSize(right ? 3 : 4);
    }

    @ParameterizedTest
    @CsvSource({"14, OK", "13, WARN", "2, WARN", "1, FAIL"})
    void aCertificateIsValidForAWhile(int days, CheckLine.Level level) {
        List<CheckLine> lines =
                of(Optional.empty(), Optional.empty(), Duration.ofDays(days), "r0.example");
        assertThat(lines.get(lines.size() - 1).level()).isEqualTo(level);
        assertThat(lines.get(lines.size() - 1).found()).contains("for " + days + " days");
    }

    @Test
    void anAuthorityThatEndsBeforeTheCertificateIsNamed() {
        List<CheckLine> lines =
                CertificateRules.of(
                        new Certificate(
                                "daemon r0 of east",
                                List.of("r0.example"),
                                Optional.empty(),
                                Optional.empty(),
                                NOW.plus(Duration.ofDays(5)),
                                Optional.of("CN=Photon")),
                        new TreeSet<>(List.of("r0.example")),
                        NOW);
        CheckLine last = lines.get(lines.size() - 1);
        assertThat(last.level()).isEqualTo(CheckLine.Level.WARN);
        assertThat(last.found())
                .endsWith("for 5 days, when CN=Photon expires, which vouches for it");
    }

    @Test
    void whatPeersWouldRefuseFails() {
        assertThat(
                        of(
                                        Optional.of("it is of west"),
                                        Optional.of("no path"),
                                        Duration.ofDays(90),
                                        "r0.example")
                                .stream()
                                .filter(line -> line.level() == CheckLine.Level.FAIL)
                                .map(CheckLine::found))
                .containsExactly(
                        "it is of west", "does not vouch for security.certificate: no path");
    }
}
