package photon.server.configcheck;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.net.SocketException;
import photon.core.rpc.HostPort;
import photon.server.configcheck.rules.PortRules;

/** Tries to listen, for a moment. */
final class PortLook {
    private PortLook() {}

    static PortRules.Port at(HostPort address) {
        InetSocketAddress resolved = new InetSocketAddress(address.host(), address.port());
        if (resolved.isUnresolved()) {
            return PortRules.Port.UNKNOWN_HOST;
        }
        if (!isHere(resolved.getAddress())) {
            return PortRules.Port.ELSEWHERE;
        }
        try (ServerSocket socket = new ServerSocket()) {
            // What a daemon has left in TIME_WAIT does not keep the next one from listening.
            socket.setReuseAddress(true);
            socket.bind(resolved);
            return PortRules.Port.FREE;
        } catch (IOException e) {
            return String.valueOf(e.getMessage()).contains("Permission")
                    ? PortRules.Port.FORBIDDEN
                    : PortRules.Port.TAKEN;
        }
    }

    private static boolean isHere(InetAddress address) {
        try {
            return address.isAnyLocalAddress()
                    || address.isLoopbackAddress()
                    || NetworkInterface.getByInetAddress(address) != null;
        } catch (SocketException e) {
            // Binding says it.
            return true;
        }
    }
}
