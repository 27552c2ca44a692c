package photon.idregistry.boundary;

/**
 * What a server tells of its own clock.
 *
 * @param earliestMicros the clock has passed this; stays true whatever comes, if the clock is right
 * @param synchronised false: the clock may be wrong by any amount, and has no vote
 * @param trouble why it is not synchronised
 */
public record ClockVote(long earliestMicros, boolean synchronised, String trouble) {}
