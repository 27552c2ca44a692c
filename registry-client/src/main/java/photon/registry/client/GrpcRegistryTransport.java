package photon.registry.client;

import java.util.HashMap;
import java.util.Map;
import photon.core.loop.EventLoop;
import photon.core.rpc.GrpcChannels;
import photon.core.rpc.HostPort;
import photon.core.rpc.ProcessRpcs;
import photon.proto.v1.CommitResponse;
import photon.proto.v1.ControlGrpc;
import photon.proto.v1.LookupResponse;
import photon.proto.v1.RegistryGrpc;

/** Registry servers over gRPC: streams for commits and lookups, a call each for the rest. */
public final class GrpcRegistryTransport implements RegistryTransport {
    private final GrpcChannels channels;
    private final Map<HostPort, Server> servers = new HashMap<>();

    public GrpcRegistryTransport(EventLoop loop, ProcessRpcs counter) {
        this.channels = new GrpcChannels(loop, counter);
    }

    @Override
    public Server at(HostPort server) {
        return servers.computeIfAbsent(server, this::connect);
    }

    private Server connect(HostPort server) {
        return new Server(
                channels.stream(
                        server,
                        RegistryGrpc.getCommitMethod(),
                        COMMAND_DEADLINE,
                        new GrpcChannels.Numbering<>(
                                (request, number) -> request.toBuilder().setRequest(number).build(),
                                CommitResponse::getRequest)),
                channels.stream(
                        server,
                        RegistryGrpc.getLookupMethod(),
                        LOOKUP_DEADLINE,
                        new GrpcChannels.Numbering<>(
                                (request, number) -> request.toBuilder().setRequest(number).build(),
                                LookupResponse::getRequest)),
                channels.unary(server, RegistryGrpc.getRemoveMethod(), COMMAND_DEADLINE),
                channels.unary(server, RegistryGrpc.getCancelMethod(), COMMAND_DEADLINE),
                channels.unary(server, RegistryGrpc.getFenceMethod(), COMMAND_DEADLINE),
                channels.unary(server, RegistryGrpc.getScanMethod(), COMMAND_DEADLINE),
                channels.unary(server, ControlGrpc.getOpenPipelineMethod(), COMMAND_DEADLINE),
                channels.unary(server, ControlGrpc.getDescribePipelineMethod(), COMMAND_DEADLINE),
                channels.unary(server, ControlGrpc.getRegisterMethod(), COMMAND_DEADLINE),
                channels.unary(server, ControlGrpc.getFenceIncarnationMethod(), COMMAND_DEADLINE),
                channels.unary(
                        server, ControlGrpc.getSetIncarnationStateMethod(), COMMAND_DEADLINE),
                channels.unary(server, ControlGrpc.getListIncarnationsMethod(), COMMAND_DEADLINE),
                channels.unary(server, RegistryGrpc.getPrepareEpochMethod(), COMMAND_DEADLINE),
                channels.unary(server, ControlGrpc.getBeginReshardMethod(), COMMAND_DEADLINE),
                channels.unary(server, ControlGrpc.getDecideReshardMethod(), COMMAND_DEADLINE),
                channels.unary(server, RegistryGrpc.getTellClockMethod(), COMMAND_DEADLINE),
                channels.unary(server, ControlGrpc.getSetPipelineMethod(), COMMAND_DEADLINE),
                channels.unary(server, ControlGrpc.getDropPipelineMethod(), COMMAND_DEADLINE),
                channels.unary(server, ControlGrpc.getRenewIncarnationMethod(), COMMAND_DEADLINE),
                channels.unary(
                        server, ControlGrpc.getRegisterDispatcherStateMethod(), COMMAND_DEADLINE),
                channels.unary(server, ControlGrpc.getReopenIncarnationMethod(), COMMAND_DEADLINE),
                channels.unary(server, ControlGrpc.getRetireDatacenterMethod(), COMMAND_DEADLINE));
    }

    @Override
    public void close() {
        servers.clear();
        channels.close();
    }
}
