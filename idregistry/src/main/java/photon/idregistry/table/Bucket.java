package photon.idregistry.table;

/**
 * The ids of one cell of time and their holders, in pages: extendible hashing, so that no insert
 * ever moves more rows than one page has, however many there are.
 *
 * <p>Copy on write by epoch: a freeze takes {@link #pages()} and raises the table's epoch; a page
 * of an older epoch is copied before its first change. So what was frozen may be read in another
 * thread for as long as anybody likes.
 */
final class Bucket {
    private final long startMicros;

    /** The page of each prefix of hashes that is {@link #depth} bits long; some several times. */
    private Page[] pages;

    private int depth;
    private int pagesEpoch;
    private int size;
    private long bytes;

    Bucket(long startMicros, int epoch) {
        this.startMicros = startMicros;
        this.pages = new Page[] {Page.small(epoch)};
        this.pagesEpoch = epoch;
        this.bytes = pages[0].bytes();
    }

    int size() {
        return size;
    }

    /** What it takes of the heap, about. */
    long bytes() {
        return bytes + pages.length * 4L;
    }

    /** What must not be changed once the epoch has been raised. */
    Page[] pages() {
        return pages;
    }

    private int place(long hash) {
        // In two steps: a shift by 64 would be one by 0.
        return (int) (hash >>> 1 >>> (63 - depth));
    }

    private long when(IdRow row) {
        return (row.micros - startMicros) << 32 | Integer.toUnsignedLong(row.process);
    }

    /** Tells the row its holder. True if there is one. */
    boolean find(IdRow row) {
        Page page = pages[place(row.hash)];
        int at = page.find(row.hash, when(row), row.serverHigh, row.serverLow);
        if (at < 0) {
            row.holder = 0;
            return false;
        }
        tellHolder(page, at, row);
        return true;
    }

    /** Reads where {@link #find} would begin. */
    long touch(long hash) {
        return pages[place(hash)].touch(hash);
    }

    private static void tellHolder(Page page, int at, IdRow row) {
        row.holder = page.rows[at + Page.OWNER];
        row.holderSequence = page.rows[at + Page.SEQUENCE];
    }

    /**
     * @return false if the id was there, and tells the row its holder, who stays
     */
    boolean putIfAbsent(IdRow row, int epoch) {
        Page page = pages[place(row.hash)];
        long when = when(row);
        int at = page.find(row.hash, when, row.serverHigh, row.serverLow);
        if (at >= 0) {
            tellHolder(page, at, row);
            return false;
        }
        add(row, ~at, when, row.owner, row.sequence, epoch);
        return true;
    }

    /** Puts the id with this holder, whether it was there or not. */
    void put(IdRow row, long owner, long sequence, int epoch) {
        Page page = pages[place(row.hash)];
        long when = when(row);
        int at = page.find(row.hash, when, row.serverHigh, row.serverLow);
        if (at >= 0) {
            changeable(row.hash, epoch).set(at, when, row, owner, sequence);
        } else {
            add(row, ~at, when, owner, sequence, epoch);
        }
    }

    private void add(IdRow row, int at, long when, long owner, long sequence, int epoch) {
        Page page = changeable(row.hash, epoch);
        page.set(at, when, row, owner, sequence);
        page.size++;
        size++;
        if (page.isFull()) {
            makeRoom(page, row.hash, epoch);
        }
    }

    void remove(IdRow row, int epoch) {
        Page page = pages[place(row.hash)];
        int at = page.find(row.hash, when(row), row.serverHigh, row.serverLow);
        if (at >= 0) {
            changeable(row.hash, epoch).remove(at, startMicros);
            size--;
        }
    }

    /** The page for this hash, of this epoch: its rows are in the same places as before. */
    private Page changeable(long hash, int epoch) {
        Page page = pages[place(hash)];
        if (page.epoch == epoch) {
            return page;
        }
        Page copy = page.copy(epoch);
        ownPages(epoch);
        replace(page, hash, copy, copy);
        return copy;
    }

    private void ownPages(int epoch) {
        if (pagesEpoch != epoch) {
            pages = pages.clone();
            pagesEpoch = epoch;
        }
    }

    /** The places of a page are one aligned run; its first half becomes one, its second another. */
    private void replace(Page page, long hash, Page first, Page second) {
        int run = 1 << (depth - page.depth);
        int from = place(hash) & -run;
        for (int i = 0; i < run; i++) {
            pages[from + i] = i < run / 2 ? first : second;
        }
    }

    private void makeRoom(Page page, long hash, int epoch) {
        // Hashes can be made to collide: then the page grows, not the directory without end.
        boolean crowded = page.depth == depth && pages.length > Math.max(1, size / 64);
        bytes -= page.bytes();
        if (page.capacity() < Page.ROWS_MAX || crowded) {
            page.grow(startMicros);
            bytes += page.bytes();
            return;
        }
        ownPages(epoch);
        if (page.depth == depth) {
            Page[] twice = new Page[pages.length * 2];
            for (int i = 0; i < twice.length; i++) {
                twice[i] = pages[i / 2];
            }
            pages = twice;
            depth++;
        }
        Page zero = new Page(epoch, page.depth + 1, page.capacity());
        Page one = new Page(epoch, page.depth + 1, page.capacity());
        page.splitInto(zero, one, startMicros);
        replace(page, hash, zero, one);
        bytes += zero.bytes() + one.bytes();
    }
}
