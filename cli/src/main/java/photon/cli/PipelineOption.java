package photon.cli;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import photon.core.error.ConfigException;
import photon.proto.v1.PipelineStatus;
import photon.registry.admin.RegistryView;
import picocli.CommandLine.Option;

/** The option of every verb that is about one pipeline of a registry. */
final class PipelineOption {
    @Option(
            names = "--pipeline",
            paramLabel = "NAME",
            description =
                    "The pipeline's name. Default: the configuration's pipeline, or the only pipeline of the registry.")
    private @Nullable String given;

    /**
     * The pipeline's name.
     *
     * @param configured in the configuration that says where the servers are; empty if none does
     * @param view what the servers know
     * @throws ConfigException if none is named, and it may be one of several
     */
    String name(Optional<String> configured, RegistryView view) {
        if (given != null) {
            return given;
        }
        return configured.orElseGet(
                () -> {
                    List<String> all =
                            view.pipelines().stream().map(PipelineStatus::getName).toList();
                    if (all.size() != 1) {
                        throw new ConfigException(
                                "--pipeline is missing: expected one of %s".formatted(all));
                    }
                    return all.get(0);
                });
    }
}
