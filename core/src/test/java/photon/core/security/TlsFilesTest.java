package photon.core.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import photon.core.error.ConfigException;

/** Files that cannot be used are named, with the reason; files that change are read again. */
class TlsFilesTest {
    @TempDir Path directory;
    private TestCertificates authority;
    private SecurityConfig.Files files;
    private final Hand clock = new Hand();

    /** Moves when it is told to. */
    private static final class Hand extends Clock {
        private Instant now = Instant.now();

        @Override
        public Instant instant() {
            return now;
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }

        void passSeconds(int seconds) {
            now = now.plusSeconds(seconds);
        }
    }

    @BeforeEach
    void issue() {
        authority = new TestCertificates(directory);
        files = authority.issue("r0", "photon://east/daemon/r0");
    }

    private void refused(SecurityConfig.Files given, String... texts) {
        assertThatThrownBy(() -> TlsFiles.open(given, clock))
                .isInstanceOf(ConfigException.class)
                .hasMessageContainingAll(texts);
    }

    @Test
    void theCertificateSaysWhoItIs() {
        assertThat(TlsFiles.open(files, clock).identity())
                .isEqualTo(new PeerIdentity("east", Role.DAEMON, "r0"));
    }

    /** Servers of a test ask for theirs at once, and the authority's file is the same for all. */
    @Test
    void severalThreadsMayWriteTheSameFile() {
        IntStream.range(0, 2_000)
                .parallel()
                .forEach(n -> TestCertificates.write(files.trust(), "certificate: " + n));
        assertThat(files.trust()).content().startsWith("certificate: ");
    }

    @Test
    void aFileThatIsNotThereIsNamed() throws IOException {
        Files.delete(files.key());
        refused(files, "security.key", files.key().toString(), "there is no such file");
    }

    @Test
    void aFileThatHoldsNoCertificateIsNamed() {
        TestCertificates.write(files.trust(), "certificate: soon");
        refused(files, "security.trust", files.trust().toString(), "it holds no certificates");
    }

    @Test
    void anExpiredCertificateIsNamed() {
        refused(
                authority.issueExpired("old", "photon://east/daemon/old"),
                "security.certificate",
                "old.pem",
                "it expired at");
    }

    @Test
    void aKeyOfAnotherCertificateIsNamed() {
        SecurityConfig.Files other = authority.issue("r1", "photon://east/daemon/r1");
        refused(
                new SecurityConfig.Files(files.certificate(), other.key(), files.trust()),
                "security.key",
                "r1.key",
                "not the key of the certificate");
    }

    @Test
    void aKeyThatOthersMayReadIsNamed() throws IOException {
        Files.setPosixFilePermissions(files.key(), PosixFilePermissions.fromString("rw-r--r--"));
        refused(files, "security.key", "r0.key", "chmod 600");
    }

    @Test
    void aCertificateForNobodyInParticularIsNamed() {
        refused(authority.issue("web", "https://example.org"), "web.pem", PeerIdentity.FORM);
        refused(authority.issue("x", "photon://east/king/x"), "x.pem", "photon://east/king/x");
        refused(authority.issue("y", "photon:///daemon/y"), "y.pem", "names no datacenter");
    }

    @Test
    void replacedFilesAreReadWithinASecond() {
        TlsFiles open = TlsFiles.open(files, clock);
        authority.issue("r0", "photon://east/daemon/next");
        assertThat(open.identity().name()).as("not looked at yet").isEqualTo("r0");
        clock.passSeconds(1);
        assertThat(open.identity().name()).isEqualTo("next");
        assertThat(open.keyManager().getPrivateKey("0")).as("a handshake goes on").isNotNull();
        assertThat(open.keyManager().getPrivateKey("0"))
                .isNotEqualTo(open.keyManager().getPrivateKey("1"));
    }

    /** As where they stand on a volume that is away for a moment. */
    @Test
    void filesThatAreBackAreNoTroubleAnyMore() throws IOException {
        TlsFiles open = TlsFiles.open(files, clock);
        Path away = directory.resolve("away");
        Files.move(files.key(), away);
        clock.passSeconds(1);
        assertThat(open.identity().datacenter()).isEqualTo("east");
        assertThat(open.trouble()).contains("there is no such file");
        Files.move(away, files.key());
        clock.passSeconds(1);
        assertThat(open.identity().datacenter()).isEqualTo("east");
        assertThat(open.trouble()).isEmpty();
    }

    @Test
    void filesThatCannotBeUsedChangeNothing() {
        TlsFiles open = TlsFiles.open(files, clock);
        assertThat(open.trouble()).isEmpty();
        String key = read(files.key());
        authority.issue("r0", "photon://east/daemon/next");
        String next = read(files.key());
        TestCertificates.write(files.key(), key);
        clock.passSeconds(1);
        assertThat(open.identity().name()).as("half is replaced").isEqualTo("r0");
        assertThat(open.trouble()).contains("not the key of the certificate");
        TestCertificates.write(files.key(), next);
        clock.passSeconds(1);
        assertThat(open.trouble()).isEmpty();
        assertThat(open.identity().name()).isEqualTo("next");
    }

