package photon.adapter.testing;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import photon.adapter.Adapter;
import photon.adapter.testing.AdapterResult.Decision;
import photon.adapter.testing.AdapterResult.Emitted;

/** Takes down the calls of one {@link Adapter#join} and fails at the first wrong one. */
final class RecordingResult implements Adapter.Result {
    private static final int EMITTED_BYTES_MAX = 15_000_000;

    private final List<Emitted> emitted = new ArrayList<>();
    private String unpublishable = "";
    private long bytes;
    private @Nullable AdapterResult other;

    @Override
    public void emit(byte[] joined) {
        add("", joined);
    }

    @Override
    public void emit(String output, byte[] joined) {
        if (!output.matches("[A-Za-z0-9][A-Za-z0-9_-]{0,99}")) {
            throw new WrongCall(
                    "Expected an output name of at most 100 letters, digits, '-' and '_', beginning"
                            + " with a letter or digit, but got '"
                            + output
                            + "'");
        }
        add(output, joined);
    }

    private void add(String output, byte @Nullable [] joined) {
        if (joined == null) {
            throw new WrongCall("Expected the bytes of an event, but got null");
        }
        if (other != null) {
            throw new WrongCall("Expected nothing after " + other + ", but it emitted");
        }
        for (byte b : joined) {
            if (b == '\n') {
                throw new WrongCall("Expected one line, but got a line feed in an event");
            }
        }
        emitted.add(Emitted.of(output, joined));
        bytes += joined.length;
        if (bytes > EMITTED_BYTES_MAX) {
            unpublishable = "it emits more than " + EMITTED_BYTES_MAX + " bytes for one event";
        }
        try {
            if (!(JsonText.parse(joined) instanceof Map)) {
                unpublishable = "it emits no JSON object: " + emitted;
            }
        } catch (IllegalArgumentException e) {
            unpublishable =
                    "it emits no JSON object: %s. Escape what you put into JSON, or use a library"
                            .formatted(e.getMessage());
        }
    }

    /** Why what was emitted is of no use to who reads JSON lines; empty: it is. */
    String unpublishable() {
        return unpublishable;
    }

    /** The adapter called what it must not. */
    static final class WrongCall extends AssertionError {
        private static final long serialVersionUID = 1;

        WrongCall(String message) {
            super(message);
        }
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

    private void decide(Decision decision, @Nullable String reason) {
        if (reason == null) {
            throw new WrongCall("Expected a reason, but got null");
        }
        AdapterResult decided = new AdapterResult(decision, List.of(), reason);
        if (other != null || !emitted.isEmpty()) {
            throw new WrongCall(
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
