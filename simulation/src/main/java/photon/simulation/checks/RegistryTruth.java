package photon.simulation.checks;

import java.util.List;
import org.jspecify.annotations.Nullable;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.core.id.Incarnation;

/** What the registry's groups have committed, whichever replica knows it by now. */
public interface RegistryTruth {
    /** Null: nobody holds it. */
    @Nullable CommitToken holder(EventId id);

    /** Every incarnation that was ever issued. */
    List<Incarnation> incarnations();

    /** Closed clean, or repaired. */
    boolean settled(Incarnation incarnation);

    /** All that it had lost was found. */
    boolean repaired(Incarnation incarnation);

    /** Of repaired incarnations whose rows are not in the registered state; for people. */
    List<String> rowsInOtherStates();

    /** Not fenced. */
    boolean live(Incarnation incarnation);

    /** What was ever decided about an id, in the order of the log. Not for often. */
    List<Decision> decisions(EventId id);

    /** One entry of a shard's log about an id. */
    record Decision(String group, CommitToken token, boolean accepted) {}

    /** {@link Long#MIN_VALUE}: there is none. */
    long boundaryMicros();
}
