package photon.registry.api;

import org.jspecify.annotations.Nullable;
import photon.core.id.CommitToken;
import photon.registry.api.RegistryClient.Found;

/** What a batch of lookups found, in the batch's order. Immutable; without an object an id. */
public interface LookupAnswers {
    int size();

    Found.State state(int i);

    /** Who holds the i-th id; null unless its state is HELD. */
    @Nullable CommitToken holder(int i);

    /**
     * Whether the i-th id is held by a token that says that it joins the event without its primary
     * event.
     */
    boolean isUnmatched(int i);

    /** How many are held. */
    int held();
}
