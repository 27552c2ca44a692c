package photon.server.configtest.rules;

import java.math.BigDecimal;
import java.util.Locale;

/** What two keys may have in common that are not the same bytes. */
public enum KeyForm {
    SPACES("spaces around them") {
        @Override
        public String of(String key) {
            return key.strip();
        }
    },
    CASE("upper and lower case") {
        @Override
        public String of(String key) {
            return key.strip().toLowerCase(Locale.ROOT);
        }
    },
    NUMBER("the way in which a number is written") {
        @Override
        public String of(String key) {
            String text = key.strip();
            if (text.length() > DIGITS_MAX) {
                return "";
            }
            try {
                BigDecimal number = new BigDecimal(text);
                return Math.abs((long) number.scale()) > DIGITS_MAX
                        ? ""
                        : number.stripTrailingZeros().toPlainString();
            } catch (NumberFormatException e) {
                return "";
            }
        }
    },
    PUNCTUATION("punctuation, such as '-' or quotes") {
        @Override
        public String of(String key) {
            return key.replaceAll("[^\\p{L}\\p{N}]", "").toLowerCase(Locale.ROOT);
        }
    };

    private static final int DIGITS_MAX = 64;

    private final String difference;

    KeyForm(String difference) {
        this.difference = difference;
    }

    /** In which keys of one form may differ, for people. */
    public String difference() {
        return difference;
    }

    /** The same for all keys of one form; empty: it has none. */
    public abstract String of(String key);
}
