package photon.core.config;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import photon.core.error.ConfigException;

/**
 * A configuration before it is checked: a file, and the variables that override its keys.
 *
 * @param lines of the file's keys
 * @param tree the file's keys and those of the variables
 */
record ConfigSource(
        Path file, Map<String, Integer> lines, ConfigVariables variables, JsonNode tree) {

    static ConfigSource load(Path file, Map<String, String> environment) {
        try {
            return parse(Files.readString(file), file, environment);
        } catch (NoSuchFileException e) {
            throw new ConfigException(
                    "Expected a configuration file at " + file + ", but there is none");
        } catch (IOException e) {
            throw new ConfigException(
                    "Cannot read the configuration file " + file + ": " + e.getMessage());
        }
    }

    static ConfigSource parse(String text, Path file, Map<String, String> environment) {
        YamlText yaml;
        try {
            yaml = YamlText.read(text);
        } catch (ConfigException e) {
            throw new ConfigException(file + " " + e.getMessage());
        }
        ConfigVariables variables = ConfigVariables.of(environment);
        JsonNode tree = variables.over(yaml.tree(), file.toString());
        return new ConfigSource(file, yaml.lines(), variables, tree);
    }

    /** Where relative paths begin, also those of variables. */
    Path baseDirectory() {
        return Objects.requireNonNull(file.toAbsolutePath().normalize().getParent());
    }

    /**
     * @throws ConfigException that names every problem
     */
    ConfigLoader.Reading read() {
        ConfigLoader.Reading reading = ConfigLoader.reading(tree, baseDirectory());
        if (!reading.found().isEmpty()) {
            throw new ConfigException(reading.found().texts(file.toString(), variables));
        }
        return reading;
    }
}
