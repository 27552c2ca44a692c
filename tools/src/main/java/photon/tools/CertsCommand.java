package photon.tools;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import photon.certs.CertificateAuthority;
import photon.cli.Tool;
import photon.core.error.ConfigException;
import photon.core.error.FailedException;
import photon.core.error.IoText;
import photon.core.security.PeerIdentity;
import photon.core.security.Pem;
import photon.core.security.Role;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Certificates for a first cluster. */
@Command(
        name = "certs",
        mixinStandardHelpOptions = true,
        description = {
            "Makes a certificate authority and certificates for TLS, for a first cluster (docs/security.md).",
            "Its keys are plain files. If you have an authority of your own, let it issue the certificates instead."
        },
        subcommands = {CertsCommand.Init.class, CertsCommand.Issue.class})
public final class CertsCommand implements Tool {
    private static final String AUTHORITY = "ca";
    private static final Duration AUTHORITY_LIFE = Duration.ofDays(3_650);

    /** Clocks differ: a certificate is valid at once on a machine whose clock is behind. */
    private static final Duration CLOCKS_DIFFER = Duration.ofMinutes(5);

    /** The authority. */
    @Command(
            name = "init",
            mixinStandardHelpOptions = true,
            description = {
                "Makes a certificate authority: DIR/ca.pem, which every process trusts, and DIR/ca.key, which signs certificates for 10 years.",
                "Anyone who has ca.key can admit any machine to the cluster: keep DIR off the machines of the cluster. It has no JSON form: its result is the files."
            },
            exitCodeList = {"0:done", "1:failed", "2:wrong usage, or the files exist"},
            footer = "  photon certs init certs")
    static final class Init implements Callable<Integer> {
        @Parameters(
                paramLabel = "DIR",
                description = "Directory for the files. Photon makes it if it does not exist.")
        private Path directory = Path.of("");

        @Override
        public Integer call() {
            try {
                Files.createDirectories(directory);
                Instant now = now();
                CertificateAuthority made =
                        CertificateAuthority.create(
                                "Photon " + now,
                                now.minus(CLOCKS_DIFFER),
                                now.plus(AUTHORITY_LIFE));
                write(directory, AUTHORITY, made.certificate(), made.key());
                return CommandLine.ExitCode.OK;
            } catch (IOException e) {
                throw new FailedException("no authority was made: " + IoText.of(e));
            } catch (GeneralSecurityException e) {
                throw new FailedException("no authority was made: " + e.getMessage());
            }
        }
    }

    /** One certificate. */
    @Command(
            name = "issue",
            mixinStandardHelpOptions = true,
            description = {
                "Issues a certificate with the authority in DIR: DIR/NAME.pem and DIR/NAME.key, which only its owner may read. Name these two and ca.pem under 'security' in the configuration, or in PHOTON_CERTIFICATE, PHOTON_KEY and PHOTON_TRUST for the verbs of a person.",
                "It has no JSON form: its result is the files."
            },
            exitCodeList = {"0:done", "1:failed", "2:wrong usage, or the files exist"},
            footer = {
                "  photon certs issue certs --name r0 --role daemon --datacenter east --host 10.0.0.1,r0.east.example",
                "  photon certs issue certs --name alice --role operator"
            })
    static final class Issue implements Callable<Integer> {
        private static final Set<Role> SERVERS = Set.of(Role.DAEMON, Role.ADAPTER);
        private static final int DAYS_MAX = 3_650;

        @Parameters(paramLabel = "DIR", description = "Directory of 'photon certs init'.")
        private Path directory = Path.of("");

        @Option(
                names = "--name",
                required = true,
                paramLabel = "NAME",
                description =
                        "Whose certificate it is, such as r0 or alice. It names the files, and logs show it.")
        private String name = "";

        @Option(
                names = "--role",
                required = true,
                paramLabel = "ROLE",
                description =
                        "What the holder may do; daemon, operator, viewer or adapter. A daemon is any process of 'photon run'.")
        private Role role = Role.VIEWER;

        @Option(
                names = "--datacenter",
                paramLabel = "NAME",
                description =
                        "The datacenter that the holder is of. Required for a daemon. Absent for others: none in particular.")
        private String datacenter = "";

        @Option(
                names = "--host",
                split = ",",
                paramLabel = "HOST",
                description =
                        "Names and addresses at which others reach the holder, separated by commas, as the configuration writes them. Required for a daemon and an adapter.")
        private List<String> hosts = new ArrayList<>();

