package photon.storage.journal;

import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import photon.storage.document.VersionedDocument;
import photon.storage.files.FileStore;

/** Reads a retry journal, for the books and the reports. */
public final class RetryJournal {
    private RetryJournal() {}

    /**
     * Every row of the journal in this directory, in no order; a torn tail is cut. No writer may be
     * at work. Nothing if there is no journal.
     *
     * @throws IOException if it is damaged where no crash can have torn it
     */
    public static void forEachRow(FileStore files, String directory, Consumer<JournalRow> rows)
            throws IOException {
        if (files.stat(directory) == null) {
            return;
        }
        VersionedDocument manifest =
                new VersionedDocument(files, directory, JournalRecovery.MANIFEST);
        JournalRecovery recovered = JournalRecovery.read(files, directory, manifest, false);
        recovered.applyCarry();
        RowIndex index = recovered.index;
        try {
            for (SegmentState segment : recovered.segments) {
                List<Integer> byPlace = index.inSegment(segment);
                byPlace.sort(Comparator.comparingInt(index::offset));
                for (int row : byPlace) {
                    rows.accept(index.asRow(row, index.event(row)));
                }
            }
        } finally {
            for (SegmentState segment : recovered.segments) {
                segment.close();
            }
        }
    }
}
