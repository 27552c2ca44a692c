package photon.idregistry.raft;

import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.grpc.GrpcConfigKeys;

/** What stands between a server's Raft port and Ratis. */
final class RaftPort {
    private RaftPort() {}

    /**
     * @param name the server's, among the members of its groups
     * @param readIndexes as {@link ReadIndexes} asks for them
     */
    static Parameters parameters(String name, Function<UUID, CompletableFuture<Long>> readIndexes) {
        OwnMail mail = new OwnMail(name);
        InTurn turns = new InTurn(new AppendTurns<>());
        ReadIndexes reads = new ReadIndexes(readIndexes);
        Parameters parameters = new Parameters();
        // The last one sees a message first.
        GrpcConfigKeys.Server.setServicesCustomizer(
                parameters,
                (builder, types) -> builder.intercept(reads).intercept(turns).intercept(mail));
        return parameters;
    }
}
