package photon.eventstore.index;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import photon.eventstore.index.FilePool.PooledFile;
import photon.eventstore.index.IndexNames.Range;

/**
 * Seals full tables and merges parts, in an executor: at most one of each at a time. A seal that
 * fails, and damage, is told to the next one that puts. A merge that finds the disk full is tried
 * again later: without it lookups are slower, and nothing else. Thread-safe.
 */
final class IndexUpkeep {
    private static final Logger log = LoggerFactory.getLogger(IndexUpkeep.class);

    private static final int ROWS_BETWEEN_CHECKS = 1 << 14;

    private final FilePool pool;
    private final String directory;
    private final IndexContents contents;
    private final MergeChoice choice;
    private final Executor executor;
    private volatile boolean closing;
    private volatile @Nullable Exception failure;

    /** Of the thread that puts. */
    private @Nullable Job sealing;

    private @Nullable Job merging;

    /** Since the last merge that went well; logged once. */
    private volatile boolean mergesFail;

    IndexUpkeep(
            FilePool pool,
            String directory,
            IndexContents contents,
            IndexLimits limits,
            Executor executor) {
        this.pool = pool;
        this.directory = directory;
        this.contents = contents;
        this.choice = new MergeChoice(limits);
        this.executor = executor;
    }

    @FunctionalInterface
    private interface Work {
        /** Returns whether there may be a merge to be made now. */
        boolean run() throws IOException;
    }

    /** The index is being closed: what is half written is deleted at the next start. */
    private static final class StoppedException extends IOException {}

    /** Runs once, in whatever thread comes to it first. */
    private final class Job implements Runnable {
        private final Work work;
        private final AtomicBoolean begun = new AtomicBoolean();
        private final CountDownLatch done = new CountDownLatch(1);
        private volatile @Nullable Thread runner;

        Job(Work work) {
            this.work = work;
        }

        @Override
        public void run() {
            if (!begun.compareAndSet(false, true)) {
                return;
            }
            boolean mayMerge = false;
            runner = Thread.currentThread();
            try {
                checkGoesOn();
                mayMerge = work.run();
            } catch (StoppedException e) {
                // Nothing has changed.
            } catch (IOException | RuntimeException e) {
                failure = e;
            } finally {
                done.countDown();
            }
            if (mayMerge) {
                merge();
            }
        }

        boolean isDone() {
            return done.getCount() == 0;
        }

