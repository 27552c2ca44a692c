package photon.dispatcher.lease;

import java.io.IOException;
import java.util.List;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import photon.core.error.ConfigException;
import photon.core.rpc.HostPort;
import photon.storage.files.FileStore;
import photon.storage.state.StateHome;

/**
 * Finds a dispatcher that works with a datacenter's state, by its leases: at each time another one,
 * since one that has died holds its leases still. Not thread-safe.
 */
public final class DispatcherAddress implements Supplier<HostPort> {
    private static final Logger log = LoggerFactory.getLogger(DispatcherAddress.class);

    private final FileStore files;
    private final String home;
    private final HostPort otherwise;
    private int asked;

    /**
     * @param home of the dispatcher's states: a {@link StateHome}
     * @param otherwise where no lease says it
     */
    public DispatcherAddress(FileStore files, String home, HostPort otherwise) {
        this.files = files;
        this.home = home;
        this.otherwise = otherwise;
    }

    @Override
    public HostPort get() {
        try {
            // Of those that hold a partition, each once, in the order of their partitions.
            List<String> addresses =
                    PartitionOwners.read(files, home).stream()
                            .map(PartitionOwners.Owner::address)
                            .filter(address -> !address.isEmpty())
                            .distinct()
                            .toList();
            return addresses.isEmpty()
                    ? otherwise
                    : HostPort.parse(addresses.get(asked++ % addresses.size()));
        } catch (IOException | ConfigException e) {
            log.debug("The dispatcher's address is not known from {}", home, e);
            return otherwise;
        }
    }
}
