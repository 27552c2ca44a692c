package photon.server.roles;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import photon.core.rpc.HostPort;

/**
 * A port that a daemon listens on, without encryption and without asking who calls. Immutable.
 *
 * @param what it serves, such as {@code raft}
 * @param at where it is bound: this address of the machine and no other
 */
public record OpenPort(String what, HostPort at) {
    /** In every line of {@link #line}, so that programs know it. */
    public static final String LISTENS = " listens without encryption: ";

    /**
     * Those of a daemon's ports that are open. Calls by TLS are encrypted, and their caller shows a
     * certificate; metrics never are.
     *
     * @param calls where it takes calls
     */
    static List<OpenPort> of(boolean tls, List<OpenPort> calls, Optional<OpenPort> metrics) {
        return Stream.concat(tls ? Stream.empty() : calls.stream(), metrics.stream()).toList();
    }

    /**
     * Who may reach the ports of a daemon, for the person who has started it.
     *
     * @param ports at least one
     */
    public static String line(String role, List<OpenPort> ports) {
        List<OpenPort> open = ports.stream().filter(port -> !port.isLoopback()).toList();
        return "photon "
                + role
                + LISTENS
                + ports.stream()
                        .map(port -> port.what + " " + port.at)
                        .collect(Collectors.joining(", "))
                + (open.isEmpty()
                        ? " (loopback only)"
                        : " (open to every machine that reaches it: "
                                + open.stream()
                                        .map(OpenPort::what)
                                        .collect(Collectors.joining(", "))
                                + ")");
    }

    /** A name that is not known is taken for reachable. */
    private boolean isLoopback() {
        InetSocketAddress address = new InetSocketAddress(at.host(), at.port());
        return !address.isUnresolved() && address.getAddress().isLoopbackAddress();
    }
}
