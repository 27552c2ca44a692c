package photon.server.roles;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import photon.core.config.PipelineConfig;
import photon.core.error.ConfigException;
import photon.registry.api.ControlClient;
import photon.registry.api.RetiredDatacenter;
import photon.storage.files.FileStore;
import photon.storage.files.FileStore.FileInfo;
import photon.storage.output.OutputDirectory;
import photon.storage.output.OutputIdentity;

/**
 * Compares the datacenters of a configuration with those that take part in the pipeline
 * (docs/protocol.md section 1). One may be left out only when it is retired: what it had taken and
 * not published nobody would repair. One that is retired takes no part.
 */
public final class LeftOutDatacenters {
    private static final String NOBODY = "what it had taken and not published nobody would repair";

    private LeftOutDatacenters() {}

    /**
     * Of a run of all datacenters in one process.
     *
     * @param output the directory in which each datacenter has one of its name
     * @throws ConfigException that names each
     */
    public static void checkAll(
            PipelineConfig config, FileStore files, ControlClient.Pipeline held, String output)
            throws IOException {
        for (RetiredDatacenter retired : held.retired()) {
            if (config.datacenters().contains(retired.name())) {
                List<String> rest = new ArrayList<>(config.datacenters());
                rest.remove(retired.name());
                throw new ConfigException(
                        "datacenters is %s, but %s. Write datacenters: %s"
                                .formatted(config.datacenters(), retired.refusal(), rest));
            }
        }
        Map<String, String> folders = folders(files, held, output);
        Set<String> takingPart = new TreeSet<>(held.datacenters());
        takingPart.addAll(folders.keySet());
        List<String> missing = missing(config, takingPart, held);
        if (missing.isEmpty()) {
            return;
        }
        throw new ConfigException(
                "datacenters is %s, but %s: what it has joined would count as lost, and %s. Retire it with 'photon datacenter retire %s', or write datacenters: %s"
                        .formatted(
                                config.datacenters(),
                                places(missing, folders, output),
                                NOBODY,
                                missing.get(0),
                                all(config, missing)));
    }

    /**
     * Of one daemon of one datacenter.
     *
     * @param datacenter the daemon's
     * @param before which datacenters its configuration named at its last start: one that came to
     *     another datacenter's configuration since is none of its business
     * @param output the directory in which the datacenter has one of its name
     * @throws ConfigException that names each, or says that the daemon's own is retired
     */
    public static void checkOne(
            PipelineConfig config,
            String datacenter,
            Set<String> before,
            FileStore files,
            ControlClient.Pipeline held,
            String output)
            throws IOException {
        for (RetiredDatacenter retired : held.retired()) {
            if (retired.name().equals(datacenter)) {
                throw new ConfigException(
                        "Pipeline %s: %s".formatted(held.name(), retired.refusal()));
            }
        }
        Set<String> takingPart = new TreeSet<>(held.datacenters());
        takingPart.retainAll(before);
        List<String> missing = missing(config, takingPart, held);
        if (missing.isEmpty()) {
            return;
        }
        throw new ConfigException(
                "datacenters is %s, and %s was in it at the last start and takes part in pipeline %s still; %s: %s. Retire it with 'photon datacenter retire %s', or write datacenters: %s"
                        .formatted(
                                config.datacenters(),
                                String.join(" and ", missing),
                                held.name(),
                                places(missing, folders(files, held, output), output),
                                NOBODY,
                                missing.get(0),
                                all(config, missing)));
    }

    private static List<String> missing(
            PipelineConfig config, Collection<String> takingPart, ControlClient.Pipeline held) {
        Set<String> missing = new TreeSet<>(takingPart);
        config.datacenters().forEach(missing::remove);
        held.retired().forEach(retired -> missing.remove(retired.name()));
        return new ArrayList<>(missing);
    }

    private static List<String> all(PipelineConfig config, List<String> missing) {
        List<String> all = new ArrayList<>(config.datacenters());
        all.addAll(missing);
        return all;
    }

    private static String places(List<String> missing, Map<String, String> folders, String output) {
        List<String> places = new ArrayList<>();
        for (String one : missing) {
            String folder = folders.get(one);
            places.add(
                    folder == null
                            ? "%s has output, which is not in %s".formatted(one, output)
                            : "%s has output here, in %s".formatted(one, folder));
        }
        return String.join(" and ", places);
    }

    /** The output folders of this pipeline, by datacenter. */
    private static Map<String, String> folders(
            FileStore files, ControlClient.Pipeline held, String output) throws IOException {
        Map<String, String> folders = new TreeMap<>();
        if (files.stat(output) == null) {
            return folders;
        }
        for (FileInfo entry : files.list(output)) {
            Optional<OutputIdentity> owner =
                    entry.directory()
                            ? OutputDirectory.identity(files, entry.path())
                            : Optional.empty();
            if (owner.isPresent() && owner.get().pipelineUuid().equals(held.uuid().toString())) {
                folders.put(owner.get().datacenter(), entry.path());
            }
        }
        return folders;
    }
}
