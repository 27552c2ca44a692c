package photon.core.config;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Tells URIs from paths of this machine. A URI taken for a path makes a directory called {@code
 * hdfs:} in the working directory, and everything seems to be in order.
 */
public final class LocalPath {
    /** One letter is no scheme. A path that looks like this can be written {@code ./logs:/a}. */
    private static final Pattern URI =
            Pattern.compile("[A-Za-z][A-Za-z0-9+.-]+:/.*", Pattern.DOTALL);

    private static final Pattern LOCAL = Pattern.compile("file:(?://[^/]*)?(/.*)", Pattern.DOTALL);

    private LocalPath() {}

    public static boolean isUri(String text) {
        return URI.matcher(text).matches();
    }

    /** What would be right where only a path of this machine is; empty: the text is one. */
    public static Optional<String> expectedInsteadOf(String text) {
        if (!isUri(text)) {
            return Optional.empty();
        }
        var local = LOCAL.matcher(text);
        return Optional.of(
                local.matches()
                        ? "expected the path alone, " + local.group(1)
                        : "expected a path of this machine, not a URI");
    }
}
