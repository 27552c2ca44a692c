package photon.idregistry.table;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One table's file that is being written, and what changes under it meanwhile. The changes are made
 * in the tier where the cells still are, too: if the file cannot be written, nothing was lost, and
 * it is tried again.
 */
final class Sealer {
    private static final Logger LOG = LoggerFactory.getLogger(Sealer.class);

    /** A minute, about. */
    private static final int IDLE_LOOKS_TO_REST = 600;

    private final TableHome home;
    private @Nullable SealJob job;
    private long failures;

    /** After a failure: not before the table takes so much, */
    private long tryAgainBytes;

    /** or, if it gets no entries, was looked after so often. */
    private int idleLooksToRest;

    Sealer(TableHome home) {
        this.home = home;
    }

    long failures() {
        return failures;
    }

    /** Whether it is time to seal something. */
    boolean mayBegin(long tableBytes) {
        return job == null && tableBytes >= tryAgainBytes && home.budget().exceededBy(tableBytes);
    }

    void begin(SealJob chosen) {
        job = chosen;
        home.sealing().execute(chosen);
    }

    /** An id was given to the row's token. */
    void put(IdRow row, long index) {
        SealJob now = job;
        if (now != null && now.covers(row.cell())) {
            SealedSpan.put(now.delta, row, index);
            now.deltaChangedAt = index;
        }
    }

    /** An id was taken from the holder that the row was told. */
    void bury(IdRow row, long index) {
        SealJob now = job;
        if (now != null && now.covers(row.cell())) {
            SealedSpan.bury(now.delta, row, index);
            now.deltaChangedAt = index;
        }
    }

    /**
     * The job whose file is to come into use now; null if there is none. Waits for it if far too
     * much is used.
     *
     * @throws UncheckedIOException if a file is damaged, or one that was waited for could not be
     *     written
     */
    @Nullable SealJob poll(long tableBytes) {
        SealJob now = job;
        if (now == null) {
            return null;
        }
        boolean pressed = home.budget().farExceededBy(tableBytes);
        boolean waited = pressed && !now.isDone();
        if (waited) {
            now.finish();
        }
        return now.isDone() ? ended(now, waited, pressed ? 0 : tableBytes + tableBytes / 16) : null;
    }

    /**
     * {@link #poll} between entries: waits for no file, and throws nothing. If a file is damaged,
     * the next entry stops this replica.
     */
    @Nullable SealJob pollIdle(long tableBytes) {
        SealJob now = job;
        if (now == null && idleLooksToRest > 0 && --idleLooksToRest == 0) {
            tryAgainBytes = 0;
        }
        if (now == null || !now.isDone()) {
            return null;
        }
        boolean leftToEntry =
                !now.succeeded()
                        && (!(now.failure() instanceof IOException)
                                || now.failure() instanceof DamagedFileException);
        return leftToEntry ? null : ended(now, false, tableBytes + tableBytes / 16);
    }

    private @Nullable SealJob ended(SealJob now, boolean waited, long tryAgainFrom) {
        job = null;
        if (now.succeeded()) {
            tryAgainBytes = 0;
            return now;
        }
        failed(Objects.requireNonNull(now.failure()), waited);
        tryAgainBytes = tryAgainFrom;
        idleLooksToRest = IDLE_LOOKS_TO_REST;
        return null;
    }

    private void failed(Throwable failure, boolean waited) {
        failures++;
        LOG.warn(
                "Ids stay in memory, since their file could not be written: {}",
                failure.toString());
        if (failure instanceof IOException e) {
            if (waited || e instanceof DamagedFileException) {
                throw new UncheckedIOException(e);
            }
        } else {
            throw new IllegalStateException("Sealing has failed", failure);
        }
    }

    void abandon() {
        SealJob now = job;
        job = null;
        if (now != null) {
            now.abandon();
        }
    }
}