        void await() {
            boolean interrupted = false;
            while (!isDone()) {
                try {
                    done.await();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }

        void abandon() {
            if (begun.compareAndSet(false, true)) {
                done.countDown();
            }
            // One thread runs a whole simulated world: there the job may stand further up its
            // stack.
            if (runner != Thread.currentThread()) {
                await();
            }
        }
    }

    private void checkGoesOn() throws StoppedException {
        if (closing) {
            throw new StoppedException();
        }
    }

    /**
     * @throws IOException if a job has failed
     */
    void check() throws IOException {
        Exception met = failure;
        if (met instanceof IOException e) {
            throw e;
        }
        if (met instanceof RuntimeException e) {
            throw e;
        }
    }

    /** Waits until no table is being sealed; does it here if nobody has begun it. */
    void awaitSealed() throws IOException {
        if (sealing != null) {
            sealing.run();
            sealing.await();
            sealing = null;
        }
        check();
    }

    /** Seals the frozen table, which stands for these segments. */
    void seal(RecentTable frozen, Range range) {
        Job job =
                new Job(
                        () -> {
                            contents.sealed(
                                    write(pool, directory, frozen, range, this::checkGoesOn));
                            return true;
                        });
        sealing = job;
        executor.execute(job);
    }

    /** Called now and then while a part is written; stops the writing by throwing. */
    @FunctionalInterface
    interface GoesOn {
        void check() throws IOException;
    }

    /** Writes a table as a part, durably. */
    static PartFile write(
            FilePool pool, String directory, RecentTable table, Range range, GoesOn goesOn)
            throws IOException {
        long[] rows = table.sorted();
        try (PartWriter out = new PartWriter(pool.files(), directory, range, rows.length / 3)) {
            for (int at = 0; at < rows.length; at += 3) {
                if (at % (3 * ROWS_BETWEEN_CHECKS) == 0) {
                    goesOn.check();
                }
                out.add(rows[at], rows[at + 1], rows[at + 2]);
            }
            out.finish();
        }
        return PartFile.open(pool.file(directory + "/" + IndexNames.part(range)), range);
    }

    private PartFile open(Range range) throws IOException {
        return PartFile.open(pool.file(directory + "/" + IndexNames.part(range)), range);
    }

    /** Begins a merge if there is one to be made, and none is under way. */
    void merge() {
        Job job;
        synchronized (this) {
            if (closing || failure != null || (merging != null && !merging.isDone())) {
                return;
            }
            IndexView view = contents.view();
            List<MergeChoice.Part> parts =
                    view.parts().stream()
                            .map(part -> new MergeChoice.Part(part.rows(), live(view, part)))
                            .toList();
            MergeChoice.Choice chosen = choice.choose(parts);
            if (chosen.count() == 0) {
                return;
            }
            List<PartFile> from =
                    view.parts().subList(chosen.from(), chosen.from() + chosen.count());
            job = new Job(() -> merge(view, from));
            merging = job;
        }
        executor.execute(job);
    }

    /** A part that would keep its name is not written anew: all of it counts. */
    private static long live(IndexView view, PartFile part) {
        long live = view.live(part);
        return live > 0 && held(view, part.range()).equals(part.range()) ? part.rows() : live;
    }

    /** From the first to the last segment of the range that is held. At least one is. */
    private static Range held(IndexView view, Range range) {
        Long first = view.segments().ceilingKey(range.from());
        Long last = view.segments().floorKey(range.to());
        return first == null || last == null ? range : new Range(first, last);
    }

    private boolean merge(IndexView view, List<PartFile> from) throws IOException {
        boolean nothingHeld = from.stream().allMatch(part -> view.live(part) == 0);
        Range whole = new Range(from.get(0).range().from(), from.get(from.size() - 1).range().to());
        Range range = from.size() == 1 ? held(view, whole) : whole;
        PartFile into = null;
        if (!nothingHeld) {
            try {
                into = write(view, from, range);
            } catch (StoppedException e) {
                throw e;
            } catch (IOException e) {
                if (IndexDamage.isOfPart(e)) {
                    throw e;
                }
                mergeFailed(range, e);
                return false;
            }
        }
        contents.merged(from, into);
        from.forEach(part -> deleteMerged(part.file()));
        if (mergesFail) {
            log.info("Parts of the log index are merged again");
            mergesFail = false;
        }
        return true;
    }

    /** Nothing has changed but the disk; the next table that is sealed brings the next try. */
    private void mergeFailed(Range range, IOException e) {
        if (!mergesFail) {
            log.warn(
                    "Cannot merge parts of the log index in {}; trying again when the next part is"
                            + " written, and lookups of old ids visit more parts until then: {}",
                    directory,
                    e.toString());
            mergesFail = true;
        }
        String name = IndexNames.part(range);
        for (String written : List.of(IndexNames.unfinished(name), name)) {
            try {
                pool.files().delete(directory + "/" + written);
            } catch (IOException again) {
                log.debug("Cannot delete {}", written, again); // the next try or start does
            }
        }
    }

    private static void deleteMerged(PooledFile part) {
        try {
            part.delete();
        } catch (IOException e) {
            log.warn(
                    "Cannot delete {}, which was merged; the next start will: {}",
                    part.path(),
                    e.toString());
        }
    }

    private PartFile write(IndexView view, List<PartFile> from, Range range) throws IOException {
        long rowsMax = from.stream().mapToLong(PartFile::rows).sum();
        try (PartWriter out = new PartWriter(pool.files(), directory, range, rowsMax)) {
            MergedRows rows = new MergedRows(from);
            long count = 0;
            while (rows.next()) {
                if (count++ % ROWS_BETWEEN_CHECKS == 0) {
                    checkGoesOn();
                }
                if (view.segments().containsKey(RecordPosition.segment(rows.position()))) {
                    out.add(rows.high(), rows.low(), rows.position());
                }
            }
            out.finish();
        }
        return open(range);
    }

    /** Ends what is under way, without result. */
    void close() {
        closing = true;
        if (sealing != null) {
            sealing.abandon();
        }
        Job merge;
        synchronized (this) {
            merge = merging;
        }
        if (merge != null) {
            merge.abandon();
        }
    }
}
