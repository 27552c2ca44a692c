package photon.core.text;

import java.util.regex.Pattern;

/**
 * Makes text that data is a part of fit for a terminal or a text log: no control character of the
 * data reaches it, each is a question mark.
 */
public final class PlainText {
    private static final Pattern CONTROL = Pattern.compile("\\p{Cc}");
    private static final Pattern CONTROL_BUT_LAYOUT = Pattern.compile("[\\p{Cc}&&[^\n\t]]");

    private PlainText() {}

    /** Of one line, or a part of it: data cannot begin another line either. */
    public static String line(String text) {
        return CONTROL.matcher(text).replaceAll("?");
    }

    /** Of several lines, which may have tabs. */
    public static String lines(String text) {
        return CONTROL_BUT_LAYOUT.matcher(text).replaceAll("?");
    }
}
