package photon.server.configtest.rules;

/**
 * One thing that is wrong, or may be.
 *
 * @param where key of the configuration that it is about, such as {@code primary.paths}
 * @param problem what was found, with counts and values
 * @param fix what to write or to do instead; empty: nothing is known that would be right
 */
public record Finding(Severity severity, String where, String problem, String fix) {
    /** How bad it is. */
    public enum Severity {
        /** A run with this configuration would do nothing useful, or something wrong for good. */
        ERROR,
        /** Worth a look. */
        WARNING
    }

    static Finding error(String where, String problem, String fix) {
        return new Finding(Severity.ERROR, where, problem, fix);
    }

    static Finding warning(String where, String problem, String fix) {
        return new Finding(Severity.WARNING, where, problem, fix);
    }

    public boolean isError() {
        return severity == Severity.ERROR;
    }

    /** In one line. */
    public String text() {
        return where + ": " + problem + (fix.isEmpty() ? "" : ". " + fix);
    }
}
