package photon.joiner.rules;

import static photon.core.error.Checks.check;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import photon.core.id.CommitToken;
import photon.core.id.Incarnation;

/**
 * Every sequence number that an incarnation has used, and what became of it: says whether a token
 * of our own that holds an id in the registry is on its way, written, or lost (docs/protocol.md
 * sections 3 and 6).
 *
 * <p>Two bits a token, in chunks; a chunk of which nothing is open any more shrinks to the list of
 * those that were not flushed. So a million joined events cost some kilobytes, and a million
 * attempts of which half were another's a quarter of a megabyte. Nothing is ever forgotten, since
 * any event may come again: the book ends with its incarnation, which is followed by another before
 * the book is large ({@link RollRule}).
 */
public final class TokenBook {
    static final int CHUNK_TOKENS = 4_096;
    private static final char[] ALL_FLUSHED = {};

    private final Incarnation incarnation;
    private final List<Chunk> chunks = new ArrayList<>();
    private long lastSequence;
    private long open;
    private long bytes;

    public TokenBook(Incarnation incarnation) {
        this.incarnation = incarnation;
    }

    /** A token that was never used before, in flight from now on. Sequences begin at 1. */
    public CommitToken next() {
        lastSequence++;
        if (chunkOf(lastSequence) == chunks.size()) {
            Chunk begun = new Chunk();
            chunks.add(begun);
            bytes += begun.bytes();
        }
        open++;
        return CommitToken.of(incarnation, lastSequence);
    }

    public void accepted(CommitToken token) {
        move(token, TokenState.IN_FLIGHT, TokenState.ACCEPTED);
    }

    public void flushed(CommitToken token) {
        move(token, TokenState.ACCEPTED, TokenState.FLUSHED);
        open--;
    }

    /** The token does not hold its id and never will. */
    public void settled(CommitToken token) {
        move(token, TokenState.IN_FLIGHT, TokenState.SETTLED);
        open--;
    }

    /** {@link TokenState#UNKNOWN} for tokens of other incarnations too. */
    public TokenState stateOf(int slot, int generation, long sequence) {
        long attempt = CommitToken.attempt(sequence);
        if (slot != incarnation.slot()
                || generation != incarnation.generation()
                || attempt < 1
                || attempt > lastSequence) {
            return TokenState.UNKNOWN;
        }
        return chunks.get(chunkOf(attempt)).stateOf(indexOf(attempt));
    }

    public TokenState stateOf(CommitToken token) {
        return stateOf(token.slot(), token.generation(), token.sequence());
    }

    /** In flight, or accepted and not flushed. */
    public long open() {
        return open;
    }

    /** Of memory, about. */
    public long bytes() {
        return bytes;
    }

    private void move(CommitToken token, TokenState from, TokenState to) {
        TokenState now = stateOf(token);
        check(now == from, "Expected token %s to be %s, but it is %s", token, from, now);
        Chunk chunk = chunks.get(chunkOf(token.attempt()));
        long before = chunk.bytes();
        chunk.set(indexOf(token.attempt()), to);
        bytes += chunk.bytes() - before;
    }

    private static int chunkOf(long sequence) {
        return Math.toIntExact((sequence - 1) / CHUNK_TOKENS);
    }

    private static int indexOf(long sequence) {
        return (int) ((sequence - 1) % CHUNK_TOKENS);
    }

    /** Exactly one of the two arrays is in use; an empty one stands for none. */
    private static final class Chunk {
        private static final TokenState[] STATES = {
            TokenState.IN_FLIGHT, TokenState.ACCEPTED, TokenState.FLUSHED, TokenState.SETTLED
        };
        private static final long[] NONE = {};

        /** The object, its place in the list, the heads of its arrays. */
        private static final int OVERHEAD_BYTES = 64;

        private long[] states = new long[CHUNK_TOKENS / 32];
        private char[] notFlushed = ALL_FLUSHED;
        private int ended;

        long bytes() {
            return OVERHEAD_BYTES
                    + (long) states.length * Long.BYTES
                    + (long) notFlushed.length * Character.BYTES;
        }

        TokenState stateOf(int index) {
            if (states.length == 0) {
                return Arrays.binarySearch(notFlushed, (char) index) >= 0
                        ? TokenState.SETTLED
                        : TokenState.FLUSHED;
            }
            return STATES[(int) (states[index >>> 5] >>> ((index & 31) << 1)) & 3];
        }

        void set(int index, TokenState state) {
            int shift = (index & 31) << 1;
            long cleared = states[index >>> 5] & ~(3L << shift);
            states[index >>> 5] = cleared | ((long) state.bits << shift);
            if (state == TokenState.FLUSHED || state == TokenState.SETTLED) {
                ended++;
                if (ended == CHUNK_TOKENS) {
                    shrink();
                }
            }
        }

        private void shrink() {
            char[] settled = new char[CHUNK_TOKENS];
            int count = 0;
            for (int i = 0; i < CHUNK_TOKENS; i++) {
                if (stateOf(i) == TokenState.SETTLED) {
                    settled[count++] = (char) i;
                }
            }
            if (count * Character.BYTES < states.length * Long.BYTES) {
                notFlushed = count == 0 ? ALL_FLUSHED : Arrays.copyOf(settled, count);
                states = NONE;
            }
        }
    }
}
