package photon.core.security;

import java.security.cert.CertificateException;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Whom a certificate is for: its one subject alternative name of the form {@code
 * photon://DATACENTER/ROLE/NAME}, such as {@code photon://east/daemon/r0}.
 *
 * @param datacenter empty: none in particular, {@code photon:///operator/alice}
 * @param name for people and logs
 */
public record PeerIdentity(String datacenter, Role role, String name) {
    public static final String FORM = "photon://DATACENTER/ROLE/NAME";

    private static final String SCHEME = "photon:";

    /** The kind of a subject alternative name that is a URI (RFC 5280, GeneralName). */
    private static final int URI_NAME = 6;

    private static final Pattern URI =
            Pattern.compile(
                    "photon://([a-z0-9][a-z0-9-]{0,62})?/(daemon|operator|viewer|adapter)/([A-Za-z0-9][A-Za-z0-9._@-]{0,62})");

    /**
     * @throws CertificateException if the certificate is not for one such peer
     */
    public static PeerIdentity of(X509Certificate certificate) throws CertificateException {
        List<String> uris = uris(certificate);
        if (uris.size() != 1) {
            throw new CertificateException(
                    "The certificate of %s has %s names of the form %s: expected one subject alternative name (URI) of that form"
                            .formatted(
                                    certificate.getSubjectX500Principal(),
                                    uris.isEmpty() ? "no" : uris.size(),
                                    FORM));
        }
        return parse(uris.get(0));
    }

    private static List<String> uris(X509Certificate certificate)
            throws CertificateParsingException {
        Collection<List<?>> names = certificate.getSubjectAlternativeNames();
        return names == null
                ? List.of()
                : names.stream()
                        .filter(name -> name.get(0).equals(URI_NAME))
                        .map(name -> (String) name.get(1))
                        .filter(uri -> uri.startsWith(SCHEME))
                        .toList();
    }

    /**
     * @throws CertificateException if the name has another form
     */
    public static PeerIdentity parse(String uri) throws CertificateException {
        Matcher parts = URI.matcher(uri);
        if (!parts.matches()) {
            throw new CertificateException(
                    "'%s' is not of the form %s with a role of daemon, operator, viewer or adapter, and names of letters, digits and '-'"
                            .formatted(uri, FORM));
        }
        Role role = Role.valueOf(parts.group(2).toUpperCase(Locale.ROOT));
        String datacenter = parts.group(1) == null ? "" : parts.group(1);
        if (role == Role.DAEMON && datacenter.isEmpty()) {
            throw new CertificateException(
                    "'%s' names no datacenter: expected a daemon's certificate to name the one it is of"
                            .formatted(uri));
        }
        return new PeerIdentity(datacenter, role, parts.group(3));
    }

    /** As a certificate has it. */
    public String uri() {
        return "photon://" + datacenter + "/" + role.label() + "/" + name;
    }

    /** For people. */
    @Override
    public String toString() {
        return role.label() + " " + name + (datacenter.isEmpty() ? "" : " of " + datacenter);
    }
}
