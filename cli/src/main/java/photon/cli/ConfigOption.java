package photon.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import photon.core.config.ConfigLoader;
import photon.core.config.DeploymentConfig;
import photon.core.config.LocalPath;
import photon.core.error.ConfigException;
import picocli.CommandLine.Option;

/** The option of every verb that needs a configuration. */
final class ConfigOption {
    /** The environment variable that names the configuration. */
    static final String VARIABLE = "PHOTON_CONFIG";

    /** The configuration that is taken where none is named. */
    static final String FILE = "photon.yaml";

    static final String DEFAULT =
            "Default: the file that the environment variable PHOTON_CONFIG names, or ./photon.yaml.";

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description =
                    "The pipeline's configuration. "
                            + DEFAULT
                            + " Variables PHOTON_CONFIG_... override its keys (photon config show).")
    private @Nullable Path given;

    /**
     * @throws ConfigException if none is named, and none is in the working directory
     */
    Path file() {
        return find(given, System.getenv(), Path.of(""))
                .orElseThrow(
                        () ->
                                new ConfigException(
                                        "--config is missing: expected it to name a configuration file, or the environment variable %s to name one, or %s in the working directory"
                                                .formatted(VARIABLE, FILE)));
    }

    /**
     * Where the parts run.
     *
     * @throws ConfigException if the configuration does not say it
     */
    static DeploymentConfig deployment(Path config, ConfigLoader.Loaded loaded) {
        return loaded.deployment()
                .orElseThrow(
                        () ->
                                new ConfigException(
                                        config
                                                + ": deployment is missing: expected it to say where the parts run"));
    }

    /**
     * The configuration that is named, or is in the working directory.
     *
     * @param given with the option; null if it was not used
     * @throws ConfigException if the environment names a URI
     */
    static Optional<Path> find(
            @Nullable Path given, Map<String, String> environment, Path workingDirectory) {
        if (given != null) {
            return Optional.of(given);
        }
        String named = environment.getOrDefault(VARIABLE, "");
        LocalPath.expectedInsteadOf(named)
                .ifPresent(
                        expected -> {
                            throw new ConfigException(
                                    "%s is '%s': %s".formatted(VARIABLE, named, expected));
                        });
        return named.isEmpty()
                ? Optional.of(workingDirectory.resolve(FILE)).filter(Files::isRegularFile)
                : Optional.of(Path.of(named));
    }
}
