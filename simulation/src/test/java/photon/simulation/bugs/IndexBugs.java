package photon.simulation.bugs;

import static photon.simulation.bugs.Check.BUG;
import static photon.simulation.bugs.Check.I2;

import java.util.List;

/** Rules of the event store's log index, and of its retention. */
final class IndexBugs {
    private static final String EVENT_STORE = "eventstore/src/main/java/photon/eventstore/";
    private static final String INDEX = EVENT_STORE + "index/";
    private static final String FILE_LOG_INDEX = INDEX + "FileLogIndex.java";
    private static final String PART_WRITER = INDEX + "PartWriter.java";

    private IndexBugs() {}

    private static PlantedBug bug(String name, String rule) {
        return PlantedBug.of(name, PlantedBug.LOG_INDEX, rule, I2, BUG);
    }

    private static PlantedBug below(String name, String rule) {
        return PlantedBug.below(name, PlantedBug.LOG_INDEX, rule);
    }

    static final List<PlantedBug> ALL =
            List.of(
                    below(
                                    "positions-before-their-events",
                                    "events and positions of a batch are there together or not at"
                                            + " all")
                            .edit(
                                    FILE_LOG_INDEX,
                                    "long[] at = append(events);",
                                    "writer.commit(Commit.positions(batch.positions()));"
                                            + " long[] at = append(events);"),
                    bug(
                                    "rows-without-a-part-not-read",
                                    "a start reads the rows of segments that no part stands for")
                            .edit(INDEX + "IndexRecovery.java", "table.putAll(rows);", ""),
                    bug("merge-loses-an-input", "a merged part has the rows of all its inputs")
                            .edit(
                                    INDEX + "MergedRows.java",
                                    "if (rows.next()) {",
                                    "if (rows.next() && open.size() < parts.size() - 1) {"),
                    below(
                                    "older-event-of-a-key-found-first",
                                    "of two events with one key the later one is found")
                            .edit(
                                    INDEX + "IndexView.java",
                                    "for (int i = parts.size() - 1; i >= 0 && position == 0; i--) {",
                                    "for (int i = 0; i < parts.size() && position == 0; i++) {"),
                    below(
                                    "older-event-of-a-key-kept-in-a-merge",
                                    "of two events with one key a merge keeps the later one")
                            .edit(
                                    INDEX + "MergedRows.java",
                                    "position = Math.max(position, rows.position);",
                                    "position = rows.position;"),
                    below(
                                    "batches-behind-damage-count",
                                    "no batch counts that stands behind damage in the last"
                                            + " segment")
                            .edit(
                                    INDEX + "SegmentReader.java",
                                    "cut = \"the bytes from offset \" + item.offset() + \" on are"
                                            + " not what was written\"; return null;",
                                    "continue;"),
                    below(
                                    "found-at-a-start-and-not-durable",
                                    "what a start has found survives a power cut")
                            .edit(
                                    INDEX + "SegmentWriter.java",
                                    "void publish() throws IOException { out.sync();",
                                    "void publish() throws IOException { out.flush();"),
                    below("missing-segment-unnoticed", "a segment that is missing or cut is damage")
                            .edit(
                                    INDEX + "IndexRecovery.java",
                                    "if (bytes == null || bytes != segment.bytes()) {",
                                    "if (bytes != null && bytes != segment.bytes()) {"),
                    below(
                                    "table-forgotten-before-its-part",
                                    "a full table is looked through until its part is in place")
                            .edit(
                                    INDEX + "IndexContents.java",
                                    "new RecentTable(), full, view.parts()",
                                    "new RecentTable(), null, view.parts()"),
                    below(
                                    "second-table-frozen-over-the-first",
                                    "no table is frozen before the one before it is sealed")
                            .edit(
                                    FILE_LOG_INDEX,
                                    "upkeep.awaitSealed(); RecentTable full",
                                    "RecentTable full"),
                    below(
                                    "part-named-before-it-is-durable",
                                    "a part has its name once its bytes are durable")
                            .edit(
                                    PART_WRITER,
                                    "out.sync(); out.close();",
                                    "out.flush(); out.close();"),
                    below(
                                    "name-of-a-part-not-synced",
                                    "the name of a part is durable before it is in place")
                            .edit(
                                    PART_WRITER,
                                    "IndexNames.part(range)); files.syncDirectory(directory);",
                                    "IndexNames.part(range));"),
                    below(
                                    "changed-part-is-believed",
                                    "a part that the disk has changed is an error, and no absence")
                            .edit(
                                    INDEX + "PartFile.java",
                                    "if (read.getInt(at) != PartFormat.crc(crc, into, at, block + i)"
                                            + " || rowsHere <= 0",
                                    "if (rowsHere <= 0"),
                    below(
                                    "deleted-part-is-absence",
                                    "a lookup whose part is merged away meanwhile looks again")
                            .edit(
                                    FILE_LOG_INDEX,
                                    "if (contents.isCurrent(view)) { throw failure(\"Cannot read\", e);"
                                            + " }",
                                    "return Arrays.asList(new @Nullable Event[wanted.size()]);"),
                    below(
                                    "segment-deleted-before-its-drop-is-durable",
                                    "that a segment is dropped is durable before its file goes")
                            .edit(
                                    FILE_LOG_INDEX,
                                    "writer.commit(Commit.drop(old)); writer.sync();",
                                    "writer.commit(Commit.drop(old));"),
                    below(
                                    "segment-as-old-as-its-last-batch",
                                    "only a segment whose newest event is old is dropped")
                            .edit(
                                    INDEX + "SegmentStat.java",
                                    "Math.max(newestMicros, micros)",
                                    "micros == Long.MIN_VALUE ? newestMicros : micros"),
                    below(
                                    "primary-events-kept-for-one-retention",
                                    "primary events are kept for twice the retention")
                            .edit(
                                    EVENT_STORE + "tail/IndexRetention.java",
                                    "index.expire(oldestForeign - kept)",
                                    "index.expire(oldestForeign)"),
                    below(
                                    "dropped-before-a-repair-has-joined-it",
                                    "what an outstanding repair may join is kept")
                            .edit(
                                    EVENT_STORE + "tail/IndexRetention.java",
                                    "Math.min(boundary, clock.now().earliestMicros() - kept)",
                                    "clock.now().earliestMicros() - kept"),
                    below(
                                    "boundary-not-passed-on",
                                    "nothing is dropped before a boundary was heard of")
                            .edit(
                                    EVENT_STORE + "tail/IndexRetention.java",
                                    "clock.state().synchronised() && boundary != Long.MIN_VALUE",
                                    "clock.state().synchronised()"),
                    below(
                                    "one-event-from-the-future-keeps-its-segment",
                                    "no event counts as newer than the time at which it was read")
                            .edit(
                                    EVENT_STORE + "index/FileLogIndex.java",
                                    "Math.min(newestMicros(events), batch.newestMicros())",
                                    "newestMicros(events)"),
                    below(
                                    "dropped-by-a-clock-that-may-be-wrong",
                                    "nothing is dropped while the clock is not known to be right")
                            .edit(
                                    EVENT_STORE + "tail/IndexRetention.java",
                                    "clock.state().synchronised() && boundary != Long.MIN_VALUE",
                                    "boundary != Long.MIN_VALUE"));
}
