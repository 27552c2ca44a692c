package photon.server.configinit.rules;

/**
 * A setting that cannot be guessed.
 *
 * @param key of the configuration, such as {@code foreign.id}
 * @param problem why it cannot
 * @param options what to add to the command, and what to do otherwise
 */
public record Need(String key, String problem, String options) {
    /** In one line. */
    public String text() {
        return key + ": " + problem + ". " + options;
    }
}
