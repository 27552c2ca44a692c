package photon.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import photon.core.config.ConfigLoader;
import photon.core.config.HadoopConfig;
import photon.core.config.LocalPath;
import photon.core.error.ConfigException;
import photon.core.error.IoText;
import photon.registry.admin.backup.BackupPlace;
import photon.storage.files.HadoopFileStore;
import picocli.CommandLine.Option;

/** Where backups lie, as a person says it: a path of this machine, or a URI. */
final class BackupPlaces {
    private BackupPlaces() {}

    /** For verbs that need no registry. */
    static final class Hadoop {
        @Option(
                names = "--config",
                paramLabel = "FILE",
                description =
                        "A configuration whose keys hadoop and hadoop.security say how a URI is reached; read only if the backup is on a URI. "
                                + ConfigOption.DEFAULT
                                + " Hadoop's own files are found by HADOOP_CONF_DIR.")
        private @Nullable Path config;

        BackupPlace place(String option, String given) {
            return BackupPlaces.of(option, given, config);
        }
    }

    /**
     * @param option for people
     * @param config null: none was named
     * @throws ConfigException if it is neither a path nor the URI of a place elsewhere
     */
    static BackupPlace of(String option, String given, @Nullable Path config) {
        LocalPath.expectedOfPlace(given)
                .ifPresent(
                        expected -> {
                            throw new ConfigException(
                                    "%s is '%s': %s".formatted(option, given, expected));
                        });
        return LocalPath.isUri(given)
                ? new BackupPlace(new HadoopFileStore(hadoop(config)), LocalPath.withoutEnd(given))
                : BackupPlace.local(Path.of(given));
    }

    private static HadoopConfig hadoop(@Nullable Path config) {
        Optional<Path> file = ConfigOption.find(config, System.getenv(), Path.of(""));
        return file.map(found -> ConfigLoader.load(found).hadoop()).orElse(HadoopConfig.NONE);
    }

    /** What failed, with the place: messages of servers often name a host alone. */
    static String text(BackupPlace place, IOException failure) {
        String text = IoText.of(failure);
        return text.contains(place.path()) ? text : place + ": " + text;
    }
}
