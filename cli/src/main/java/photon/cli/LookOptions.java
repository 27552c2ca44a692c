package photon.cli;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import photon.core.config.PipelineConfig;
import photon.core.error.FailedException;
import photon.core.rpc.HostPort;
import photon.core.rpc.RpcSecurity;
import photon.registry.admin.RegistryView;
import photon.registry.admin.StatusPoll;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/**
 * The options of the verbs that begin with one look at all servers: where they are, and how long it
 * may take.
 */
final class LookOptions {
    @ArgGroup private RegistryCommand.Where where = new RegistryCommand.Where();

    @Option(
            names = "--timeout",
            paramLabel = "DURATION",
            description =
                    "How long to wait for each server to answer; default 3s. Photon asks all servers at the same time.")
    private Duration timeout = Duration.ofSeconds(3);

    /** Asks the servers that the options name, and those that only their answers name. */
    List<StatusPoll.Answer> ask() {
        return poll().ask(where.addresses());
    }

    StatusPoll poll() {
        return new StatusPoll(timeout, where.security());
    }

    /**
     * What the servers know.
     *
     * @throws FailedException if none answers
     */
    RegistryView view() {
        return PipelinesCommand.Registry.answered(RegistryView.of(ask()));
    }

    RpcSecurity security() {
        return where.security();
    }

    List<HostPort> addresses(RegistryView view) {
        return where.addresses(view);
    }

    /** Of the configuration that says where the servers are; empty if none does. */
    Optional<String> pipeline() {
        return where.pipeline().map(PipelineConfig::pipeline);
    }

    Map<String, String> datacenters() {
        return where.datacenters();
    }
}
