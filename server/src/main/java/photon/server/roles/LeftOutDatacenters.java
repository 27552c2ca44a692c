package photon.server.roles;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import photon.core.config.PipelineConfig;
import photon.core.error.ConfigException;
import photon.storage.files.FileStore;
import photon.storage.files.FileStore.FileInfo;
import photon.storage.output.OutputDirectory;
import photon.storage.output.OutputIdentity;

/**
 * Finds the datacenters that have written output of this pipeline and that the configuration does
 * not name any more. What they have joined would count as lost, and what they had taken and not
 * published nobody would repair.
 */
public final class LeftOutDatacenters {
    private LeftOutDatacenters() {}

    /**
     * @param state the state directory, with the pipeline's identity
     * @param output the directory in which each datacenter has one of its name
     * @throws ConfigException that names each
     */
    public static void check(PipelineConfig config, FileStore files, Path state, String output)
            throws IOException {
        Optional<PipelineIdentity> identity =
                PipelineIdentity.read(files, state.toAbsolutePath().toString());
        if (identity.isEmpty()) {
            return;
        }
        List<String> missing = new ArrayList<>();
        List<String> places = new ArrayList<>();
        for (FileInfo entry : files.list(output)) {
            Optional<OutputIdentity> owner =
                    entry.directory()
                            ? OutputDirectory.identity(files, entry.path())
                            : Optional.empty();
            if (owner.isPresent()
                    && owner.get().pipelineUuid().equals(identity.get().uuid().toString())
                    && !config.datacenters().contains(owner.get().datacenter())) {
                missing.add(owner.get().datacenter());
                places.add(entry.path());
            }
        }
        if (!missing.isEmpty()) {
            List<String> all = new ArrayList<>(config.datacenters());
            all.addAll(missing);
            throw new ConfigException(
                    "datacenters is %s, but %s has output here, in %s: what it has joined would count as lost. Write datacenters: %s"
                            .formatted(
                                    config.datacenters(),
                                    String.join(" and ", missing),
                                    String.join(" and ", places),
                                    all));
        }
    }
}
