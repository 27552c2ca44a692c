package photon.server.datacenters;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import photon.core.config.DeploymentConfig;
import photon.dispatcher.state.StateDirectory;
import photon.storage.files.FileStore;
import photon.storage.state.StateHome;

/**
 * Where one datacenter's files lie.
 *
 * @param state what this machine alone uses
 * @param shared what all machines of the datacenter use: a path, or a URI
 * @param output likewise
 */
public record DatacenterPaths(String datacenter, Path state, String shared, String output) {

    /** Of a datacenter whose daemons run on one machine. */
    public DatacenterPaths(String datacenter, Path state, String output) {
        this(datacenter, state, state.toAbsolutePath().toString(), output);
    }

    /**
     * Of a datacenter whose daemons run on one machine.
     *
     * @param state the state directory; a datacenter has a folder of its name in it
     * @param output the output directory, likewise
     */
    public static DatacenterPaths of(String datacenter, Path state, String output) {
        return new DatacenterPaths(
                datacenter, state.resolve(datacenter), output + "/" + datacenter);
    }

    /** Of any datacenter, by the deployment of one. */
    public static DatacenterPaths of(String datacenter, DeploymentConfig deployment) {
        return new DatacenterPaths(
                datacenter,
                Path.of(deployment.state()).resolve(datacenter),
                deployment.shared() + "/" + datacenter,
                deployment.output() + "/" + datacenter);
    }

    /** Whether other machines may work with the datacenter's state. */
    public boolean isShared() {
        return !shared.equals(state.toAbsolutePath().toString());
    }

    /**
     * The index of an event store, which each machine can make anew.
     *
     * @param name the store's
     */
    public String eventStore(String name) {
        return state.resolve(folder(name)).toString();
    }

    /** Its ledger of bad records: each store meets all of them. */
    public String eventStoreLedger(String name) {
        return shared + "/" + folder(name) + "/ledger";
    }

    /** One that was alone, and has others beside it now, goes on where it was. */
    private static String folder(String name) {
        return name.equals(DeploymentConfig.EVENT_STORE_DEFAULT)
                ? "eventstore"
                : "eventstores/" + name;
    }

    /** Of the dispatcher's states: a {@link photon.storage.state.StateHome}. */
    public String dispatcher() {
        return shared + "/dispatcher";
    }

    /**
     * Each partition of the dispatcher's state that is here; where there is none, a directory that
     * does not exist.
     */
    public List<StateDirectory> dispatcherState(FileStore files) throws IOException {
        return StateDirectory.ofPartitions(files, new StateHome(files, dispatcher()).path());
    }

    /** What daemons remember of their configurations. */
    public String configured() {
        return shared + "/configured";
    }

    /** Records of repairs. */
    public String verifier() {
        return shared + "/verifier";
    }

    public String verifierLedger() {
        return verifier() + "/ledger";
    }

    /** What a running verifier leaves on its machine. */
    public Path verifierOwn() {
        return state.resolve("verifier");
    }

    public String outputDirectory() {
        return output;
    }
}
