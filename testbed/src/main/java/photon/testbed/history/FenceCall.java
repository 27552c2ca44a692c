package photon.testbed.history;

/**
 * One call that fences a slot's generations in a shard. It concerns every id of their tokens.
 *
 * @param lowestLive generations below are fenced
 * @param endNanos {@link Operation#NEVER} if no answer came: it may be carried out later, or never
 */
public record FenceCall(int slot, int lowestLive, long startNanos, long endNanos) {}
