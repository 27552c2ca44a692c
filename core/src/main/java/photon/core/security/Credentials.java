package photon.core.security;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import photon.core.error.ConfigException;
import photon.core.error.IoText;

/**
 * What three files held when they were read. Immutable.
 *
 * @param chain this process's certificate first
 * @param trust the authorities
 * @param identity whom the certificate is for
 */
record Credentials(
        List<X509Certificate> chain,
        PrivateKey key,
        X509ExtendedTrustManager trust,
        PeerIdentity identity) {
    private static final byte[] SAMPLE = {1, 2, 3};

    private static final Comparator<X509Certificate> BY_END =
            Comparator.comparing(each -> each.getNotAfter().toInstant());

    /** The kinds of a subject alternative name that are DNS names and addresses (RFC 5280). */
    private static final Set<Object> HOST_NAMES = Set.of(2, 7);

    Credentials {
        chain = List.copyOf(chain);
    }

    X509Certificate certificate() {
        return chain.get(0);
    }

    /**
     * Which expires first: the certificate, those between it and an authority, or the authority. Of
     * several that vouch for it, the one that lasts longest.
     */
    X509Certificate firstToExpire() {
        Stream<X509Certificate> authority =
                Arrays.stream(trust.getAcceptedIssuers())
                        .filter(each -> chain.stream().anyMatch(of -> hasSigned(each, of)))
                        .max(BY_END)
                        .stream();
        return Stream.concat(chain.stream(), authority).min(BY_END).orElseThrow();
    }

    private static boolean hasSigned(X509Certificate authority, X509Certificate certificate) {
        if (!authority.getSubjectX500Principal().equals(certificate.getIssuerX500Principal())) {
            return false;
        }
        try {
            certificate.verify(authority.getPublicKey());
            return true;
        } catch (GeneralSecurityException e) {
            return false;
        }
    }

    /** Hosts that the certificate is for: names, and addresses as texts. */
    List<String> hosts() {
        try {
            Collection<List<?>> names = certificate().getSubjectAlternativeNames();
            return names == null
                    ? List.of()
                    : names.stream()
                            .filter(name -> HOST_NAMES.contains(name.get(0)))
                            .map(name -> (String) name.get(1))
                            .toList();
        } catch (CertificateException e) {
            return List.of();
        }
    }

    /** Why no authority vouches for the certificate, as a peer with the same trust would say it. */
    Optional<String> distrust() {
        try {
            trust.checkClientTrusted(chain.toArray(X509Certificate[]::new), key.getAlgorithm());
            return Optional.empty();
        } catch (CertificateException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    /**
     * @throws ConfigException that names the file and what is wrong with it
     */
    static Credentials read(SecurityConfig.Files files, Instant now) {
        List<X509Certificate> chain = certificates("certificate", files.certificate());
        X509Certificate own = chain.get(0);
        checkDates("security.certificate", files.certificate(), own, now);
        PeerIdentity identity;
        try {
            identity = PeerIdentity.of(own);
        } catch (CertificateException e) {
            throw wrong(
                    "security.certificate", files.certificate(), String.valueOf(e.getMessage()));
        }
        PrivateKey key = key(files.key());
        if (!belongTogether(own, key)) {
            throw wrong(
                    "security.key",
                    files.key(),
                    "it is not the key of the certificate in " + files.certificate());
        }
        return new Credentials(chain, key, trust(files.trust(), now), identity);
    }

    private static List<X509Certificate> certificates(String key, Path file) {
        try {
            return Pem.certificates(text("security." + key, file));
        } catch (CertificateException e) {
            throw wrong("security." + key, file, "it holds no certificates: " + e.getMessage());
        }
    }

    private static PrivateKey key(Path file) {
        String text = text("security.key", file);
        checkPrivate(file);
        try {
            return Pem.key(text);
        } catch (GeneralSecurityException e) {
            throw wrong("security.key", file, "it holds no key: " + e.getMessage());
        }
    }

    private static void checkPrivate(Path file) {
        Set<PosixFilePermission> permissions;
        try {
            permissions = Files.getPosixFilePermissions(file);
        } catch (UnsupportedOperationException e) {
            return;
        } catch (IOException e) {
            throw wrong("security.key", file, IoText.of(e));
        }
        if (permissions.contains(PosixFilePermission.OTHERS_READ)
                || permissions.contains(PosixFilePermission.OTHERS_WRITE)
                || permissions.contains(PosixFilePermission.GROUP_WRITE)) {
            throw wrong(
                    "security.key",
                    file,
                    "others may read or write it: expected mode 0600, or 0640 for a group ('chmod 600')");
        }
    }

    private static X509ExtendedTrustManager trust(Path file, Instant now) {
        List<X509Certificate> authorities = certificates("trust", file);
        boolean anyValid = authorities.stream().anyMatch(each -> isValid(each, now));
        if (!anyValid) {
            checkDates("security.trust", file, authorities.get(0), now);
        }
        try {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            for (X509Certificate authority : authorities) {
                store.setCertificateEntry("authority-" + store.size(), authority);
            }
            TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
            factory.init(store);
            for (TrustManager manager : factory.getTrustManagers()) {
                if (manager instanceof X509ExtendedTrustManager found) {
                    return found;
                }
            }
            throw new GeneralSecurityException("no trust manager for certificates");
        } catch (GeneralSecurityException | IOException e) {
            throw wrong("security.trust", file, String.valueOf(e.getMessage()));
        }
    }

    private static boolean isValid(X509Certificate certificate, Instant now) {
        return !now.isBefore(certificate.getNotBefore().toInstant())
                && !now.isAfter(certificate.getNotAfter().toInstant());
    }

    private static void checkDates(String key, Path file, X509Certificate holder, Instant now) {
        Instant from = holder.getNotBefore().toInstant();
        Instant until = holder.getNotAfter().toInstant();
        if (now.isBefore(from)) {
            throw wrong(key, file, "it is valid from %s on, and now is %s".formatted(from, now));
        }
        if (now.isAfter(until)) {
            throw wrong(key, file, "it expired at %s, and now is %s".formatted(until, now));
        }
    }

    /** Whether what the key signs the certificate verifies. */
    private static boolean belongTogether(X509Certificate certificate, PrivateKey key) {
        String algorithm =
                switch (key.getAlgorithm()) {
                    case "EC" -> "SHA256withECDSA";
                    case "RSA" -> "SHA256withRSA";
                    default -> "Ed25519";
                };
        try {
            Signature signature = Signature.getInstance(algorithm);
            signature.initSign(key);
            signature.update(SAMPLE);
            byte[] signed = signature.sign();
            signature.initVerify(certificate.getPublicKey());
            signature.update(SAMPLE);
            return signature.verify(signed);
        } catch (GeneralSecurityException e) {
            return false;
        }
    }

    private static String text(String key, Path file) {
        try {
            return Files.readString(file);
        } catch (NoSuchFileException e) {
            throw wrong(key, file, "there is no such file");
        } catch (IOException e) {
            throw wrong(key, file, "it cannot be read: " + IoText.of(e));
        }
    }

    private static ConfigException wrong(String key, Path file, String what) {
        return new ConfigException("%s %s: %s".formatted(key, file, what));
    }
}
