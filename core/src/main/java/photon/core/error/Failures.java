package photon.core.error;

import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/** What futures fail with. */
public final class Failures {
    private Failures() {}

    /** What went wrong, out of the {@link CompletionException} in which futures pass it on. */
    public static Throwable cause(Throwable failure) {
        @Nullable Throwable cause = failure.getCause();
        return failure instanceof CompletionException && cause != null ? cause : failure;
    }

    /** What a future failed with that somebody has waited for, so that it can be thrown here. */
    public static RuntimeException unchecked(ExecutionException failure) {
        return failure.getCause() instanceof RuntimeException cause
                ? cause
                : new IllegalStateException(failure.getCause());
    }
}
