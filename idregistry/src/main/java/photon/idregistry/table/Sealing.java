package photon.idregistry.table;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Chooses what to seal: whatever frees about half of what a table takes. */
final class Sealing {
    private Sealing() {}

    /** False if nearly all that it takes is the indexes of sealed files, which stays. */
    static boolean worthwhile(Cells memory, List<SealedSpan> spans) {
        long overlays = spans.stream().mapToLong(span -> span.overlay.bytes()).sum();
        long indexes = spans.stream().mapToLong(span -> span.file.bytes()).sum();
        return memory.bytes() + overlays > indexes / 4;
    }

    /**
     * The oldest cells of the memory tier, or, where late ids have made an overlay fat, that one
     * and its file.
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
        for (SealedSpan span : spans) {
            if (fattest == null || span.overlay.bytes() > fattest.overlay.bytes()) {
                fattest = span;
            }
        }
        if (fattest != null && fattest.overlay.bytes() > memory.bytes() / 2) {
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
