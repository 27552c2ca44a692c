package photon.server.configcheck.rules;

/**
 * What was looked at, and how it is.
 *
 * @param area such as {@code port}
 * @param subject what was looked at: a key of the configuration and its value, or a name
 * @param found how it is
 * @param expected what would be right, and what to do; empty: it is right
 */
public record CheckLine(Level level, String area, String subject, String found, String expected) {
    /** How bad it is. */
    public enum Level {
        /** Right. */
        OK,
        /** The daemon runs, and a person should look at it. */
        WARN,
        /** The daemon does not start, or does harm. */
        FAIL
    }

    static CheckLine ok(String area, String subject, String found) {
        return new CheckLine(Level.OK, area, subject, found, "");
    }

    static CheckLine warn(String area, String subject, String found, String expected) {
        return new CheckLine(Level.WARN, area, subject, found, expected);
    }

    static CheckLine fail(String area, String subject, String found, String expected) {
        return new CheckLine(Level.FAIL, area, subject, found, expected);
    }
}
