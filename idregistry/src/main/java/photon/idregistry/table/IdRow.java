package photon.idregistry.table;

import java.nio.ByteBuffer;
import photon.core.error.BugException;
import photon.core.id.CommitToken;
import photon.core.id.EventId;

/**
 * An id, a token, and the answer to the last question about the id: what is passed about instead of
 * an object an id. Whoever reads a batch has one and fills it anew for each id.
 */
public final class IdRow {
    private static final long TO_BE_UNMATCHED =
            owner(CommitToken.JOIN_UNMATCHED.slot(), CommitToken.JOIN_UNMATCHED.generation());

    long micros;
    long serverHigh;
    long serverLow;
    int process;
    long hash;

    /** The token's slot and generation in one; never 0. */
    long owner;

    long sequence;

    /** As {@link #owner}, of who holds the id; 0 for nobody. */
    long holder;

    long holderSequence;

    /** Reads the next packed id. */
    public void readId(ByteBuffer from) {
        setId(from.getLong(), from.getLong(), from.getLong(), from.getInt());
    }

    /** Takes the id. */
    public void set(EventId id) {
        setId(id.micros(), id.serverHigh(), id.serverLow(), id.process());
    }

    void setId(long idMicros, long idServerHigh, long idServerLow, int idProcess) {
        if (idMicros < 0) {
            throw new BugException(
                    "Expected a timestamp from 1970 on, but got " + idMicros + " microseconds");
        }
        micros = idMicros;
        serverHigh = idServerHigh;
        serverLow = idServerLow;
        process = idProcess;
        hash = EventId.stableHash(idMicros, idServerHigh, idServerLow, idProcess);
    }

    /** Reads the next packed token. */
    public void readToken(ByteBuffer from) {
        setToken(from.getLong(), from.getLong());
    }

    /** Takes the token. */
    public void set(CommitToken token) {
        setToken(owner(token.slot(), token.generation()), token.sequence());
    }

    void setToken(long tokenOwner, long tokenSequence) {
        if (tokenOwner >> 32 <= 0 || (int) tokenOwner <= 0) {
            throw new BugException(
                    "Expected slot and generation above 0, but got %s-%s"
                            .formatted(tokenOwner >> 32, (int) tokenOwner));
        }
        owner = tokenOwner;
        sequence = tokenSequence;
    }

    static long owner(int slot, int generation) {
        return (long) slot << 32 | Integer.toUnsignedLong(generation);
    }

    public long micros() {
        return micros;
    }

    /** As {@link EventId#stableHash()}. */
    public long hash() {
        return hash;
    }

    /** The token's slot. */
    public int slot() {
        return (int) (owner >>> 32);
    }

    /** The token's generation. */
    public int generation() {
        return (int) owner;
    }

    /** The token's sequence. */
    public long sequence() {
        return sequence;
    }

    /** True if the holder that was found is this very token. */
    public boolean isHolder() {
        return holder == owner && holderSequence == sequence;
    }

    /** True if what was found is {@link CommitToken#JOIN_UNMATCHED}, which stands for no holder. */
    public boolean isToBeUnmatched() {
        return isToBeUnmatched(holder);
    }

    /** The same of a slot and generation in one. */
    static boolean isToBeUnmatched(long holder) {
        return holder == TO_BE_UNMATCHED;
    }

    /** Writes the token of the holder that was found. */
    public void writeHolder(ByteBuffer to) {
        to.putLong(holder).putLong(holderSequence);
    }

    /** The token of the holder that was found. */
    public CommitToken holderToken() {
        return new CommitToken((int) (holder >>> 32), (int) holder, holderSequence);
    }

    /** The cell that the id falls into. */
    long cell() {
        return micros / Cell.MICROS;
    }

    /** What the row, with its token, adds to its cell's hash. */
    long contentHash() {
        return contentHash(owner, sequence);
    }

    /** The same with another token. */
    long contentHash(long heldBy, long heldSequence) {
        return mix(hash * 31 + mix(heldBy * 31 + mix(heldSequence)));
    }

    private static long mix(long z) {
        z = (z ^ (z >>> 33)) * 0xFF51AFD7ED558CCDL;
        return z ^ (z >>> 33);
    }

    /** The order of {@link EventId}. */
    static int compare(
            long micros1,
            long high1,
            long low1,
            int process1,
            long micros2,
            long high2,
            long low2,
            int process2) {
        int c = Long.compare(micros1, micros2);
        if (c == 0) {
            c = Long.compareUnsigned(high1, high2);
        }
        if (c == 0) {
            c = Long.compareUnsigned(low1, low2);
        }
        return c != 0 ? c : Integer.compareUnsigned(process1, process2);
    }

    @Override
    public String toString() {
        return new EventId(micros, serverHigh, serverLow, process)
                + " of "
                + Long.toHexString(owner);
    }
}
