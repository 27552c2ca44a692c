package photon.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import photon.core.rpc.HostPort;
import photon.core.security.SecurityConfig;
import photon.core.security.TestCertificates;
import photon.core.security.TlsFiles;
import photon.core.testing.Await;
import photon.server.health.HealthReport;
import photon.server.health.HealthSource;

class HostMetricsTest {
    @TempDir Path directory;

    private final MetricsEndpoint endpoint =
            MetricsEndpoint.open(
                    HostPort.parse("127.0.0.1:0"),
                    "metrics.listen",
                    new HealthSource() {
                        @Override
                        public HealthReport live() {
                            return new HealthReport(List.of());
                        }

                        @Override
                        public HealthReport ready() {
                            return new HealthReport(List.of());
                        }
                    });

    @AfterEach
    void close() {
        endpoint.close();
    }

    @Test
    void theDiskOfTheStateIsTold() throws Exception {
        endpoint.metrics().add(HostMetrics.disk(directory));
        Scrape scrape = Scrape.of(endpoint.address());
        assertThat(scrape.names("photon_state_"))
                .isEqualTo(DocumentedMetrics.names("photon_state_"));
        assertThat(scrape.value("photon_state_disk_size_bytes"))
                .isEqualTo((double) Files.getFileStore(directory).getTotalSpace());
        assertThat(scrape.value("photon_state_disk_free_bytes"))
                .isPositive()
                .isLessThanOrEqualTo(scrape.value("photon_state_disk_size_bytes"));
    }

    @Test
    void aStateThatIsNotThereYetKeepsNothingElseFromBeingTold() throws Exception {
        endpoint.metrics().add(HostMetrics.disk(directory.resolve("later")));
        assertThat(Scrape.of(endpoint.address()).names("photon_")).isEmpty();
    }

    @Test
    void theEndOfTheCertificateIsToldAndWhetherItsSuccessorIsRefused() throws Exception {
        SecurityConfig.Files files =
                new TestCertificates(directory).issue("r0", "photon://east/daemon/r0");
        TlsFiles open = TlsFiles.open(files, Clock.systemUTC());
        endpoint.metrics().add(HostMetrics.tls(open));
        Scrape scrape = Scrape.of(endpoint.address());
        assertThat(scrape.names("photon_tls_")).isEqualTo(DocumentedMetrics.names("photon_tls_"));
        assertThat(scrape.value("photon_tls_certificate_expiry_timestamp_seconds"))
                .isGreaterThan(Clock.systemUTC().millis() / 1e3)
                .isEqualTo(open.expiry().toEpochMilli() / 1e3);
        assertThat(scrape.value("photon_tls_replacement_refused")).isZero();

        Files.writeString(files.certificate(), "not a certificate");
        Await.until(
                Duration.ofMinutes(1),
                "the next look at the files",
                () -> "",
                () -> Scrape.of(endpoint.address()).value("photon_tls_replacement_refused") == 1);
    }
}
