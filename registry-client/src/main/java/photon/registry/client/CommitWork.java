package photon.registry.client;

import java.nio.ByteBuffer;
import photon.core.id.EventId;

/**
 * One or more commits that go to one shard together and wait for their answers: the unit in which a
 * {@link CommitLane} queues, sends and asks again. Used in the loop.
 */
interface CommitWork {
    /** How many ids. */
    int count();

    EventId id(int i);

    /** Appends all ids to one buffer and all tokens to the other. */
    void pack(ByteBuffer ids, ByteBuffer tokens);

    /** True if nobody waits for it any more: it is not sent (again). */
    boolean isEnded();

    /** It is being sent: whatever is not known of it from now on may be committed. */
    void sent();

    /** What was sent last was surely not carried out. */
    void refused();

    /** What was sent last may have been carried out, or may yet be. */
    void unsure();

    /**
     * A definite answer to one of its ids. Whoever waits is told with {@link #left} at the latest.
     *
     * @param outcome an {@link photon.proto.v1.Outcome} number
     * @param holders where the holder's token stands at the index {@code at}, with TAKEN
     */
    void answer(int i, byte outcome, ByteBuffer holders, int at);

    /**
     * So many of its ids are out of the lane: answered, or dropped since nobody waits for them.
     * What they took up is free.
     */
    void left(int ids);

    /** The ids from one place to before another, as a work of its own; this one is used up. */
    CommitWork range(int from, int to);

    /** The ids at these places, as a work of its own; what is not in any such is done with. */
    CommitWork at(int[] places);
}
