package photon.core.error;

import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** What futures fail with. */
public final class Failures {
    private Failures() {}

    /** What went wrong, out of the {@link CompletionException} in which futures pass it on. */
    public static Throwable cause(Throwable failure) {
        @Nullable Throwable cause = failure.getCause();
        return failure instanceof CompletionException && cause != null ? cause : failure;
    }
}
