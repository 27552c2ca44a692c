package photon.registry.admin;

import io.grpc.MethodDescriptor;
import java.util.function.Function;
import photon.proto.v1.Progress;

/** Whoever decides what is asked of a group: its leader, wherever it is. */
public interface Deciders {
    /**
     * Asks until a server says DECIDED.
     *
     * @param progress how far an answer says that the request came
     * @throws LeaderCalls.UndecidedException if none has, in time
     */
    <Q, R> R ask(MethodDescriptor<Q, R> method, Q request, Function<R, Progress> progress)
            throws LeaderCalls.UndecidedException;
}
