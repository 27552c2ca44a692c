package photon.core.config;

import java.util.Optional;
import java.util.regex.Matcher;
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

    private static final Pattern WITH_HOST = Pattern.compile("[^/]*//[^/]+/.*", Pattern.DOTALL);

    private LocalPath() {}

    public static boolean isUri(String text) {
        return URI.matcher(text).matches();
    }

    /** What would be right where only a path of this machine is; empty: the text is one. */
    public static Optional<String> expectedInsteadOf(String text) {
        if (!isUri(text)) {
            return Optional.empty();
        }
        return Optional.of(pathAlone(text).orElse("expected a path of this machine, not a URI"));
    }

    /**
     * What would be right where a path of this machine may be, or the URI of a place elsewhere;
     * empty: the text is one of them.
     */
    public static Optional<String> expectedOfPlace(String text) {
        boolean right =
                !isUri(text) || (WITH_HOST.matcher(text).matches() && !text.startsWith("file:"));
        return right
                ? Optional.empty()
                : pathAlone(text)
                        .or(
                                () ->
                                        Optional.of(
                                                "expected a URI that names its host or name service, such as hdfs://namenode/photon"));
    }

    /** The same place, without a slash at its end. */
    public static String withoutEnd(String text) {
        int end = text.length();
        while (end > 1 && text.charAt(end - 1) == '/') {
            end--;
        }
        return text.substring(0, end);
    }

    private static Optional<String> pathAlone(String text) {
        Matcher local = LOCAL.matcher(text);
        return local.matches()
                ? Optional.of("expected the path alone, " + local.group(1))
                : Optional.empty();
    }
}
