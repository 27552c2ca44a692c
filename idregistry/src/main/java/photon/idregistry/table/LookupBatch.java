package photon.idregistry.table;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import photon.core.id.CommitToken;
import photon.core.id.EventId;

/**
 * Lookups of many ids, without an object an id, in two steps: the table is asked in its own thread,
 * and tells what memory knows; sealed files, which never change, are read behind it, in any thread,
 * while the table goes on. So a slow disk holds up nobody but who asked. The answers are those of
 * the moment of asking.
 *
 * <p>One thread at a time.
 */
public final class LookupBatch implements AutoCloseable {
    private static final ThreadLocal<BlockReader> READER =
            ThreadLocal.withInitial(BlockReader::new);

    // What becomes of an id, as in LookupResponse.found.
    public static final byte NOT_HELD = 0;
    public static final byte HELD = 1;
    public static final byte TOO_OLD = 2;
    public static final byte WRONG_SHARD = 3;

    private final ByteBuffer ids;
    private final int count;
    private final byte[] found;
    private final long[] holders;

    /** By id: which of {@link #files} is to be asked, counted from 1; 0: none. */
    private final int[] fileOf;

    private final List<SealedFile> files = new ArrayList<>();
    private int asked;

    /**
     * @param packed ids from position to limit; must not change
     */
    public LookupBatch(ByteBuffer packed) {
        ids = packed.slice();
        count = ids.remaining() / EventId.BYTES;
        found = new byte[count];
        holders = new long[2 * count];
        fileOf = new int[count];
    }

    /** True once each id has been asked for. */
    public boolean isAsked() {
        return asked == count;
    }

    /** How many are to be asked for yet. */
    public int left() {
        return count - asked;
    }

    /** The packed ids; the next to be asked for begins at {@link #nextAt}. */
    public ByteBuffer ids() {
        return ids;
    }

    /** Where the next id begins. */
    public int nextAt() {
        return asked * EventId.BYTES;
    }

    /** Fills the row with the next id, whose answer must come now. */
    public void next(IdRow row) {
        ids.position(nextAt());
        row.readId(ids);
    }

    /** The next id's answer; not {@link #HELD}. */
    public void answer(byte answer) {
        found[asked++] = answer;
    }

    /** The row was told who holds the next id. */
    void answer(IdRow row) {
        tell(asked++, row);
    }

    private void tell(int place, IdRow row) {
        // No token holds what is to be joined unmatched, so a datacenter that has the event should
        // try.
        found[place] = row.holder == 0 || row.isToBeUnmatched() ? NOT_HELD : HELD;
        holders[2 * place] = row.holder;
        holders[2 * place + 1] = row.holderSequence;
    }

    /** The next id's answer is in this file. */
    void later(SealedFile file) {
        int number = files.lastIndexOf(file);
        if (number < 0) {
            number = files.size();
            files.add(file.retain());
        }
        fileOf[asked++] = number + 1;
    }

    /**
     * Reads what is in files.
     *
     * @throws UncheckedIOException if a file cannot be read or is not as it was written: nothing
     *     can be said of its ids then
     */
    public void readFiles() {
        if (files.isEmpty()) {
            return;
        }
        IdRow row = new IdRow();
        BlockReader reader = READER.get();
        try {
            for (int i = 0; i < count; i++) {
                if (fileOf[i] > 0) {
                    ids.position(i * EventId.BYTES);
                    row.readId(ids);
                    files.get(fileOf[i] - 1).find(row, reader);
                    tell(i, row);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            reader.forget();
        }
    }

    /** A byte an id: {@link #NOT_HELD} and its like. */
    public byte[] found() {
        return found;
    }

    /** The packed token of each that is held, in order. */
    public ByteBuffer holders() {
        int held = 0;
        for (byte answer : found) {
            held += answer == HELD ? 1 : 0;
        }
        ByteBuffer packed = ByteBuffer.allocate(held * CommitToken.BYTES);
        for (int i = 0; i < count; i++) {
            if (found[i] == HELD) {
                packed.putLong(holders[2 * i]).putLong(holders[2 * i + 1]);
            }
        }
        return packed.flip();
    }

    /** Needs the files no more. */
    @Override
    public void close() {
        files.forEach(SealedFile::release);
        files.clear();
    }
}
