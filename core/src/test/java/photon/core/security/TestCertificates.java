package photon.core.security;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import photon.certs.CertificateAuthority;
import photon.core.rpc.RpcSecurity;

/** An authority of a test, and files with certificates that it issues for this machine. */
public final class TestCertificates {
    private static final List<String> HERE = List.of("127.0.0.1", "localhost");

    private final Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    private final CertificateAuthority authority;
    private final Path directory;

    public TestCertificates(Path directory) {
        this(directory, Duration.ofDays(60));
    }

    /** One whose time will be over. */
    public TestCertificates(Path directory, Duration left) {
        this.directory = directory;
        try {
            Files.createDirectories(directory);
            authority =
                    CertificateAuthority.create(
                            "test", now.minus(Duration.ofDays(9)), now.plus(left));
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Files of a certificate that is valid now, here, for a peer. */
    public SecurityConfig.Files issue(String file, String uri) {
        return issue(file, uri, HERE, now.minusSeconds(60), now.plus(Duration.ofDays(30)));
    }

    /** One whose time will soon be over. */
    public SecurityConfig.Files issueFor(String file, String uri, Duration left) {
        return issue(file, uri, HERE, now.minusSeconds(60), now.plus(left));
    }

    /** One whose time was over an hour ago. */
    public SecurityConfig.Files issueExpired(String file, String uri) {
        return issue(
                file, uri, HERE, now.minus(Duration.ofHours(2)), now.minus(Duration.ofHours(1)));
    }

    /** One that is a server's of another address. */
    public SecurityConfig.Files issueFor(String file, String uri, String host) {
        return issue(file, uri, List.of(host), now.minusSeconds(60), now.plus(Duration.ofDays(30)));
    }

    /** Files are written over: a step at a time, as a person would replace them. */
    private SecurityConfig.Files issue(
            String file, String uri, List<String> hosts, Instant from, Instant until) {
        try {
            CertificateAuthority.Issued issued =
                    authority.issue(
                            new CertificateAuthority.Request(file, uri, hosts), from, until);
            SecurityConfig.Files files =
                    new SecurityConfig.Files(
                            directory.resolve(file + ".pem"),
                            directory.resolve(file + ".key"),
                            directory.resolve("trust.pem"));
            write(files.key(), Pem.text(issued.key()));
            write(files.certificate(), Pem.text(issued.certificate()));
            write(files.trust(), Pem.text(authority.certificate()));
            return files;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** In one step, only for its owner; several threads may write the same file. */
    public static void write(Path file, String text) {
        Path draft = file.resolveSibling(file.getFileName() + "." + UUID.randomUUID() + ".new");
        try {
            Files.writeString(draft, text);
            Files.setPosixFilePermissions(draft, PosixFilePermissions.fromString("rw-------"));
            Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** TLS with these files. */
    public static RpcSecurity tls(SecurityConfig.Files files, java.time.Clock clock) {
        return RpcSecurity.of(
                new SecurityConfig(SecurityConfig.Mode.TLS, Optional.of(files)), Map.of(), clock);
    }

    /** TLS with a new certificate for a peer. */
    public RpcSecurity tls(String uri) {
        return tls(issue(uri.replaceAll("[^a-z0-9]+", "-"), uri), java.time.Clock.systemUTC());
    }
}
