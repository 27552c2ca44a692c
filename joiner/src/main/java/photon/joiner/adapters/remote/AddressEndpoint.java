package photon.joiner.adapters.remote;

import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import java.util.concurrent.CompletableFuture;
import photon.core.rpc.HostPort;
import photon.core.rpc.RpcSecurity;
import photon.core.security.Role;

/** A process that others start, at an address. */
record AddressEndpoint(HostPort address, RpcSecurity security) implements Endpoint {
    private static final CompletableFuture<Void> ALWAYS = CompletableFuture.completedFuture(null);

    @Override
    public String name() {
        return address.toString();
    }

    @Override
    public String key() {
        return "adapter.address";
    }

    @Override
    public CompletableFuture<Void> ready() {
        return ALWAYS;
    }

    @Override
    public ManagedChannel channel() {
        return usual(security.channelTo(address, Role.ADAPTER));
    }

    /**
     * It sends no pings: a gRPC server with its usual settings ends a connection that pings more
     * often than every five minutes, and an adapter that falls silent is found by the time-out of
     * its pairs.
     */
    static ManagedChannel usual(NettyChannelBuilder builder) {
        return builder.disableRetry()
                .directExecutor()
                .maxInboundMessageSize(RemoteSession.MESSAGE_BYTES_MAX)
                .build();
    }

    @Override
    public void hangs() {}

    @Override
    public long starts() {
        return 0;
    }

    @Override
    public void close() {}
}
