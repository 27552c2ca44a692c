package photon.idregistry.raft;

import org.apache.ratis.conf.Parameters;
import org.apache.ratis.grpc.GrpcConfigKeys;

/** What stands between a server's Raft port and Ratis. */
final class RaftPort {
    private RaftPort() {}

    /**
     * @param name the server's, among the members of its groups
     */
    static Parameters parameters(String name) {
        OwnMail mail = new OwnMail(name);
        InTurn turns = new InTurn(new AppendTurns<>());
        Parameters parameters = new Parameters();
        // The last one sees a message first.
        GrpcConfigKeys.Server.setServicesCustomizer(
                parameters, (builder, types) -> builder.intercept(turns).intercept(mail));
        return parameters;
    }
}
