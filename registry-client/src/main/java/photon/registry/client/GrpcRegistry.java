package photon.registry.client;

import java.util.List;
import java.util.random.RandomGenerator;
import photon.core.loop.EventLoop;
import photon.core.rpc.HostPort;
import photon.core.rpc.ProcessRpcs;

/** Where a process gets its connection to the registry. */
public final class GrpcRegistry {
    private GrpcRegistry() {}

    /**
     * Contacts nobody yet.
     *
     * @param loop in which the connection is used, answers and is closed
     * @param servers of the registry, nearest first
     * @param pipeline its name
     * @param counter counts what is sent and received
     * @param random for the jitter of pauses
     */
    public static RegistryConnection connect(
            EventLoop loop,
            List<HostPort> servers,
            String pipeline,
            ProcessRpcs counter,
            RandomGenerator random) {
        return connect(loop, servers, pipeline, counter, random, "");
    }

    /**
     * Contacts nobody yet.
     *
     * @param actor who this is, for the audit: {@code user@host}, or a component's role
     */
    public static RegistryConnection connect(
            EventLoop loop,
            List<HostPort> servers,
            String pipeline,
            ProcessRpcs counter,
            RandomGenerator random,
            String actor) {
        return new RegistryConnection(
                loop, new GrpcRegistryTransport(loop, counter), servers, pipeline, random, actor);
    }
}
