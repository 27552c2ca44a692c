package photon.core.security;

import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Set;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSession;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * Lets a peer in if an authority vouches for it, its certificate is valid now and for its address,
 * and it is what a peer must be here. The JDK's own checks come first. Thread-safe.
 */
final class PeerTrust extends X509ExtendedTrustManager {
    private static final String VERSION = "TLSv1.3";

    private final TlsFiles files;
    private final Set<Role> roles;
    private final String datacenter;

    /**
     * @param datacenter empty: any
     */
    PeerTrust(TlsFiles files, Set<Role> roles, String datacenter) {
        this.files = files;
        this.roles = Set.copyOf(roles);
        this.datacenter = datacenter;
    }

    private X509ExtendedTrustManager authorities() {
        return files.current().credentials().trust();
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
            throws CertificateException {
        authorities().checkClientTrusted(chain, type, engine);
        checkVersion(engine.getHandshakeSession());
        checkPeer(chain[0]);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
            throws CertificateException {
        authorities().checkServerTrusted(chain, type, engine);
        checkVersion(engine.getHandshakeSession());
        checkPeer(chain[0]);
    }

    /** Where the library chooses the versions, as Ratis does. */
    private static void checkVersion(@Nullable SSLSession session) throws CertificateException {
        if (session != null && !VERSION.equals(session.getProtocol())) {
            throw new CertificateException(
                    "The peer speaks %s: expected %s".formatted(session.getProtocol(), VERSION));
        }
    }

    private void checkPeer(X509Certificate certificate) throws CertificateException {
        PeerIdentity peer = PeerIdentity.of(certificate);
        if (!roles.contains(peer.role())) {
            throw new CertificateException(
                    "The peer's certificate is of %s: expected one of %s"
                            .formatted(peer, roles.stream().map(Role::label).sorted().toList()));
        }
        if (!datacenter.isEmpty() && !datacenter.equals(peer.datacenter())) {
            throw new CertificateException(
                    "The peer's certificate is of %s: expected one of datacenter %s, where the configuration says that it is"
                            .formatted(peer, datacenter));
        }
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return authorities().getAcceptedIssuers();
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
            throws CertificateException {
        authorities().checkClientTrusted(chain, type, socket);
        checkPeer(chain[0]);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
            throws CertificateException {
        authorities().checkServerTrusted(chain, type, socket);
        checkPeer(chain[0]);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type)
            throws CertificateException {
        authorities().checkClientTrusted(chain, type);
        checkPeer(chain[0]);
    }

    /** Without a connection there is no address that the certificate could be compared with. */
    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type)
            throws CertificateException {
        throw new CertificateException("Expected a connection whose address can be checked");
    }
}
