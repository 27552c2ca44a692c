package photon.idregistry.raft;

import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.grpc.GrpcConfigKeys;
import org.apache.ratis.grpc.GrpcTlsConfig;
import org.apache.ratis.grpc.GrpcUtil;
import org.apache.ratis.thirdparty.io.grpc.netty.NettyServerBuilder;
import org.apache.ratis.thirdparty.io.netty.handler.ssl.OpenSsl;
import org.apache.ratis.thirdparty.io.netty.handler.ssl.OpenSslSessionContext;
import org.apache.ratis.thirdparty.io.netty.handler.ssl.SslContext;
import org.apache.ratis.thirdparty.io.netty.handler.ssl.SslProvider;
import photon.core.security.Role;
import photon.core.security.TlsFiles;

/** What replicas of the registry send to each other, by TLS: both sides are daemons. */
final class RaftTls {
    private static final int HANDSHAKE_SECONDS_MAX = 10;

    private final GrpcTlsConfig config;

    RaftTls(TlsFiles files) {
        GrpcTlsConfig.Builder builder = new GrpcTlsConfig.Builder();
        builder.setKeyManager(files.keyManager());
        builder.setTrustManager(files.trustManager(Set.of(Role.DAEMON), ""));
        builder.setMutualTls(true);
        builder.setProtocols("TLSv1.3");
        // Ratis takes OpenSSL for granted, which is not there on every system.
        builder.setSslProvider(OpenSsl.isAvailable() ? SslProvider.OPENSSL : SslProvider.JDK);
        config = builder.build();
    }

    /** Which servers are also told of, since without it they would serve in the clear. */
    void setClients(Parameters parameters) {
        GrpcConfigKeys.TLS.setConf(parameters, config);
    }

    /** A session that is taken up again is not checked again: none is. */
    NettyServerBuilder secure(NettyServerBuilder server) {
        SslContext context = GrpcUtil.buildSslContextForServer(config);
        if (context.sessionContext() instanceof OpenSslSessionContext sessions) {
            sessions.setSessionCacheEnabled(false);
        } else {
            context.sessionContext().setSessionTimeout(1);
        }
        return server.sslContext(context).handshakeTimeout(HANDSHAKE_SECONDS_MAX, TimeUnit.SECONDS);
    }
}
