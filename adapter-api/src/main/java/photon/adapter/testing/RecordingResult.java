package photon.adapter.testing;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import photon.adapter.Adapter;
import photon.adapter.testing.AdapterResult.Decision;
import photon.adapter.testing.AdapterResult.Emitted;

/** Takes down the calls of one {@link Adapter#join} and fails at the first wrong one. */
final class RecordingResult implements Adapter.Result {
    private final List<Emitted> emitted = new ArrayList<>();
    private @Nullable AdapterResult other;

    @Override
    public void emit(byte[] joined) {
        add("", joined);
    }

    @Override
    public void emit(String output, byte[] joined) {
        if (!output.matches("[A-Za-z0-9][A-Za-z0-9_-]{0,99}")) {
            throw new AssertionError(
                    "Expected an output name of at most 100 letters, digits, '-' and '_', beginning"
                            + " with a letter or digit, but got '"
                            + output
                            + "'");
        }
        add(output, joined);
    }

    private void add(String output, byte[] joined) {
        if (other != null) {
            throw new AssertionError("Expected nothing after " + other + ", but it emitted");
        }
        for (byte b : joined) {
            if (b == '\n') {
                throw new AssertionError("Expected one line, but got a line feed in an event");
            }
        }
        emitted.add(Emitted.of(output, joined));
    }

    @Override
    public void skip(String reason) {
        decide(Decision.SKIP, reason);
    }

    @Override
    public void retry(String reason) {
        decide(Decision.RETRY, reason);
    }

    @Override
    public void reject(String reason) {
        decide(Decision.REJECT, reason);
    }

    private void decide(Decision decision, String reason) {
        AdapterResult decided = new AdapterResult(decision, List.of(), reason);
        if (other != null || !emitted.isEmpty()) {
            throw new AssertionError(
                    "Expected events or exactly one decision, but got "
                            + decided
                            + " after "
                            + (other != null ? other : emitted));
        }
        other = decided;
    }

    AdapterResult finished() {
        if (other != null) {
            return other;
        }
        return emitted.isEmpty()
                ? new AdapterResult(Decision.SKIP, List.of(), "adapter emitted nothing")
                : new AdapterResult(Decision.EMIT, emitted, "");
    }
}
