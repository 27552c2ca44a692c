package photon.simulation.parts;

import java.util.List;
import photon.core.config.PipelineConfig;
import photon.core.config.StreamConfig;
import photon.core.rpc.HostPort;

/** Where a datacenter's files lie, and under which names its processes are reached. */
public record Layout(String datacenter) {
    private static final int PORT = 7_400;

    /** Directory of the primary logs. */
    public String primaryLogs() {
        return "/" + datacenter + "/in/primary";
    }

    /** Directory of the foreign logs. */
    public String foreignLogs() {
        return "/" + datacenter + "/in/foreign";
    }

    /** Where foreign logs are put away, for checkers alone. */
    public String putAway() {
        return "/" + datacenter + "/away";
    }

    public String output() {
        return "/" + datacenter + "/out";
    }

    /** Has the state directories of all roles. */
    String states() {
        return "/" + datacenter + "/state";
    }

    /** State directory of a role. */
    public String state(String role) {
        return states() + "/" + role;
    }

    /** Directory of a role's own ledger. */
    public String ledger(String role) {
        return state(role) + "/ledger";
    }

    /** The network's name of a role's machine. */
    public String host(String role) {
        return datacenter + "-" + role;
    }

    HostPort address(String role) {
        return new HostPort(host(role), PORT);
    }

    /** The pipeline as configured in this datacenter. */
    public PipelineConfig config(PipelineConfig of) {
        return new PipelineConfig(
                of.pipeline(),
                of.datacenters(),
                of.retention(),
                of.stagger(),
                at(of.primary(), primaryLogs()),
                at(of.foreign(), foreignLogs()),
                of.adapter(),
                of.limits(),
                of.repair(),
                of.output(),
                of.unmatched());
    }

    private static StreamConfig at(StreamConfig stream, String directory) {
        return new StreamConfig(
                List.of(directory + "/*.jsonl"),
                stream.format(),
                stream.where(),
                stream.whereNot(),
                stream.id(),
                stream.timestamp(),
                stream.primaryId(),
                stream.input());
    }
}
