package photon.simulation.parts;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import photon.core.loop.EventLoop;
import photon.core.rpc.Caller;
import photon.core.rpc.GrpcChannels;
import photon.core.rpc.HostPort;
import photon.core.rpc.StreamCaller;
import photon.proto.v1.CommitRequest;
import photon.proto.v1.CommitResponse;
import photon.registry.client.RegistryTransport;
import photon.simulation.kernel.Life;
import photon.simulation.network.Network;

/**
 * One client's way to the registry over the simulated network. Commits go over a stream as in
 * production, or, for every other client by the seed, as calls, which overtake one another and come
 * late, which a stream is only from one of its lives to the next.
 */
public final class SimulatedTransport implements RegistryTransport {
    private final Network network;
    private final Life client;
    private final String clientHost;
    private final EventLoop loop;
    private final boolean streams;
    private final Map<HostPort, Server> servers = new LinkedHashMap<>();

    /**
     * @param clientHost the name under which the client's links are known
     * @param loop in which it is used
     */
    public SimulatedTransport(Network network, Life client, String clientHost, EventLoop loop) {
        this.network = network;
        this.client = client;
        this.clientHost = clientHost;
        this.loop = loop;
        this.streams = client.random().nextBoolean();
    }

    @Override
    public Server at(HostPort server) {
        return servers.computeIfAbsent(server, this::connect);
    }

    private Server connect(HostPort server) {
        return new Server(
                commits(server),
                call(server, RegistryMethods.LOOKUP, LOOKUP_DEADLINE),
                call(server, RegistryMethods.REMOVE, COMMAND_DEADLINE),
                call(server, RegistryMethods.CANCEL, COMMAND_DEADLINE),
                call(server, RegistryMethods.FENCE, COMMAND_DEADLINE),
                call(server, RegistryMethods.SCAN, COMMAND_DEADLINE),
                call(server, RegistryMethods.OPEN_PIPELINE, COMMAND_DEADLINE),
                call(server, RegistryMethods.DESCRIBE_PIPELINE, COMMAND_DEADLINE),
                call(server, RegistryMethods.REGISTER, COMMAND_DEADLINE),
                call(server, RegistryMethods.FENCE_INCARNATION, COMMAND_DEADLINE),
                call(server, RegistryMethods.SET_INCARNATION_STATE, COMMAND_DEADLINE),
                call(server, RegistryMethods.LIST_INCARNATIONS, COMMAND_DEADLINE),
                call(server, RegistryMethods.PREPARE_EPOCH, COMMAND_DEADLINE),
                call(server, RegistryMethods.BEGIN_RESHARD, COMMAND_DEADLINE),
                call(server, RegistryMethods.DECIDE_RESHARD, COMMAND_DEADLINE),
                call(server, RegistryMethods.TELL_CLOCK, COMMAND_DEADLINE),
                call(server, RegistryMethods.SET_PIPELINE, COMMAND_DEADLINE),
                call(server, RegistryMethods.DROP_PIPELINE, COMMAND_DEADLINE),
                call(server, RegistryMethods.RENEW_INCARNATION, COMMAND_DEADLINE),
                call(server, RegistryMethods.REGISTER_STATE, COMMAND_DEADLINE),
                call(server, RegistryMethods.REOPEN_INCARNATION, COMMAND_DEADLINE),
                call(server, RegistryMethods.RETIRE_DATACENTER, COMMAND_DEADLINE));
    }

    private <Q, R> Caller<Q, R> call(HostPort server, String method, Duration deadline) {
        return network.caller(client, clientHost, loop, server, method, deadline);
    }

    private Caller<CommitRequest, CommitResponse> commits(HostPort server) {
        if (!streams) {
            return network.callerOnce(
                    client,
                    clientHost,
                    loop,
                    server,
                    RegistryMethods.COMMIT_CALL,
                    COMMAND_DEADLINE);
        }
        return new StreamCaller<>(
                loop,
                network.session(client, clientHost, loop, server, RegistryMethods.COMMIT),
                COMMAND_DEADLINE,
                new GrpcChannels.Numbering<>(
                        (request, number) -> request.toBuilder().setRequest(number).build(),
                        CommitResponse::getRequest));
    }

    @Override
    public void close() {
        servers.values()
                .forEach(
                        server -> {
                            server.commit().close();
                            server.lookup().close();
                            server.remove().close();
                            server.cancel().close();
                            server.fence().close();
                            server.scan().close();
                            server.openPipeline().close();
                            server.describePipeline().close();
                            server.register().close();
                            server.fenceIncarnation().close();
                            server.setIncarnationState().close();
                            server.listIncarnations().close();
                            server.prepareEpoch().close();
                            server.beginReshard().close();
                            server.decideReshard().close();
                            server.tellClock().close();
                            server.setPipeline().close();
                            server.dropPipeline().close();
                            server.renewIncarnation().close();
                            server.registerDispatcherState().close();
                            server.reopenIncarnation().close();
                            server.retireDatacenter().close();
                        });
        servers.clear();
    }
}
