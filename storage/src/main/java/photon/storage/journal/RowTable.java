package photon.storage.journal;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import photon.core.error.BugException;
import photon.core.id.CommitToken;
import photon.core.id.EventId;

/**
 * Rows by key, as numbers in arrays: a retry journal may hold millions. A row is named by its
 * place, which stays as long as the row does. Pages without rows are given back. Not thread-safe.
 */
final class RowTable {
    static final int ABSENT = -1;

    private static final int SLOTS_MIN = 1 << 10;

    private final List<@Nullable RowPage> pages = new ArrayList<>();

    /** Pages that have room, or are not there. */
    private final BitSet roomy = new BitSet();

    /** Of repair rows, which are few. */
    private final Map<Integer, CommitToken> tokens = new HashMap<>();

    /** Place + 1 of each row, found by its key's hash and linear probing; 0: free. */
    private int[] slots = new int[SLOTS_MIN];

    private int size;

    int size() {
        return size;
    }

    /** All places are below this. */
    int end() {
        return pages.size() << RowPage.BITS;
    }

    boolean exists(int row) {
        RowPage page = pages.get(row >>> RowPage.BITS);
        return page != null && page.is(at(row), RowPage.USED);
    }

    RowPage page(int row) {
        RowPage page = pages.get(row >>> RowPage.BITS);
        if (page == null) {
            throw new BugException("Expected a row at place %s, but there is none".formatted(row));
        }
        return page;
    }

    /** Where in its page. */
    static int at(int row) {
        return row & (RowPage.ROWS - 1);
    }

    int find(JournalRow.Key key) {
        for (int slot = slotOf(hash(key)); slots[slot] != 0; slot = next(slot)) {
            if (hasKey(slots[slot] - 1, key)) {
                return slots[slot] - 1;
            }
        }
        return ABSENT;
    }

    /** A row with this key, which must have none, and nothing else in it. */
    int add(JournalRow.Key key) {
        if (size >= slots.length / 4 * 3) {
            rehash(slots.length * 2);
        }
        int pageNumber = roomy.nextSetBit(0);
        if (pageNumber < 0) {
            pageNumber = pages.size();
            pages.add(null);
            roomy.set(pageNumber);
        }
        RowPage page = pages.get(pageNumber);
        if (page == null) {
            page = new RowPage();
            pages.set(pageNumber, page);
        }
        int at = page.take();
        roomy.set(pageNumber, !page.full());
        int row = (pageNumber << RowPage.BITS) | at;
        EventId id = key.id();
        page.micros[at] = id.micros();
        page.serverHigh[at] = id.serverHigh();
        page.serverLow[at] = id.serverLow();
        page.process[at] = id.process();
        CommitToken token = key.lostToken();
        if (token != null) {
            page.set(at, RowPage.HAS_TOKEN, true);
            tokens.put(row, token);
        }
        enter(row, hash(key));
        size++;
        return row;
    }

    void remove(int row) {
        int slot = slotOf(hash(row));
        while (slots[slot] != row + 1) {
            slot = next(slot);
        }
        closeGap(slot);
        tokens.remove(row);
        int pageNumber = row >>> RowPage.BITS;
        RowPage page = page(row);
        page.free(at(row));
        roomy.set(pageNumber);
        if (page.empty()) {
            pages.set(pageNumber, null);
        }
        size--;
        if (slots.length > SLOTS_MIN && size < slots.length / 8) {
            rehash(slots.length / 2);
        }
    }

    JournalRow.Key key(int row) {
        RowPage page = page(row);
        int at = at(row);
        EventId id =
                new EventId(
                        page.micros[at], page.serverHigh[at], page.serverLow[at], page.process[at]);
        return new JournalRow.Key(id, tokens.get(row));
    }

    /** What the arrays take. */
    long bytes() {
        long there = pages.stream().filter(Objects::nonNull).count();
        return there * RowPage.ROWS * 87L + slots.length * 4L;
    }

    private boolean hasKey(int row, JournalRow.Key key) {
        RowPage page = page(row);
        int at = at(row);
        EventId id = key.id();
        return page.micros[at] == id.micros()
                && page.serverHigh[at] == id.serverHigh()
                && page.serverLow[at] == id.serverLow()
                && page.process[at] == id.process()
                && (page.is(at, RowPage.HAS_TOKEN)
                        ? Objects.equals(tokens.get(row), key.lostToken())
                        : key.lostToken() == null);
    }

    private static long hash(JournalRow.Key key) {
        CommitToken token = key.lostToken();
        return key.id().stableHash() ^ (token == null ? 0 : token.hashCode());
    }

    private long hash(int row) {
        RowPage page = page(row);
        int at = at(row);
        CommitToken token = page.is(at, RowPage.HAS_TOKEN) ? tokens.get(row) : null;
        return EventId.stableHash(
                        page.micros[at], page.serverHigh[at], page.serverLow[at], page.process[at])
                ^ (token == null ? 0 : token.hashCode());
    }

    private int slotOf(long hash) {
        return (int) hash & (slots.length - 1);
    }

    private int next(int slot) {
        return (slot + 1) & (slots.length - 1);
    }

    private void enter(int row, long hash) {
        int slot = slotOf(hash);
        while (slots[slot] != 0) {
            slot = next(slot);
        }
        slots[slot] = row + 1;
    }

    /** Moves up what stands behind the gap and could not be found over it. */
    private void closeGap(int gap) {
        int mask = slots.length - 1;
        for (int slot = next(gap); slots[slot] != 0; slot = next(slot)) {
            int wanted = slotOf(hash(slots[slot] - 1));
            if (((slot - wanted) & mask) >= ((slot - gap) & mask)) {
                slots[gap] = slots[slot];
                gap = slot;
            }
        }
        slots[gap] = 0;
    }

    private void rehash(int length) {
        int[] before = slots;
        slots = new int[length];
        for (int entry : before) {
            if (entry != 0) {
                enter(entry - 1, hash(entry - 1));
            }
        }
    }
}
