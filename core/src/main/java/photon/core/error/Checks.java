package photon.core.error;

import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;
import org.jspecify.annotations.Nullable;

/** Assertions that stay on in production. */
public final class Checks {
    private Checks() {}

    /**
     * @throws BugException with the formatted message, if {@code holds} is false
     */
    @FormatMethod
    public static void check(
            boolean holds, @FormatString String message, @Nullable Object... values) {
        if (!holds) {
            throw new BugException(message.formatted(values));
        }
    }
}
