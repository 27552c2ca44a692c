package photon.core.rpc;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.regex.Pattern;
import photon.core.error.ConfigException;
import photon.core.error.FailedException;

/**
 * Where a server listens.
 *
 * @param port 0 to 65535; 0 asks for any free port
 */
public record HostPort(String host, int port) {
    private static final Pattern LOOPBACK =
            Pattern.compile("localhost|127\\.\\d+\\.\\d+\\.\\d+|\\[?::1\\]?");

    public HostPort {
        if (host.isEmpty() || port < 0 || port > 65_535) {
            throw new ConfigException(
                    "Expected host:port with a port of 0 to 65535, but got " + host + ":" + port);
        }
    }

    public static HostPort parse(String text) {
        int colon = text.lastIndexOf(':');
        try {
            if (colon > 0) {
                return new HostPort(
                        text.substring(0, colon), Integer.parseInt(text.substring(colon + 1)));
            }
        } catch (NumberFormatException e) {
            // Falls through to the one message.
        }
        throw new ConfigException(
                "Expected host:port, such as 127.0.0.1:7400, but got '" + text + "'");
    }

    /**
     * True if only this machine reaches it. Names other than {@code localhost} are not looked up.
     */
    public boolean isLoopback() {
        return LOOPBACK.matcher(host).matches();
    }

    /**
     * To listen on.
     *
     * @param what is to listen there, for people
     * @throws FailedException if the name has no address: it may have one when the machine's name
     *     service is up, so a later start may succeed
     */
    public InetSocketAddress resolved(String what) {
        InetSocketAddress address = new InetSocketAddress(host, port);
        if (address.isUnresolved()) {
            throw new FailedException(
                    "Cannot listen on %s for %s: unknown host. Expected an address of this machine, or a name that resolves to one"
                            .formatted(this, what));
        }
        return address;
    }

    /**
     * What to throw when nothing can listen here.
     *
     * @param what was to listen, for people
     * @param why as the system says
     * @param expected what would be right
     * @return a {@link FailedException} if this machine has no such address: the interface that
     *     brings it may not be up yet, so a later start may succeed; else a {@link ConfigException}
     */
    public RuntimeException cannotListen(String what, Throwable why, String expected) {
        String said = String.valueOf(why.getMessage());
        String text = "Cannot listen on %s for %s: %s. Expected ".formatted(this, what, said);
        // In its own words also where an interface has got the address meanwhile, or only tries it.
        return said.contains("Cannot assign requested address") || isElsewhere()
                ? new FailedException(text + "an address that this machine has")
                : new ConfigException(text + expected);
    }

    /** Asked of the system, whose words differ by its language. */
    private boolean isElsewhere() {
        InetAddress address = new InetSocketAddress(host, port).getAddress();
        // All of 127.0.0.0/8 is this machine's, though no interface names it.
        if (address == null || address.isAnyLocalAddress() || address.isLoopbackAddress()) {
            return false;
        }
        try {
            return NetworkInterface.getByInetAddress(address) == null;
        } catch (SocketException e) {
            return false;
        }
    }

    @Override
    public String toString() {
        return host + ":" + port;
    }
}
