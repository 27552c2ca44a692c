package photon.core.text;

import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Texts that are the same wherever the machine stands: {@code 1,234.5} in every country. */
public final class RootLocale {
    private RootLocale() {}

    /** The formatted text, as {@link String#format(Locale, String, Object...)} makes it. */
    @FormatMethod
    public static String format(@FormatString String format, @Nullable Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
