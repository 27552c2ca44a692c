package photon.joiner.adapters;

import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import photon.adapter.Adapter;
import photon.storage.output.WorkRecord.JoinedEvent;

/** Takes down what an adapter calls. Used by one thread. */
final class RecordedResult implements Adapter.Result {
    private final List<JoinedEvent> emitted = new ArrayList<>(1);
    private @Nullable AdapterDecision other;
    private boolean contradicted;
    private boolean withNull;

    @Override
    public void emit(byte[] joined) {
        emit("", joined);
    }

    @Override
    public void emit(String output, byte[] joined) {
        contradicted |= other != null;
        if (isNull(output) || isNull(joined)) {
            withNull = true;
            return;
        }
        emitted.add(new JoinedEvent(output, ByteString.copyFrom(joined)));
    }

    @Override
    public void skip(String reason) {
        decide(new AdapterDecision.Skip(given(reason)));
    }

    @Override
    public void retry(String reason) {
        decide(new AdapterDecision.Retry(given(reason)));
    }

    @Override
    public void reject(String reason) {
        decide(new AdapterDecision.Reject(given(reason)));
    }

    /** User code may be compiled without any check: a message of an exception, say, may be null. */
    private static String given(@Nullable String reason) {
        return reason == null ? "the adapter gave no reason" : reason;
    }

    private static boolean isNull(@Nullable Object given) {
        return given == null;
    }

    private void decide(AdapterDecision decision) {
        contradicted |= other != null || !emitted.isEmpty();
        other = decision;
    }

    AdapterDecision decision() {
        if (contradicted) {
            return new AdapterDecision.Reject(
                    "adapter contradicted itself; expected it to emit, or to call exactly one of"
                            + " skip, retry and reject, once");
        }
        if (withNull) {
            return new AdapterDecision.Reject(
                    "the adapter emitted null; expected an output's name and bytes");
        }
        if (other != null) {
            return other;
        }
        return emitted.isEmpty()
                ? new AdapterDecision.Skip("adapter emitted nothing")
                : new AdapterDecision.Emit(emitted);
    }
}
