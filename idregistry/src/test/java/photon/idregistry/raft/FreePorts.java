package photon.idregistry.raft;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Random;
import photon.core.rpc.HostPort;
import photon.core.rpc.LoopbackPorts;

/** {@link LoopbackPorts} for tests, which need one at a time and often in a field. */
public final class FreePorts {
    private FreePorts() {}

    public static HostPort next() {
        try {
            return new HostPort("127.0.0.1", LoopbackPorts.choose(1, new Random()).get(0));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
