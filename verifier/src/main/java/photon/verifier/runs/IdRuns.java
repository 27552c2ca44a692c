package photon.verifier.runs;

import static photon.core.error.Checks.check;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import photon.core.id.EventId;
import photon.storage.files.FileStore;
import photon.storage.files.FileStore.FileInfo;

/**
 * A set of identities of any size, each with a token's sequence: first filled, then read in id
 * order. Memory is bounded whatever the size: what does not fit is sorted into runs in a scratch
 * file, 37 bytes each, and many runs are merged to one. Not thread-safe.
 *
 * <p>Scratch is nobody's state: it is deleted with the set, and what a crash leaves is deleted by
 * {@link #clear} at the next start.
 */
public final class IdRuns implements AutoCloseable {
    private static final int FIRST_CAPACITY = 1_024;

    private final FileStore files;
    private final String directory;
    private final String name;
    private final Limits limits;
    private IdColumns filling = new IdColumns(FIRST_CAPACITY);
    private final List<ScratchFile> scratch = new ArrayList<>();
    private @Nullable Compaction compaction;
    private long size;
    private int inMemoryMax;
    private int runsMax;
    private boolean closed;

    /**
     * Bounds of memory.
     *
     * @param inMemory identities held in memory while the set is filled, up to 1,048,576: 48 bytes
     *     each
     * @param runs runs that are read at one time, from 2 on: some 20 KB each
     */
    public record Limits(int inMemory, int runs) {
        /** Some 35 MB. */
        public static final Limits DEFAULTS = new Limits(1 << 19, 512);

        public Limits {
            check(
                    inMemory > 0 && inMemory <= IdColumns.SIZE_MAX,
                    "Expected inMemory from 1 to %s, but got %s",
                    IdColumns.SIZE_MAX,
                    inMemory);
            check(runs > 1, "Expected runs from 2 on, but got %s", runs);
        }
    }

    /**
     * @param directory of scratch files, made if need be
     * @param name how theirs begin
     */
    public IdRuns(FileStore files, String directory, String name, Limits limits) {
        this.files = files;
        this.directory = directory;
        this.name = name;
        this.limits = limits;
    }

    /** Deletes what a crash has left behind. */
    public static void clear(FileStore files, String directory) throws IOException {
        for (FileInfo left : files.list(directory)) {
            files.delete(left.path());
        }
    }

    /** How many were added. */
    public long size() {
        return size;
    }

    /** The most identities that were ever in memory to be sorted. */
    int inMemoryMax() {
        return inMemoryMax;
    }

    /** The most runs that there ever were at one time. */
    int runsMax() {
        return runsMax;
    }

    /**
     * @throws IOException if the scratch file cannot be written, such as on a full disk: the set is
     *     good for nothing but to be closed
     */
    public void add(EventId id, long sequence) throws IOException {
        filling.add(id, sequence);
        size++;
        inMemoryMax = Math.max(inMemoryMax, filling.size());
        if (filling.size() == limits.inMemory()) {
            spill();
        }
    }

    /** True: {@link #compact} is to be called before more is added. */
    public boolean crowded() {
        return compaction != null || runs() >= limits.runs();
    }

    /**
     * Goes on merging all runs to one.
     *
     * @param rowsMax about so many identities at the most, so that others have their turn
     */
    public void compact(int rowsMax) throws IOException {
        if (compaction == null) {
            compaction = new Compaction(new RunMerge(scratch), scratch());
        }
        if (compaction.on(rowsMax)) {
            scratch.forEach(ScratchFile::close);
            scratch.clear();
            scratch.add(compaction.into());
            compaction = null;
        }
    }

    /** Ends the filling. */
    public SortedIds sorted() throws IOException {
        check(!crowded(), "Expected runs to be merged before they are read, got %s", runs());
        if (scratch.isEmpty()) {
            return new InMemory(filling);
        }
        if (filling.size() > 0) {
            spill();
        }
        filling = new IdColumns(0);
        return new RunMerge(scratch);
    }

    private int runs() {
        return scratch.stream().mapToInt(file -> file.runs().size()).sum();
    }

    private void spill() throws IOException {
        check(!closed, "Expected an open set");
        if (scratch.isEmpty()) {
            scratch.add(scratch());
        }
        ScratchFile file = scratch.get(scratch.size() - 1);
        for (int row : filling.order()) {
            file.add(filling, row);
        }
        file.endRun();
        filling.clear();
        runsMax = Math.max(runsMax, runs());
    }

    private ScratchFile scratch() throws IOException {
        try {
            return ScratchFile.create(files, directory, name);
        } catch (IOException e) {
            throw new IOException("Cannot write scratch in " + directory + ": " + e, e);
        }
    }

    /** Deletes the scratch, and holds no memory any more. Safe to call twice. */
    @Override
    public void close() {
        closed = true;
        filling = new IdColumns(0);
        if (compaction != null) {
            compaction.into().close();
            compaction = null;
        }
        scratch.forEach(ScratchFile::close);
        scratch.clear();
    }

    /** All runs on their way into one. */
    private record Compaction(RunMerge from, ScratchFile into) {
        /** True: done. */
        boolean on(int rowsMax) throws IOException {
            for (int i = 0; i < rowsMax; i++) {
                if (!from.next()) {
                    into.endRun();
                    return true;
                }
                into.add(from.rows(), from.at());
            }
            return false;
        }
    }

    /** Those that never left memory. */
    private static final class InMemory implements SortedIds {
        private final IdColumns rows;
        private final int[] order;
        private int at = -1;

        InMemory(IdColumns rows) {
            this.rows = rows;
            this.order = rows.order();
        }

        @Override
        public boolean next() {
            at++;
            return at < order.length;
        }

        @Override
        public int compareTo(EventId id) {
            return rows.compare(order[at], id);
        }

        @Override
        public EventId id() {
            return rows.id(order[at]);
        }

        @Override
        public long sequence() {
            return rows.sequence(order[at]);
        }
    }
}