        @Option(
                names = "--days",
                paramLabel = "N",
                description =
                        "How long it is valid, not beyond the authority's end; default ${DEFAULT-VALUE} days.")
        private int days = 365;

        @Override
        public Integer call() {
            PeerIdentity holder = holder();
            try {
                Instant now = now();
                CertificateAuthority authority = authority();
                checkEnd(authority.certificate().getNotAfter().toInstant(), now);
                CertificateAuthority.Issued issued =
                        authority.issue(
                                new CertificateAuthority.Request(name, holder.uri(), hosts),
                                now.minus(CLOCKS_DIFFER),
                                now.plus(Duration.ofDays(days)));
                write(directory, name, issued.certificate(), issued.key());
                return CommandLine.ExitCode.OK;
            } catch (NoSuchFileException e) {
                throw new ConfigException(
                        "DIR is '%s': expected the directory of 'photon certs init', but %s"
                                .formatted(directory, IoText.of(e)));
            } catch (IOException e) {
                throw new FailedException("no certificate was issued: " + IoText.of(e));
            } catch (GeneralSecurityException e) {
                throw new FailedException("no certificate was issued: " + e.getMessage());
            }
        }

        private PeerIdentity holder() {
            if (SERVERS.contains(role) && hosts.isEmpty()) {
                throw new ConfigException(
                        "--host is missing: expected the names and addresses at which others reach the %s"
                                .formatted(role.label()));
            }
            if (name.equals(AUTHORITY)) {
                throw new ConfigException(
                        "--name is 'ca': expected a name that is not the authority's");
            }
            if (days < 1 || days > DAYS_MAX) {
                throw new ConfigException(
                        "--days is %d: expected 1 to %d".formatted(days, DAYS_MAX));
            }
            try {
                return PeerIdentity.parse(new PeerIdentity(datacenter, role, name).uri());
            } catch (CertificateException e) {
                throw new ConfigException(
                        "--name is '%s' and --datacenter is '%s': %s"
                                .formatted(name, datacenter, e.getMessage()));
            }
        }

        /** Otherwise the certificate would look valid when nothing vouches for it any more. */
        private void checkEnd(Instant end, Instant now) {
            if (!now.plus(Duration.ofDays(days)).isAfter(end)) {
                return;
            }
            long left = Duration.between(now, end).toDays();
            throw new ConfigException(
                    "--days is %d, and the authority in %s ends at %s: expected %sa new authority"
                            .formatted(
                                    days,
                                    directory.resolve(AUTHORITY + ".pem"),
                                    end,
                                    left < 1 ? "" : "1 to %d, or ".formatted(left)));
        }

        private CertificateAuthority authority() throws IOException, GeneralSecurityException {
            Path certificate = directory.resolve(AUTHORITY + ".pem");
            Path key = directory.resolve(AUTHORITY + ".key");
            return new CertificateAuthority(
                    Pem.certificates(Files.readString(certificate)).get(0),
                    Pem.key(Files.readString(key)));
        }
    }

    private static Instant now() {
        return Instant.now().truncatedTo(ChronoUnit.SECONDS);
    }

    /** Never over a file that is there: a key that is gone may be the last one. */
    private static void write(
            Path directory, String name, X509Certificate certificate, PrivateKey key)
            throws IOException, CertificateException {
        Path keyFile = directory.resolve(name + ".key");
        Path certificateFile = directory.resolve(name + ".pem");
        for (Path file : List.of(keyFile, certificateFile)) {
            if (Files.exists(file)) {
                throw exists(file);
            }
        }
        try {
            write(keyFile, Pem.text(key));
            write(certificateFile, Pem.text(certificate));
        } catch (FileAlreadyExistsException e) {
            throw exists(Path.of(e.getFile()));
        }
        System.out.printf(
                Locale.ROOT,
                "%s and %s, valid until %s%n",
                certificateFile,
                keyFile,
                certificate.getNotAfter().toInstant());
    }

    private static void write(Path file, String text) throws IOException {
        Files.createFile(
                file,
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.write(file, text.getBytes(StandardCharsets.US_ASCII), StandardOpenOption.WRITE);
    }

    private static ConfigException exists(Path file) {
        return new ConfigException(
                "%s exists: expected no such file, since Photon never overwrites a certificate or a key. Move it away, or give another name"
                        .formatted(file));
    }
}
