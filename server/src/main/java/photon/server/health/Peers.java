package photon.server.health;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import photon.core.config.DeploymentConfig;
import photon.core.loop.EventLoop;
import photon.core.rpc.Caller;
import photon.core.rpc.GrpcChannels;
import photon.core.rpc.HostPort;
import photon.core.rpc.ProcessRpcs;
import photon.proto.v1.ControlGrpc;
import photon.proto.v1.DescribePipelineRequest;
import photon.proto.v1.DescribePipelineResponse;
import photon.proto.v1.Epoch;
import photon.proto.v1.EventStoreGrpc;
import photon.proto.v1.FrontierRequest;
import photon.proto.v1.InquireTokensRequest;
import photon.proto.v1.JoinerGrpc;

/**
 * The other daemons that one needs, and the questions that show that they are there. Made before
 * the monitor, and owned by its loop from then on.
 */
public final class Peers {
    private static final Duration DEADLINE = Duration.ofSeconds(5);

    private final GrpcChannels channels;
    private final List<PeerGroup> groups = new ArrayList<>();
    private final List<PeerProbe<?, ?>> probes = new ArrayList<>();

    /**
     * @param loop the monitor's
     */
    public Peers(EventLoop loop, ProcessRpcs rpcs) {
        this.channels = new GrpcChannels(loop, rpcs);
    }

    /**
     * A registry server that answers and knows the leader of each of the pipeline's shards will do.
     */
    public Peers registry(List<HostPort> servers, String pipeline, String consequence) {
        return add(
                new PeerGroup("registry", "the registry", consequence, states(servers)),
                servers,
                server -> channels.unary(server, ControlGrpc.getDescribePipelineMethod(), DEADLINE),
                DescribePipelineRequest.newBuilder().setName(pipeline).build(),
                Peers::leaderless);
    }

    static String leaderless(DescribePipelineResponse answer) {
        if (!answer.hasPipeline()) {
            return "has not caught up";
        }
        int shards =
                answer.getPipeline().getMap().getEpochsList().stream()
                        .mapToInt(Epoch::getShards)
                        .sum();
        int known = answer.getLeadersCount();
        return known == shards ? "" : "knows a leader of %d of %d shards".formatted(known, shards);
    }

    /** Any of them will do: what one keeps others keep, too, or waits for it. */
    public Peers eventStores(List<DeploymentConfig.EventStore> stores, String consequence) {
        List<HostPort> servers = stores.stream().map(DeploymentConfig.EventStore::address).toList();
        return add(
                new PeerGroup(
                        "event_store",
                        servers.size() == 1 ? "the event store" : "the event stores",
                        consequence,
                        states(servers)),
                servers,
                at -> channels.unary(at, EventStoreGrpc.getFrontierMethod(), DEADLINE),
                FrontierRequest.getDefaultInstance(),
                answer -> "");
    }

    public Peers joiners(List<HostPort> servers, String consequence) {
        return add(
                new PeerGroup(
                        "joiner",
                        servers.size() == 1 ? "the joiner" : "the joiners",
                        consequence,
                        states(servers)),
                servers,
                at -> channels.unary(at, JoinerGrpc.getInquireTokensMethod(), DEADLINE),
                InquireTokensRequest.getDefaultInstance(),
                answer -> "");
    }

    private static List<PeerState> states(List<HostPort> servers) {
        return servers.stream().map(server -> new PeerState(server.toString())).toList();
    }

    private <Q, R> Peers add(
            PeerGroup group,
            List<HostPort> servers,
            Function<HostPort, Caller<Q, R>> callers,
            Q question,
            Function<R, String> trouble) {
        groups.add(group);
        for (int i = 0; i < servers.size(); i++) {
            probes.add(
                    new PeerProbe<>(
                            group.peers().get(i),
                            callers.apply(servers.get(i)),
                            question,
                            trouble));
        }
        return this;
    }

    List<PeerGroup> groups() {
        return List.copyOf(groups);
    }

    void ask(long nowNanos) {
        probes.forEach(probe -> probe.askIfDue(nowNanos));
    }

    void close() {
        channels.close();
    }
}
