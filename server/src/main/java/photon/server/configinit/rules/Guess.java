package photon.server.configinit.rules;

/**
 * One setting of the configuration, and why it is so.
 *
 * @param key of the configuration, such as {@code foreign.id}
 * @param value as the configuration has it, in YAML
 * @param why in one line
 */
public record Guess(String key, String value, Certainty certainty, String why) {
    /** How certain it is. */
    public enum Certainty {
        /** An option says so. */
        STATED,
        /** Nothing else fits what was read. */
        CERTAIN,
        /** Something else may be right, and the reason says what. */
        LIKELY
    }
}
