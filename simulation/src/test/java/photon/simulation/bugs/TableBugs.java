package photon.simulation.bugs;

import static photon.simulation.bugs.Check.BUG;
import static photon.simulation.bugs.Check.I1;
import static photon.simulation.bugs.Check.I2;
import static photon.simulation.bugs.Check.I3;
import static photon.simulation.bugs.Check.REPLICAS;

import java.util.List;

/** Rules of the table of ids, whose older ones lie in files. */
final class TableBugs {
    private static final String TABLE = "idregistry/src/main/java/photon/idregistry/table/";
    private static final String SPAN = TABLE + "SealedSpan.java";
    private static final String JOB = TABLE + "SealJob.java";
    private static final String ID_TABLE = TABLE + "IdTable.java";

    private TableBugs() {}

    private static PlantedBug bug(String name, String rule) {
        return PlantedBug.of(name, PlantedBug.ID_TABLE, rule, REPLICAS, I1, I2, I3, BUG);
    }

    static final List<PlantedBug> ALL =
            List.of(
                    bug("overlay-hides-the-file", "what the overlay does not say, the file does")
                            .edit(
                                    SPAN,
                                    ": file.find(row, reader);",
                                    ": overlay.get(row.cell()) == null && file.find(row,"
                                            + " reader);"),
                    bug("file-read-before-the-overlay", "the overlay is read first, its graves too")
                            .edit(
                                    SPAN,
                                    "return findInOverlay(row) ?",
                                    "return file.find(row, reader) || findInOverlay(row) ?"),
                    bug("filter-lacks-some", "the filter lets all through that the file holds")
                            .edit(
                                    TABLE + "SealedFileWriter.java",
                                    "hashesHere[rowsHere++] = row.hash;",
                                    "hashesHere[rowsHere++] = rows % 5 != 0 ? row.hash : 0;"),
                    bug("removed-in-memory-only", "a removal reaches ids that lie in a file")
                            .edit(
                                    SPAN,
                                    "bury(overlay, row, index);",
                                    "overlay.remove(row, index);"),
                    bug(
                                    "inserts-while-sealing-dropped",
                                    "what is inserted while its bucket is sealed goes to the"
                                            + " overlay")
                            .edit(
                                    TABLE + "Sealer.java",
                                    "SealedSpan.put(now.delta, row, index);",
                                    ""),
                    bug(
                                    "removals-while-sealing-dropped",
                                    "what is removed while its bucket is sealed goes to the"
                                            + " overlay")
                            .edit(
                                    TABLE + "Sealer.java",
                                    "SealedSpan.bury(now.delta, row, index);",
                                    ""),
                    bug(
                                    "bucket-dropped-before-the-file",
                                    "the file comes into use and the bucket goes in one step")
                            .edit(
                                    ID_TABLE,
                                    "sealer.begin(job);",
                                    "sealer.begin(job); if (job.base == null) { border ="
                                            + " job.name.to(); cells.dropBelow(border); }"),
                    bug("overlay-lost-in-a-merge", "a merged file holds the overlay, too")
                            .edit(
                                    JOB,
                                    "if (row.owner != Cell.GRAVE) {",
                                    "if (row.owner != Cell.GRAVE && base == null) {"),
                    bug("graves-lost-in-a-merge", "a merged file lacks what was removed")
                            .edit(
                                    JOB,
                                    "if (more && order == 0) {",
                                    "if (more && order == 0 && row.owner != Cell.GRAVE) {"),
                    bug(
                                    "restored-over-the-live-table",
                                    "a snapshot replaces the live table, it is not added to it")
                            .edit(
                                    ID_TABLE,
                                    "throws IOException { clear(newBoundaryMicros, atIndex);",
                                    "throws IOException { index = atIndex; boundaryMicros ="
                                            + " newBoundaryMicros; fromCell ="
                                            + " Cell.of(newBoundaryMicros);"));
}
