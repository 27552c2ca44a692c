package photon.server.configinit.rules;

import com.google.common.net.InetAddresses;
import java.util.List;
import java.util.regex.Pattern;

/** What texts look like. */
final class Values {
    private static final Pattern NUMBER = Pattern.compile("-?[0-9]+(\\.[0-9]+)?([eE][+-]?[0-9]+)?");
    private static final Pattern WHOLE = Pattern.compile("[0-9]{1,18}");
    private static final int ID_CHARS_MAX = 80;

    private Values() {}

    static boolean isNumber(String text) {
        return text.length() <= ID_CHARS_MAX && NUMBER.matcher(text).matches();
    }

    static boolean isWhole(String text) {
        return WHOLE.matcher(text).matches();
    }

    static boolean isAddress(String text) {
        return (text.indexOf('.') > 0 || text.indexOf(':') >= 0)
                && InetAddresses.isInetAddress(text);
    }

    /** Prices and shares are different in each record by chance; and long texts. */
    static boolean mayBeId(List<String> values) {
        long odd =
                values.stream()
                        .filter(
                                value ->
                                        value.length() > ID_CHARS_MAX
                                                || (isNumber(value) && !isWhole(value)))
                        .count();
        return 10 * odd < values.size();
    }

    /**
     * Numbers without large gaps: two streams that count from 1 have the same, whether or not one
     * names the other.
     */
    static boolean isCounted(List<String> values) {
        if (values.isEmpty() || !values.stream().allMatch(Values::isWhole)) {
            return false;
        }
        long min = Long.MAX_VALUE;
        long max = Long.MIN_VALUE;
        for (String value : values) {
            min = Math.min(min, Long.parseLong(value));
            max = Math.max(max, Long.parseLong(value));
        }
        return max - min < 3L * values.stream().distinct().count();
    }
}
