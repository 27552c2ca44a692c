package photon.core.security;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import photon.core.error.ConfigException;

/**
 * A process's certificate and key, and the authorities it trusts, as their files hold them now.
 * Each handshake looks whether the files have changed, at most once a second; files that cannot be
 * used are told in the log, and those before them stay in use. Thread-safe.
 */
public final class TlsFiles {
    private static final Logger LOG = LoggerFactory.getLogger(TlsFiles.class);
    private static final Duration LOOK_EVERY = Duration.ofSeconds(1);
    private static final Duration SOON = Duration.ofDays(14);

    private final SecurityConfig.Files files;
    private final Clock clock;
    private volatile Version current;
    private List<Object> seen;
    private long nextLookMillis;
    private String trouble = "";

    /**
     * @param before null of the first
     */
    record Version(int number, Credentials credentials, @Nullable Credentials before) {}

    private TlsFiles(SecurityConfig.Files files, Clock clock) {
        this.files = files;
        this.clock = clock;
        this.seen = stamps();
        this.current = new Version(0, Credentials.read(files, clock.instant()), null);
        this.nextLookMillis = clock.millis() + LOOK_EVERY.toMillis();
        warnIfItEndsSoon(current.credentials());
    }

    /**
     * @throws ConfigException that names the file that cannot be used, and why
     */
    public static TlsFiles open(SecurityConfig.Files files, Clock clock) {
        return new TlsFiles(files, clock);
    }

    /** Whom this process's own certificate is for. */
    public PeerIdentity identity() {
        return current().credentials().identity();
    }

    /** When the first expires: the own certificate, or what vouches for it. */
    public Instant expiry() {
        return end(current().credentials().firstToExpire());
    }

    /** Which of those that vouch for the own certificate expires before it; empty: none does. */
    public Optional<String> expiresBefore() {
        Credentials held = current().credentials();
        X509Certificate first = held.firstToExpire();
        return first.equals(held.certificate())
                ? Optional.empty()
                : Optional.of(first.getSubjectX500Principal().getName());
    }

    private static Instant end(X509Certificate certificate) {
        return certificate.getNotAfter().toInstant();
    }

    /** Hosts that this process's own certificate is for: names, and addresses as texts. */
    public List<String> hosts() {
        return current().credentials().hosts();
    }

    /** Why no authority in the trust file vouches for the own certificate; empty: one does. */
    public Optional<String> distrust() {
        return current().credentials().distrust();
    }

    /** Why files that have replaced others are not used; empty: those that are there are in use. */
    public synchronized String trouble() {
        current();
        return trouble;
    }

    /** Shows this process's certificate to peers. */
    public X509ExtendedKeyManager keyManager() {
        return new OwnKey(this);
    }

    /**
     * Lets peers be of these roles.
     *
     * @param datacenter a peer's; empty: any
     */
    public X509ExtendedTrustManager trustManager(Set<Role> roles, String datacenter) {
        return new PeerTrust(this, roles, datacenter);
    }

    synchronized Version current() {
        long now = clock.millis();
        if (now >= nextLookMillis) {
            nextLookMillis = now + LOOK_EVERY.toMillis();
            look();
        }
        return current;
    }

    private void look() {
        // Before the files are read: what changes meanwhile is seen by the next look.
        List<Object> stamps = stamps();
        if (stamps.equals(seen)) {
            if (!trouble.isEmpty()) {
                trouble = "";
                LOG.info("The files of the certificate in use are back");
            }
            return;
        }
        try {
            Credentials read = Credentials.read(files, clock.instant());
            checkSuccessor(current.credentials(), read);
            current = new Version(current.number() + 1, read, current.credentials());
            seen = stamps;
            trouble = "";
            LOG.info(
                    "Certificate, key and trust were read again: {}, valid until {}",
                    read.identity(),
                    end(read.firstToExpire()));
            warnIfItEndsSoon(read);
        } catch (ConfigException e) {
            String why = requireNonNull(e.getMessage());
            if (!why.equals(trouble)) {
                trouble = why;
                LOG.error("The new certificate is not used, and the one before it stays: {}", why);
            }
        }
    }

    /**
     * Refuses what a start refuses, and what no peer would accept. Files are replaced one after the
     * other: a new authority without its certificate, or the other way round, waits for the rest.
     *
     * @throws ConfigException if these files must not follow those that are in use
     */
    private void checkSuccessor(Credentials before, Credentials next) {
        PeerIdentity was = before.identity();
        PeerIdentity is = next.identity();
        if (is.role() != was.role() || !is.datacenter().equals(was.datacenter())) {
            throw new ConfigException(
                    "security.certificate %s: it is of %s, and the one in use is of %s: expected the same role and datacenter"
                            .formatted(files.certificate(), is, was));
        }
        Optional<String> distrust = next.distrust();
        // A process may trust another authority than its own: it has done so from its start.
        if (distrust.isPresent() && before.distrust().isEmpty()) {
            throw new ConfigException(
                    "security.trust %s: it does not vouch for the certificate in %s: %s"
                            .formatted(files.trust(), files.certificate(), distrust.get()));
        }
    }

    private void warnIfItEndsSoon(Credentials held) {
        X509Certificate first = held.firstToExpire();
        Instant until = end(first);
        if (!until.isBefore(clock.instant().plus(SOON))) {
            return;
        }
        if (first.equals(held.certificate())) {
            LOG.warn(
                    "The certificate in {} expires at {}: replace the file before",
                    files.certificate(),
                    until);
        } else {
            LOG.warn(
                    "{}, which vouches for the certificate in {}, expires at {}: replace both before",
                    first.getSubjectX500Principal().getName(),
                    files.certificate(),
                    until);
        }
    }

    private List<Object> stamps() {
        return Stream.of(files.certificate(), files.key(), files.trust())
                .map(TlsFiles::stamp)
                .toList();
    }

    private static Object stamp(Path file) {
        try {
            BasicFileAttributes found = Files.readAttributes(file, BasicFileAttributes.class);
            return List.of(found.lastModifiedTime(), found.size(), String.valueOf(found.fileKey()));
        } catch (IOException e) {
            return "";
        }
    }
}
