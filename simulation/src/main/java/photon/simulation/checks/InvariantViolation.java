package photon.simulation.checks;

import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;
import java.util.List;
import org.jspecify.annotations.Nullable;
import photon.core.id.EventId;

/**
 * An invariant that does not hold.
 *
 * @param invariant such as {@code I1}
 * @param text for people
 * @param ids of the events that it is about, at most {@link #IDS_MAX}; may be empty
 */
public record InvariantViolation(String invariant, String text, List<EventId> ids) {
    static final int IDS_MAX = 10;

    public InvariantViolation {
        ids = List.copyOf(ids.subList(0, Math.min(ids.size(), IDS_MAX)));
    }

    @FormatMethod
    static InvariantViolation of(
            String invariant,
            List<EventId> ids,
            @FormatString String format,
            @Nullable Object... values) {
        return new InvariantViolation(invariant, format.formatted(values), ids);
    }

    @Override
    public String toString() {
        return ids.isEmpty() ? invariant + ": " + text : invariant + ": " + text + " " + ids;
    }
}