    /** As when the files of another machine are copied to this one. */
    @Test
    void aCertificateOfAnotherDatacenterOrRoleIsNotTaken() {
        TlsFiles open = TlsFiles.open(files, clock);
        for (String other : List.of("photon://west/daemon/r0", "photon://east/operator/r0")) {
            authority.issue("r0", other);
            clock.passSeconds(1);
            assertThat(open.identity().uri()).as(other).isEqualTo("photon://east/daemon/r0");
            assertThat(open.trouble())
                    .contains("r0.pem", "in use is of daemon r0 of east")
                    .endsWith("expected the same role and datacenter");
        }
        authority.issue("r0", "photon://east/daemon/next");
        clock.passSeconds(1);
        assertThat(open.trouble()).isEmpty();
        assertThat(open.identity().name()).isEqualTo("next");
    }

    /** At once, or the files of the new authority one after the other. */
    @Test
    void anotherAuthorityIsTakenWhenAllFilesAreOfIt() {
        SecurityConfig.Files next = ofTheNextAuthority();
        TlsFiles open = TlsFiles.open(files, clock);
        TestCertificates.write(files.trust(), read(next.trust()));
        clock.passSeconds(1);
        assertThat(open.trouble()).contains("trust.pem", "does not vouch for the certificate in");
        assertThat(open.distrust()).as("what is in use").isEmpty();
        TestCertificates.write(files.key(), read(next.key()));
        clock.passSeconds(1);
        assertThat(open.trouble()).contains("not the key of the certificate");
        TestCertificates.write(files.certificate(), read(next.certificate()));
        clock.passSeconds(1);
        assertThat(open.trouble()).isEmpty();
        assertThat(open.distrust()).isEmpty();
        assertThat(open.identity().name()).isEqualTo("next");
    }

    /** As docs/security.md says: both are trusted, then certificates are issued anew. */
    @Test
    void anAuthorityIsChangedStepByStep() {
        SecurityConfig.Files next = ofTheNextAuthority();
        TlsFiles open = TlsFiles.open(files, clock);
        TestCertificates.write(files.trust(), read(files.trust()) + read(next.trust()));
        clock.passSeconds(1);
        assertThat(open.trouble()).isEmpty();
        TestCertificates.write(files.key(), read(next.key()));
        TestCertificates.write(files.certificate(), read(next.certificate()));
        clock.passSeconds(1);
        assertThat(open.trouble()).isEmpty();
        assertThat(open.identity().name()).isEqualTo("next");
        TestCertificates.write(files.trust(), read(next.trust()));
        clock.passSeconds(1);
        assertThat(open.trouble()).isEmpty();
        assertThat(open.distrust()).isEmpty();
    }

    /** As a person does whose certificate is of another authority than the servers'. */
    @Test
    void aProcessThatTrustsOthersAloneTakesItsNewCertificate() {
        SecurityConfig.Files mixed =
                new SecurityConfig.Files(
                        files.certificate(), files.key(), ofTheNextAuthority().trust());
        TlsFiles open = TlsFiles.open(mixed, clock);
        assertThat(open.distrust()).isPresent();
        authority.issue("r0", "photon://east/daemon/next");
        clock.passSeconds(1);
        assertThat(open.trouble()).isEmpty();
        assertThat(open.identity().name()).isEqualTo("next");
    }

    private Duration left(TlsFiles open) {
        return Duration.between(clock.instant(), open.expiry());
    }

    @Test
    void theEndIsThatOfTheCertificateIfAllElseLastsLonger() {
        // An authority that does not vouch for it does not count.
        SecurityConfig.Files other =
                new TestCertificates(directory.resolve("other"), Duration.ofDays(2))
                        .issue("r0", "photon://east/daemon/r0");
        TestCertificates.write(files.trust(), read(files.trust()) + read(other.trust()));
        TlsFiles open = TlsFiles.open(files, clock);
        assertThat(left(open)).isBetween(Duration.ofDays(29), Duration.ofDays(31));
        assertThat(open.expiresBefore()).isEmpty();
    }

    @Test
    void anAuthorityThatEndsBeforeTheCertificateIsTheEnd() {
        TestCertificates old = new TestCertificates(directory.resolve("old"), Duration.ofDays(5));
        TlsFiles open = TlsFiles.open(old.issue("r0", "photon://east/daemon/r0"), clock);
        assertThat(left(open)).isBetween(Duration.ofDays(4), Duration.ofDays(6));
        assertThat(open.expiresBefore()).hasValue("CN=test");
    }

    @Test
    void whatIsBetweenACertificateAndAnAuthorityCounts() {
        SecurityConfig.Files between =
                authority.issueFor("ca2", "photon://east/daemon/ca2", Duration.ofDays(3));
        TestCertificates.write(
                files.certificate(), read(files.certificate()) + read(between.certificate()));
        TlsFiles open = TlsFiles.open(files, clock);
        assertThat(left(open)).isBetween(Duration.ofDays(2), Duration.ofDays(4));
        assertThat(open.expiresBefore()).hasValue("CN=ca2");
    }

    private SecurityConfig.Files ofTheNextAuthority() {
        return new TestCertificates(directory.resolve("next"))
                .issue("r0", "photon://east/daemon/next");
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
