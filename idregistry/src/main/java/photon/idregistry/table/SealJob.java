package photon.idregistry.table;

import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Writes one sealed file from cells that were frozen: those of the memory tier, or a sealed file
 * and its overlay. Runs once, in whichever thread comes first; all else is the table's.
 */
final class SealJob implements Runnable {
    final SealedSpan.Name name;

    /** Null: the cells are of the memory tier. */
    final @Nullable SealedFile base;

    /** What changes while it runs: the next overlay. The table's. */
    final Cells delta;

    long deltaChangedAt;

    private final TableFiles files;
    private final List<Cell.Frozen> cells;
    private final long fromCell;
    private final AtomicBoolean begun = new AtomicBoolean();
    private final CountDownLatch done = new CountDownLatch(1);
    private @Nullable SealedFile result;
    private @Nullable Throwable failure;
    private boolean abandoned;

    /**
     * @param base retained for the job
     * @param fromCell older ones are below the boundary, and left out
     */
    SealJob(
            SealedSpan.Name name,
            @Nullable SealedFile base,
            List<Cell.Frozen> cells,
            long fromCell,
            Cells delta,
            TableFiles files) {
        this.name = name;
        this.base = base;
        this.cells = cells;
        this.fromCell = fromCell;
        this.delta = delta;
        this.files = files;
    }

    boolean covers(long cell) {
        return cell >= name.from() && cell < name.to();
    }

    @Override
    public void run() {
        if (!begun.compareAndSet(false, true)) {
            return;
        }
        SealedFile made = null;
        Throwable met = null;
        try (SealedFileWriter out = new SealedFileWriter(files.create(), name, rowsMax())) {
            write(out);
            made = out.finish();
        } catch (Throwable e) {
            met = e;
        }
        if (base != null) {
            base.release();
        }
        ended(made, met);
        done.countDown();
    }

    private long rowsMax() {
        return cells.stream().mapToLong(Cell.Frozen::rows).sum() + (base == null ? 0 : base.rows());
    }

    private void write(SealedFileWriter out) throws IOException {
        SealedRows sealed = base == null ? null : new SealedRows(base, fromCell * Cell.MICROS);
        IdRow old = new IdRow();
        boolean more = nextOld(sealed, old);
        IdRow row = new IdRow();
        for (Cell.Frozen cell : cells) {
            SortedRows rows = new SortedRows(cell);
            while (rows.next(row)) {
                int order = more ? compare(old, row) : 1;
                while (order < 0) {
                    out.add(old);
                    more = nextOld(sealed, old);
                    order = more ? compare(old, row) : 1;
                }
                if (more && order == 0) {
                    more = nextOld(sealed, old);
                }
                if (row.owner != Cell.GRAVE) {
                    out.add(row);
                }
            }
        }
        while (more) {
            out.add(old);
            more = nextOld(sealed, old);
        }
    }

    private boolean nextOld(@Nullable SealedRows sealed, IdRow into) throws IOException {
        if (sealed == null) {
            return false;
        }
        boolean more = sealed.next(into);
        while (more && into.cell() < fromCell) {
            more = sealed.next(into);
        }
        return more;
    }

    private static int compare(IdRow one, IdRow other) {
        return IdRow.compare(
                one.micros,
                one.serverHigh,
                one.serverLow,
                one.process,
                other.micros,
                other.serverHigh,
                other.serverLow,
                other.process);
    }

    private synchronized void ended(@Nullable SealedFile made, @Nullable Throwable met) {
        result = made;
        failure = met;
        if (abandoned && made != null) {
            made.release();
        }
    }

    boolean isDone() {
        return done.getCount() == 0;
    }

    /** Waits for its end, or does it here if nobody has begun it. */
    void finish() {
        run();
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

    /** Only once it is done. */
    synchronized boolean succeeded() {
        return result != null;
    }

    /** What it has written. Only once it has succeeded. */
    synchronized SealedFile file() {
        return Objects.requireNonNull(result);
    }

    /** Only once it is done and has no result. */
    synchronized @Nullable Throwable failure() {
        return failure;
    }

    /** Nobody wants its file any more. */
    synchronized void abandon() {
        if (begun.compareAndSet(false, true) && base != null) {
            base.release();
        }
        abandoned = true;
        if (result != null) {
            result.release();
        }
    }
}
