package photon.server.roles;

import java.nio.file.Path;

/** Where one datacenter's files lie. */
public record DatacenterPaths(String datacenter, Path state, Path output) {

    /**
     * @param state the state directory; a datacenter has a folder of its name in it
     * @param output the output directory, likewise
     */
    public static DatacenterPaths of(String datacenter, Path state, Path output) {
        return new DatacenterPaths(
                datacenter, state.resolve(datacenter), output.resolve(datacenter));
    }

    public String eventStore() {
        return state.resolve("eventstore").toString();
    }

    public String dispatcher() {
        return state.resolve("dispatcher").toString();
    }

    public String verifier() {
        return state.resolve("verifier").toString();
    }

    public String verifierLedger() {
        return verifier() + "/ledger";
    }

    public String outputDirectory() {
        return output.toString();
    }
}
