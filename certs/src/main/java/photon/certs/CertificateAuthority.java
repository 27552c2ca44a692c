package photon.certs;

import java.io.IOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.regex.Pattern;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.CertIOException;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** Issues certificates for keys on the curve P-256, with the JDK's own cryptography. Immutable. */
public final class CertificateAuthority {
    private static final String SIGNATURE = "SHA256withECDSA";
    private static final String CURVE = "secp256r1";
    private static final int SERIAL_BITS = 127;
    private static final Pattern ADDRESS = Pattern.compile("[0-9.]+|.*:.*");

    private final X509Certificate certificate;
    private final PrivateKey key;

    /** One that exists. */
    public CertificateAuthority(X509Certificate certificate, PrivateKey key) {
        this.certificate = certificate;
        this.key = key;
    }

    /**
     * A certificate to be issued.
     *
     * @param name the subject's common name
     * @param uri whom it is for, as a subject alternative name
     * @param hosts names and addresses at which its holder is reached; none: it is no server's
     */
    public record Request(String name, String uri, List<String> hosts) {
        public Request {
            hosts = List.copyOf(hosts);
        }
    }

    /** A certificate with its key. */
    public record Issued(X509Certificate certificate, PrivateKey key) {}

    /** A new one, which vouches for itself. */
    public static CertificateAuthority create(String name, Instant from, Instant until)
            throws GeneralSecurityException {
        KeyPair keys = newKeys();
        JcaX509v3CertificateBuilder builder =
                builder(subject(name), subject(name), from, until, keys.getPublic());
        try {
            builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(0));
            builder.addExtension(
                    Extension.keyUsage,
                    true,
                    new KeyUsage(KeyUsage.keyCertSign | KeyUsage.cRLSign));
        } catch (CertIOException e) {
            throw new GeneralSecurityException(e);
        }
        return new CertificateAuthority(signed(builder, keys.getPrivate()), keys.getPrivate());
    }

    public X509Certificate certificate() {
        return certificate;
    }

    public PrivateKey key() {
        return key;
    }

    /** A certificate for a new key. */
    public Issued issue(Request request, Instant from, Instant until)
            throws GeneralSecurityException {
        KeyPair keys = newKeys();
        JcaX509v3CertificateBuilder builder =
                builder(
                        X500Name.getInstance(certificate.getSubjectX500Principal().getEncoded()),
                        subject(request.name()),
                        from,
                        until,
                        keys.getPublic());
        try {
            builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(false));
            builder.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature));
            builder.addExtension(
                    Extension.extendedKeyUsage,
                    false,
                    request.hosts().isEmpty()
                            ? new ExtendedKeyUsage(KeyPurposeId.id_kp_clientAuth)
                            : new ExtendedKeyUsage(
                                    new KeyPurposeId[] {
                                        KeyPurposeId.id_kp_serverAuth, KeyPurposeId.id_kp_clientAuth
                                    }));
            builder.addExtension(
                    Extension.subjectAlternativeName, false, alternativeNames(request));
            builder.addExtension(
                    Extension.authorityKeyIdentifier,
                    false,
                    new JcaX509ExtensionUtils().createAuthorityKeyIdentifier(certificate));
        } catch (IOException e) {
            throw new GeneralSecurityException(e);
        }
        return new Issued(signed(builder, key), keys.getPrivate());
    }

    private static GeneralNames alternativeNames(Request request) {
        List<GeneralName> names = new ArrayList<>();
        names.add(new GeneralName(GeneralName.uniformResourceIdentifier, request.uri()));
        for (String host : request.hosts()) {
            names.add(
                    new GeneralName(
                            ADDRESS.matcher(host).matches()
                                    ? GeneralName.iPAddress
                                    : GeneralName.dNSName,
                            host));
        }
        return new GeneralNames(names.toArray(GeneralName[]::new));
    }

    private static X500Name subject(String name) {
        return new X500NameBuilder(BCStyle.INSTANCE).addRDN(BCStyle.CN, name).build();
    }

    private static JcaX509v3CertificateBuilder builder(
            X500Name issuer, X500Name subject, Instant from, Instant until, PublicKey key) {
        return new JcaX509v3CertificateBuilder(
                issuer,
                new BigInteger(SERIAL_BITS, new SecureRandom()).add(BigInteger.ONE),
                Date.from(from),
                Date.from(until),
                subject,
                key);
    }

    private static X509Certificate signed(JcaX509v3CertificateBuilder builder, PrivateKey by)
            throws GeneralSecurityException {
        try {
            return new JcaX509CertificateConverter()
                    .getCertificate(
                            builder.build(new JcaContentSignerBuilder(SIGNATURE).build(by)));
        } catch (OperatorCreationException e) {
            throw new GeneralSecurityException(e);
        }
    }

    private static KeyPair newKeys() throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec(CURVE));
        return generator.generateKeyPair();
    }
}
