package photon.simulation.bugs;

import java.util.List;

/** Rules of what lies on disk since memory has no room for it: waiting rows, and runs of ids. */
final class SpillBugs {
    private static final String JOURNAL = "storage/src/main/java/photon/storage/journal/";
    private static final String RUNS = "verifier/src/main/java/photon/verifier/runs/";

    private SpillBugs() {}

    static final List<PlantedBug> ALL =
            List.of(
                    PlantedBug.below(
                                    "rows-in-the-order-in-which-they-came",
                                    7,
                                    "rows are taken in the order in which they are due")
                            .edit(
                                    JOURNAL + "DueOrder.java",
                                    "return oneDue != otherDue ?",
                                    "return oneDue < 0 && oneDue != otherDue ?"),
                    PlantedBug.below(
                                    "older-update-of-a-row-counts",
                                    7,
                                    "of two updates of a row the later one counts, in whatever"
                                            + " order they are read")
                            .edit(
                                    JOURNAL + "RowIndex.java",
                                    "if (row != ABSENT && update.version() >= version(row)) {",
                                    "if (row != ABSENT) {"),
                    PlantedBug.below(
                                    "row-deleted-that-was-put-again",
                                    7,
                                    "a delete that is read counts only for the version that it"
                                            + " names")
                            .edit(
                                    JOURNAL + "RowIndex.java",
                                    "if (row != ABSENT && version(row) == delete.version()) {",
                                    "if (row != ABSENT) {"),
                    PlantedBug.below(
                                    "changed-run-is-believed",
                                    6,
                                    "a run of ids that the disk has changed is an error, and no"
                                            + " absence")
                            .edit(
                                    RUNS + "ScratchFile.java",
                                    "if (written != length || sum != (int) crc.getValue()) {",
                                    "if (written != length) {"));
}
