package photon.idregistry.table;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Chooses what to seal: what frees much of what a table takes. */
final class SealChoice {
    private SealChoice() {}

    /**
     * The oldest cells of the memory tier, or, where late ids take more than these, the fattest
     * overlay and its file.
     *
     * @param epoch of what is changed from now on
     */
    static SealJob choose(
            Cells memory,
            List<SealedSpan> spans,
            long border,
            long fromCell,
            long index,
            int epoch,
            TableHome home) {
        SealedSpan fattest = null;
        long overlays = 0;
        for (SealedSpan span : spans) {
            overlays += span.overlay.bytes();
            if (fattest == null || span.overlay.bytes() > fattest.overlay.bytes()) {
                fattest = span;
            }
        }
        if (fattest != null && overlays > memory.bytes()) {
            SealedSpan.Name old = fattest.name();
            return new SealJob(
                    new SealedSpan.Name(old.from(), old.to(), index),
                    fattest.file.retain(),
                    fattest.overlay.frozen(0, Long.MAX_VALUE),
                    fromCell,
                    new Cells(epoch),
                    home.files());
        }
        List<Cell.Frozen> oldest = oldest(memory);
        long to = oldest.isEmpty() ? border : oldest.get(oldest.size() - 1).number() + 1;
        return new SealJob(
                new SealedSpan.Name(border, to, index),
                null,
                oldest,
                fromCell,
                new Cells(epoch),
                home.files());
    }

    /** At least half of it; but the newest cell, which is the busiest, only if it is alone. */
    private static List<Cell.Frozen> oldest(Cells memory) {
        List<Cell.Frozen> chosen = new ArrayList<>();
        long bytes = 0;
        @Nullable Cell cell = memory.atOrAfter(0);
        while (cell != null && bytes < memory.bytes() / 2) {
            Cell next = memory.atOrAfter(cell.number + 1);
            if (next == null && !chosen.isEmpty()) {
                break;
            }
            chosen.add(cell.freeze());
            bytes += cell.bytes();
            cell = next;
        }
        return chosen;
    }
}
