package photon.core.rpc;

import io.grpc.Attributes;
import io.grpc.Grpc;
import io.grpc.inprocess.InProcessSocketAddress;
import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.netty.shaded.io.netty.handler.ssl.ClientAuth;
import io.grpc.netty.shaded.io.netty.handler.ssl.OpenSslSessionContext;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContext;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContextBuilder;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;
import photon.core.error.ConfigException;
import photon.core.security.PeerIdentity;
import photon.core.security.Role;
import photon.core.security.SecurityConfig;
import photon.core.security.TlsFiles;

/** How this process talks to others: as it is, or by TLS with certificates. Thread-safe. */
public final class RpcSecurity {
    /** Anyone who connects may call everything, and read what others send. */
    public static final RpcSecurity PLAINTEXT = new RpcSecurity(null, Map.of());

    /**
     * The log of calls that were refused and of what people change. Its level and its lines are
     * independent of those of all others ({@code logback.xml}).
     */
    public static final String AUDIT_LOG = "photon.audit";

    /** A peer that has not shown who it is by then is cut off. */
    static final Duration HANDSHAKE_MAX = Duration.ofSeconds(10);

    /** An adapter is called, and calls no server of Photon. */
    private static final Set<Role> CALLERS =
            Set.copyOf(EnumSet.complementOf(EnumSet.of(Role.ADAPTER)));

    private static final String VERSION = "TLSv1.3";

    /**
     * A session that is taken up again is not checked again: none is, or where the JDK's own TLS is
     * used, none that is older.
     */
    private static final long SESSION_SECONDS = 1;

    private final @Nullable TlsFiles files;
    private final Map<HostPort, String> datacenters;
    private final Map<Peer, SslContext> clients = new ConcurrentHashMap<>();

    /** What a server must be. */
    private record Peer(Role role, String datacenter) {}

    private RpcSecurity(@Nullable TlsFiles files, Map<HostPort, String> datacenters) {
        this.files = files;
        this.datacenters = Map.copyOf(datacenters);
    }

    /**
     * @param datacenters of servers whose datacenter is known: their certificates must be of it
     * @throws ConfigException that names the file that cannot be used, and why
     */
    public static RpcSecurity of(
            SecurityConfig config, Map<HostPort, String> datacenters, Clock clock) {
        return config.tls()
                .map(files -> new RpcSecurity(TlsFiles.open(files, clock), datacenters))
                .orElse(PLAINTEXT);
    }

    /** Empty: calls are not by TLS. */
    public Optional<TlsFiles> files() {
        return Optional.ofNullable(files);
    }

    void secure(NettyServerBuilder server) {
        if (files == null) {
            return;
        }
        SslContextBuilder builder =
                GrpcSslContexts.configure(SslContextBuilder.forServer(files.keyManager()))
                        .trustManager(files.trustManager(CALLERS, ""))
                        .clientAuth(ClientAuth.REQUIRE)
                        .protocols(VERSION);
        server.sslContext(build(builder))
                .handshakeTimeout(HANDSHAKE_MAX.toSeconds(), TimeUnit.SECONDS);
    }

    /**
     * For a channel to a server of the role.
     *
     * @param server where it is; its certificate must be for the host
     */
    public NettyChannelBuilder channelTo(HostPort server, Role role) {
        NettyChannelBuilder channel = NettyChannelBuilder.forAddress(server.host(), server.port());
        TlsFiles own = files;
        if (own == null) {
            return channel.usePlaintext();
        }
        Peer peer = new Peer(role, datacenters.getOrDefault(server, ""));
        return channel.sslContext(clients.computeIfAbsent(peer, each -> client(own, each)))
                .useTransportSecurity();
    }

    private static SslContext client(TlsFiles own, Peer peer) {
        return build(
                GrpcSslContexts.configure(SslContextBuilder.forClient())
                        .keyManager(own.keyManager())
                        .trustManager(own.trustManager(Set.of(peer.role()), peer.datacenter()))
                        .protocols(VERSION));
    }

    private static SslContext build(SslContextBuilder builder) {
        try {
            SslContext made = builder.sessionTimeout(SESSION_SECONDS).build();
            if (made.sessionContext() instanceof OpenSslSessionContext sessions) {
                sessions.setSessionCacheEnabled(false);
            }
            return made;
        } catch (SSLException e) {
            throw new ConfigException("Cannot set up TLS: " + e.getMessage());
        }
    }

    /**
     * Whom the certificate of a connection's other end is for; empty: it is this process, or TLS is
     * not used.
     */
    Optional<PeerIdentity> caller(Attributes transport) {
        Object address = transport.get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR);
        if (files == null || address instanceof InProcessSocketAddress) {
            return Optional.empty();
        }
        SSLSession session = transport.get(Grpc.TRANSPORT_ATTR_SSL_SESSION);
        try {
            if (session != null
                    && session.getPeerCertificates()[0] instanceof X509Certificate certificate) {
                return Optional.of(PeerIdentity.of(certificate));
            }
        } catch (SSLPeerUnverifiedException | CertificateException e) {
            // The handshake has refused such a peer: below.
        }
        throw new IllegalStateException(
                "A connection came by TLS without a certificate that was checked");
    }
}
