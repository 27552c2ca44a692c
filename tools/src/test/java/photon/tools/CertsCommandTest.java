package photon.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import photon.certs.CertificateAuthority;
import photon.cli.Captured;
import photon.core.security.PeerIdentity;
import photon.core.security.Pem;
import photon.core.security.Role;
import photon.core.security.SecurityConfig;
import photon.core.security.TlsFiles;

class CertsCommandTest {
    @TempDir Path root;

    private Path directory() {
        return root.resolve("certs");
    }

    private Captured init() {
        return Captured.run("certs", "init", directory().toString());
    }

    private Captured issue(String... more) {
        String[] all = new String[3 + more.length];
        all[0] = "certs";
        all[1] = "issue";
        all[2] = directory().toString();
        System.arraycopy(more, 0, all, 3, more.length);
        return Captured.run(all);
    }

    private PeerIdentity opened(String name) {
        return TlsFiles.open(
                        new SecurityConfig.Files(
                                directory().resolve(name + ".pem"),
                                directory().resolve(name + ".key"),
                                directory().resolve("ca.pem")),
                        Clock.systemUTC())
                .identity();
    }

    @Test
    void whatIsIssuedCanBeUsed() throws Exception {
        assertThat(init().status()).isZero();
        Captured daemon =
                issue(
                        "--name",
                        "r0",
                        "--role",
                        "daemon",
                        "--datacenter",
                        "east",
                        "--host",
                        "10.0.0.1,r0.example");
        assertThat(daemon.status()).as(daemon.stderr()).isZero();
        assertThat(daemon.stdout()).contains("r0.pem", "r0.key", "valid until");
        assertThat(opened("r0")).isEqualTo(new PeerIdentity("east", Role.DAEMON, "r0"));
        assertThat(issue("--name", "alice", "--role", "operator").status()).isZero();
        assertThat(opened("alice")).isEqualTo(new PeerIdentity("", Role.OPERATOR, "alice"));
        for (String file : new String[] {"ca.pem", "ca.key", "r0.pem", "r0.key"}) {
            assertThat(
                            PosixFilePermissions.toString(
                                    Files.getPosixFilePermissions(directory().resolve(file))))
                    .as(file)
                    .isEqualTo("rw-------");
        }
    }

    @Test
    void nothingIsOverwritten() throws Exception {
        init();
        String key = Files.readString(directory().resolve("ca.key"));
        Captured again = init();
        assertThat(again.status()).isEqualTo(2);
        assertThat(again.stderr()).contains("ca.key exists").contains("never overwrites");
        assertThat(Files.readString(directory().resolve("ca.key"))).isEqualTo(key);
        issue("--name", "bob", "--role", "viewer");
        assertThat(issue("--name", "bob", "--role", "viewer").status()).isEqualTo(2);
    }

    @Test
    void whatACertificateNeedsIsAskedFor() {
        init();
        assertThat(issue("--name", "r0", "--role", "daemon", "--datacenter", "east").stderr())
                .contains("--host is missing");
        assertThat(issue("--name", "r0", "--role", "daemon", "--host", "h").stderr())
                .contains("names no datacenter");
        assertThat(issue("--name", "a/b", "--role", "viewer").stderr()).contains("--name is 'a/b'");
        assertThat(issue("--name", "ca", "--role", "viewer").stderr()).contains("--name is 'ca'");
    }

    @Test
    void noCertificateIsIssuedForLongerThanItsAuthorityLasts() throws Exception {
        Instant now = Clock.systemUTC().instant().truncatedTo(ChronoUnit.SECONDS);
        Instant end = now.plus(Duration.ofDays(100)).plus(Duration.ofHours(1));
        Files.createDirectories(directory());
        CertificateAuthority old = CertificateAuthority.create("old", now.minusSeconds(60), end);
        Files.writeString(directory().resolve("ca.pem"), Pem.text(old.certificate()));
        Files.writeString(directory().resolve("ca.key"), Pem.text(old.key()));

        Captured refused = issue("--name", "bob", "--role", "viewer", "--days", "101");
        assertThat(refused.status()).isEqualTo(2);
        assertThat(refused.stderr())
                .contains("--days is 101", "ca.pem ends at " + end)
                .contains("expected 1 to 100, or a new authority");
        assertThat(directory().resolve("bob.pem")).doesNotExist();
        assertThat(issue("--name", "bob", "--role", "viewer", "--days", "100").status()).isZero();
    }

    @Test
    void withoutAnAuthorityNothingIsIssued() {
        Captured refused = issue("--name", "bob", "--role", "viewer");
        assertThat(refused.status()).isEqualTo(2);
        assertThat(refused.stderr()).contains("expected the directory of 'photon certs init'");
    }
}
