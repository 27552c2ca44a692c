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
        if (!LocalPath.isUri(given)) {
            return BackupPlace.local(Path.of(given));
        }
        String uri = LocalPath.withoutEnd(given);
        checkPath(option, uri);
        return new BackupPlace(new HadoopFileStore(hadoop(config)), uri);
    }

    /** HDFS takes no ':' in a name, and its client says so with a stack trace. */
    private static void checkPath(String option, String uri) {
        int path = uri.indexOf('/', uri.indexOf("://") + 3);
        if (path < 0) {
            throw new ConfigException(
                    "%s is '%s': expected a directory below the root".formatted(option, uri));
        }
        if (uri.indexOf(':', path) >= 0) {
            throw new ConfigException(
                    "%s is '%s': expected a path without ':', which HDFS does not allow in names"
                            .formatted(option, uri));
        }
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
