package photon.dispatcher.lease;

import java.io.IOException;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import photon.core.error.ConfigException;
import photon.core.rpc.HostPort;
import photon.dispatcher.StateDirectory;
import photon.storage.files.FileStore;
import photon.storage.lease.Lease;
import photon.storage.lease.LeaseDocument;
import photon.storage.state.StateHome;

/** Finds the dispatcher that works with a datacenter's state, by its lease. */
public final class DispatcherAddress {
    private static final Logger log = LoggerFactory.getLogger(DispatcherAddress.class);

    private DispatcherAddress() {}

    /**
     * @param home of the dispatcher's states: a {@link StateHome}
     * @param otherwise where no lease says it
     */
    public static HostPort of(FileStore files, String home, HostPort otherwise) {
        try {
            StateHome states = new StateHome(files, home);
            Optional<UUID> identity = states.identity();
            if (identity.isEmpty()) {
                return otherwise;
            }
            String directory = new StateDirectory(states.path(identity.get())).lease();
            Optional<Lease> lease = new LeaseDocument(files, directory).read().lease();
            return lease.isEmpty() ? otherwise : HostPort.parse(lease.get().address());
        } catch (IOException | ConfigException e) {
            log.debug("The dispatcher's address is not known from {}", home, e);
            return otherwise;
        }
    }
}
