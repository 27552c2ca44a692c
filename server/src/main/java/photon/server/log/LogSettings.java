package photon.server.log;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import photon.core.error.ConfigException;

/** What the environment says of the log; {@code logback.xml} takes the same variables. */
public record LogSettings(boolean json) {
    private static final String LEVEL = "PHOTON_LOG";
    private static final String FORMAT = "PHOTON_LOG_FORMAT";
    private static final List<String> LEVELS =
            List.of("OFF", "ERROR", "WARN", "INFO", "DEBUG", "TRACE");

    /**
     * Of this process.
     *
     * @throws ConfigException if a variable has a value that it cannot have
     */
    public static LogSettings ofThisProcess() {
        return of(System.getenv());
    }

    static LogSettings of(Map<String, String> environment) {
        String level = environment.getOrDefault(LEVEL, "WARN");
        if (!LEVELS.contains(level.toUpperCase(Locale.ROOT))) {
            throw new ConfigException(
                    "%s is '%s': expected one of %s"
                            .formatted(LEVEL, level, String.join(", ", LEVELS)));
        }
        return switch (environment.getOrDefault(FORMAT, "text")) {
            case "text" -> new LogSettings(false);
            case "json" -> new LogSettings(true);
            default ->
                    throw new ConfigException(
                            "%s is '%s': expected text or json"
                                    .formatted(FORMAT, environment.get(FORMAT)));
        };
    }
}
