package photon.core.rpc;

import io.grpc.ServerServiceDefinition;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * What the calls of one process have in common: their number, and the servers that the process runs
 * itself. Its own callers reach these without a network, and hand them messages as they are, which
 * saves writing and reading each of them. Thread-safe.
 */
public final class ProcessRpcs {
    private static final AtomicLong MADE = new AtomicLong();

    private final long number = MADE.incrementAndGet();
    private final LongAdder messages = new LongAdder();
    private final Set<HostPort> served = ConcurrentHashMap.newKeySet();
    private final List<ServerServiceDefinition> everywhere = new CopyOnWriteArrayList<>();
    private final RpcSecurity security;

    /** Of a process that talks to others in the clear. */
    public ProcessRpcs() {
        this(RpcSecurity.PLAINTEXT);
    }

    public ProcessRpcs(RpcSecurity security) {
        this.security = security;
    }

    /** How the process talks to others. */
    public RpcSecurity security() {
        return security;
    }

    /**
     * Every server of this process that starts from now on serves this, too, to callers of other
     * processes. It must answer at once, whatever the server's loop does.
     */
    public void serveEverywhere(ServerServiceDefinition service) {
        everywhere.add(service);
    }

    List<ServerServiceDefinition> servedEverywhere() {
        return everywhere;
    }

    /** For calls that are not counted, and go over the network also to servers of this process. */
    public ProcessRpcs apart() {
        return new ProcessRpcs(security);
    }

    /**
     * Counts a unary request, or a message of a stream in either direction, where clients send and
     * receive it.
     */
    public void count() {
        messages.increment();
    }

    public long total() {
        return messages.sum();
    }

    /** A server of this process answers calls to the address from now on. */
    void begin(HostPort address) {
        served.add(address);
    }

    void end(HostPort address) {
        served.remove(address);
    }

    /**
     * Under which name gRPC finds the server of this process at the address; null: there is none.
     */
    @Nullable String serverHere(HostPort address) {
        return served.contains(address) ? name(address) : null;
    }

    /** The same for each server that comes to the address. */
    String name(HostPort address) {
        return "photon-" + number + "-" + address;
    }
}
