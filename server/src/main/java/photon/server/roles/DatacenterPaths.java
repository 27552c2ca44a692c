package photon.server.roles;

import java.io.IOException;
import java.nio.file.Path;
import photon.dispatcher.StateDirectory;
import photon.storage.files.FileStore;
import photon.storage.state.StateHome;

/**
 * Where one datacenter's files lie.
 *
 * @param output a path of this machine, or a URI
 */
public record DatacenterPaths(String datacenter, Path state, String output) {

    /**
     * @param state the state directory; a datacenter has a folder of its name in it
     * @param output the output directory, likewise
     */
    public static DatacenterPaths of(String datacenter, Path state, String output) {
        return new DatacenterPaths(
                datacenter, state.resolve(datacenter), output + "/" + datacenter);
    }

    public String eventStore() {
        return state.resolve("eventstore").toString();
    }

    /** Of the dispatcher's states: a {@link photon.storage.state.StateHome}. */
    public String dispatcher() {
        return state.resolve("dispatcher").toString();
    }

    /**
     * The dispatcher's state that is here; where there is none, a directory that does not exist.
     */
    public StateDirectory dispatcherState(FileStore files) throws IOException {
        return new StateDirectory(new StateHome(files, dispatcher()).path());
    }

    public String verifier() {
        return state.resolve("verifier").toString();
    }

    public String verifierLedger() {
        return verifier() + "/ledger";
    }

    public String outputDirectory() {
        return output;
    }
}
