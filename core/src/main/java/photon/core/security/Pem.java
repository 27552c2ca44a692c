package photon.core.security;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Certificates and keys as text. */
public final class Pem {
    private static final Pattern KEY =
            Pattern.compile(
                    "-----BEGIN ([A-Z ]*PRIVATE KEY)-----([A-Za-z0-9+/=\\s]+)-----END \\1-----");
    private static final String PKCS8 = "PRIVATE KEY";
    private static final List<String> ALGORITHMS = List.of("EC", "RSA", "Ed25519");

    private Pem() {}

    /** In the order of the text; at least one. */
    public static List<X509Certificate> certificates(String text) throws CertificateException {
        List<X509Certificate> found = new ArrayList<>();
        for (Certificate each :
                CertificateFactory.getInstance("X.509")
                        .generateCertificates(
                                new ByteArrayInputStream(
                                        text.getBytes(StandardCharsets.US_ASCII)))) {
            found.add((X509Certificate) each);
        }
        if (found.isEmpty()) {
            throw new CertificateException("expected PEM with 'BEGIN CERTIFICATE'");
        }
        return found;
    }

    /** One key in PKCS#8, without a password. */
    public static PrivateKey key(String text) throws GeneralSecurityException {
        Matcher matcher = KEY.matcher(text);
        if (!matcher.find() || !matcher.group(1).equals(PKCS8)) {
            throw new GeneralSecurityException(
                    "expected PEM with 'BEGIN PRIVATE KEY' (PKCS#8 without a password; 'openssl pkcs8 -topk8 -nocrypt' converts other keys)");
        }
        byte[] encoded;
        try {
            encoded = Base64.getMimeDecoder().decode(matcher.group(2));
        } catch (IllegalArgumentException e) {
            throw new GeneralSecurityException("its Base64 is damaged", e);
        }
        for (String algorithm : ALGORITHMS) {
            try {
                return KeyFactory.getInstance(algorithm)
                        .generatePrivate(new PKCS8EncodedKeySpec(encoded));
            } catch (GeneralSecurityException e) {
                // It may be of the next kind.
            }
        }
        throw new GeneralSecurityException("expected a key of the kind " + ALGORITHMS);
    }

    public static String text(X509Certificate certificate) throws CertificateException {
        return block("CERTIFICATE", certificate.getEncoded());
    }

    public static String text(PrivateKey key) {
        return block(PKCS8, key.getEncoded());
    }

    private static String block(String label, byte[] bytes) {
        return "-----BEGIN "
                + label
                + "-----\n"
                + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes)
                + "\n-----END "
                + label
                + "-----\n";
    }
}
