package photon.registry.api;

/** What a batch of commits came to, in the batch's order. Immutable; without an object an id. */
public interface CommitOutcomes {
    int size();

    /** True if the i-th id is this call's token's. */
    boolean isAccepted(int i);

    /** The i-th outcome, whole. Makes an object only where another token holds the id. */
    CommitOutcome get(int i);

    /** How many are accepted. */
    int accepted();

    /** How many are {@link CommitOutcome.Unknown}. */
    int unknown();

    /** How many are {@link CommitOutcome.NotSubmitted}. */
    int notSubmitted();
}
