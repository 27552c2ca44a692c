package photon.joiner;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;
import photon.core.loop.EventLoop;
import photon.core.rpc.Caller;
import photon.core.rpc.GrpcChannels;
import photon.core.rpc.HostPort;
import photon.core.rpc.ProcessRpcs;
import photon.core.share.EventStoreShares;
import photon.joiner.rules.StoreRoutes;
import photon.joiner.task.EventStores;
import photon.proto.v1.EventStoreGrpc;
import photon.proto.v1.PrimaryLookupRequest;
import photon.proto.v1.PrimaryLookupResponse;
import photon.registry.api.ControlClient;
import photon.registry.api.RegistryClient;
import photon.registry.client.GrpcRegistry;
import photon.registry.client.PipelineDescription;
import photon.registry.client.RegistryConnection;

/**
 * Whom a joiner talks to. Used in its main loop.
 *
 * @param disconnect closes what is beneath the three, which are closed before
 */
public record JoinerPeers(
        RegistryClient registry,
        ControlClient control,
        EventStores eventStores,
        Runnable disconnect) {

    /** How long a lookup of primary events may take. */
    public static final Duration LOOKUP_DEADLINE = Duration.ofSeconds(10);

    /** Makes the clients. Called once, in the main loop, where the future completes too. */
    @FunctionalInterface
    public interface Connector {
        CompletableFuture<JoinerPeers> connect(EventLoop main);
    }

    /**
     * Connects over the network.
     *
     * @param registryServers nearest first
     * @param pipeline its name
     * @param known what was opened: another pipeline may have the name since
     * @param eventStores where the datacenter's event stores listen, each at its place in {@code
     *     shares}
     * @param shares which of them keeps what
     * @param rpcs counts what is sent and received
     */
    public static Connector overGrpc(
            List<HostPort> registryServers,
            String pipeline,
            PipelineDescription known,
            List<HostPort> eventStores,
            EventStoreShares shares,
            ProcessRpcs rpcs,
            RandomGenerator random) {
        return main -> {
            RegistryConnection connection =
                    GrpcRegistry.connect(main, registryServers, pipeline, rpcs, random, "joiner");
            GrpcChannels channels = new GrpcChannels(main, rpcs);
            return CompletableFuture.completedFuture(
                    new JoinerPeers(
                            connection.registry(known),
                            connection.control(),
                            new EventStores(
                                    new StoreRoutes(shares),
                                    eventStores.stream()
                                            .map(store -> lookups(channels, store))
                                            .toList()),
                            () -> {
                                connection.close();
                                channels.close();
                            }));
        };
    }

    private static Caller<PrimaryLookupRequest, PrimaryLookupResponse> lookups(
            GrpcChannels channels, HostPort eventStore) {
        return channels.stream(
                eventStore,
                EventStoreGrpc.getLookupMethod(),
                LOOKUP_DEADLINE,
                new GrpcChannels.Numbering<>(
                        (request, number) -> request.toBuilder().setRequest(number).build(),
                        PrimaryLookupResponse::getRequest));
    }

    void close() {
        eventStores.close();
        registry.close();
        control.close();
        disconnect.run();
    }
}
