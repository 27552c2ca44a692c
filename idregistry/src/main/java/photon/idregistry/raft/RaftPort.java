package photon.idregistry.raft;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.grpc.GrpcConfigKeys;
import org.apache.ratis.server.RaftServer;
import photon.core.error.BugHandler;
import photon.core.rpc.HostPort;
import photon.core.security.TlsFiles;
import photon.idregistry.raft.workaround.AppendOrdering;
import photon.idregistry.raft.workaround.AppendTurnQueue;
import photon.idregistry.raft.workaround.DurableAcknowledgements;
import photon.idregistry.raft.workaround.LoggedMembers;
import photon.idregistry.raft.workaround.ReadIndexes;
import photon.idregistry.raft.workaround.RecipientCheck;
import photon.idregistry.raft.workaround.StaleSnapshots;

/** What stands between a server's Raft port and Ratis. */
final class RaftPort {
    private RaftPort() {}

    /**
     * @param name the server's, among the members of its groups
     * @param tls certificates of this server and its peers; empty: messages travel as they are
     * @param readIndexes as {@link ReadIndexes} asks for them
     * @param server asked for when messages come
     */
    static Parameters parameters(
            String name,
            Optional<TlsFiles> tls,
            Function<UUID, CompletableFuture<Long>> readIndexes,
            Supplier<RaftServer> server,
            BugHandler bugs) {
        RecipientCheck recipients = new RecipientCheck(name);
        AppendOrdering turns = new AppendOrdering(new AppendTurnQueue<>());
        ReadIndexes reads = new ReadIndexes(readIndexes);
        LoggedMembers members = new LoggedMembers(server, bugs);
        DurableAcknowledgements flushed =
                new DurableAcknowledgements(group -> DivisionLog.of(group, server.get()));
        StaleSnapshots snapshots = new StaleSnapshots(server);
        Parameters parameters = new Parameters();
        Optional<RaftTls> secured = tls.map(RaftTls::new);
        secured.ifPresent(each -> each.setClients(parameters));
        // The last one sees a message first, and what is sent last.
        GrpcConfigKeys.Server.setServicesCustomizer(
                parameters,
                (builder, types) ->
                        secured.map(each -> each.secure(builder))
                                .orElse(builder)
                                .intercept(snapshots)
                                .intercept(reads)
                                .intercept(members)
                                .intercept(turns)
                                .intercept(recipients)
                                .intercept(flushed));
        return parameters;
    }

    /** Ratis itself would end the process without a word of why. */
    static void checkFree(HostPort listen) {
        InetSocketAddress address = listen.resolved("Raft");
        try (ServerSocket probe = new ServerSocket()) {
            probe.setReuseAddress(true);
            probe.bind(address);
        } catch (IOException e) {
            throw listen.cannotListen("Raft", e, "a free port of this machine");
        }
    }
}
