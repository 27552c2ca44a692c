package photon.simulation.bugs;

import static photon.simulation.bugs.Check.BUG;
import static photon.simulation.bugs.Check.FILES;
import static photon.simulation.bugs.Check.I2;
import static photon.simulation.bugs.Check.I3;
import static photon.simulation.bugs.Check.I6;

import java.util.List;

/** Rules of the dispatcher and its journal. */
final class DispatcherBugs {
    static final String DISPATCHER = "dispatcher/src/main/java/photon/dispatcher/";
    static final String FLOW = DISPATCHER + "flow/";
    static final String RULES = DISPATCHER + "rules/";

    private static final String JOURNAL = "storage/src/main/java/photon/storage/journal/";
    private static final String DOCUMENT =
            "storage/src/main/java/photon/storage/document/VersionedDocument.java";
    private static final String STATE = FLOW + "StateFiles.java";
    private static final String POLICY = RULES + "RetryPolicy.java";
    private static final String TRACKER = RULES + "OffsetTracker.java";

    private DispatcherBugs() {}

    static final List<PlantedBug> ALL =
            List.of(
                    PlantedBug.of(
                                    "offset-past-an-unjournalled-event",
                                    7,
                                    "an offset passes an event when its row is durable",
                                    I2,
                                    I3,
                                    I6)
                            .edit(
                                    FLOW + "Settler.java",
                                    "retry.attemptOpen())); } filling.whenDurable.add(done);",
                                    "retry.attemptOpen())); } done.run();"
                                            + " filling.whenDurable.add(() -> {});"),
                    PlantedBug.of(
                                    "offset-passes-a-gap",
                                    7,
                                    "an offset passes only what is done before it",
                                    I2,
                                    I3)
                            .edit(
                                    TRACKER,
                                    "finished = true;",
                                    "finished = true; tracker.finishedTo ="
                                            + " Math.max(tracker.finishedTo, endOffset);"),
                    PlantedBug.of(
                                    "sent-before-a-checkpoint-names-its-file",
                                    7,
                                    "no event is sent before a checkpoint names its file",
                                    I2)
                            .edit(
                                    FLOW + "UnnamedFiles.java",
                                    "if (named.contains(file)) {",
                                    "if (file >= 0) {"),
                    PlantedBug.of(
                                    "gated-for-too-long-and-forgotten",
                                    7,
                                    "an event that the event store is waited for goes on after a"
                                            + " while",
                                    I2)
                            .edit(
                                    FLOW + "GatedEvents.java",
                                    "all.remove(); passed.accept(next.pending());",
                                    "all.remove(); if (waited <"
                                            + " FrontierGate.WAIT_MAX.toNanos()) {"
                                            + " passed.accept(next.pending()); }"),
                    PlantedBug.of(
                                    "a-hint-in-place-of-a-row",
                                    7,
                                    "a row is durable before a hint is waited for",
                                    I2,
                                    I3)
                            .edit(
                                    FLOW + "Flow.java",
                                    "settler.retry(pending, retry, () -> waits(pending, retry));",
                                    "if (retry.forPrimary()) { waits(pending, retry); } else {"
                                            + " settler.retry(pending, retry, () -> done(pending));"
                                            + " }"),
                    PlantedBug.of(
                                    "journal-row-not-synced",
                                    7,
                                    "a row is synced before a checkpoint passes its event",
                                    I2,
                                    I3)
                            .edit(
                                    JOURNAL + "SegmentLog.java",
                                    "file.write(content, 0, content.length); file.sync();",
                                    "file.write(content, 0, content.length); file.flush();"),
                    PlantedBug.of(
                                    "ledger-not-synced",
                                    7,
                                    "what stands for an event in the ledger is synced first",
                                    I3)
                            .edit(FLOW + "JournalWriter.java", "state.ledger().sync();", ""),
                    PlantedBug.of(
                                    "document-name-not-synced",
                                    7,
                                    "a new version of the checkpoint, or of the journal's manifest,"
                                            + " is durable before the one before it goes",
                                    I2,
                                    I3,
                                    FILES)
                            .edit(DOCUMENT, "files.syncDirectory(directory);", ""),
                    PlantedBug.of(
                                    "journal-segment-name-not-synced",
                                    7,
                                    "a journal's segment is durable before a row is (and so is its"
                                            + " manifest)",
                                    I2,
                                    I3,
                                    FILES)
                            .edit(
                                    JOURNAL + "SegmentLog.java",
                                    "files.syncDirectory(directory); segments.add(next);",
                                    "segments.add(next);")
                            .edit(
                                    DOCUMENT,
                                    "files.syncDirectory(directory);",
                                    "if (!directory.endsWith(\"/journal\")) {"
                                            + " files.syncDirectory(directory); }"),
                    PlantedBug.of(
                                    "ledger-segment-name-not-synced",
                                    7,
                                    "a ledger's segment is durable before its entries count",
                                    I3)
                            .edit(
                                    "storage/src/main/java/photon/storage/ledger/Ledger.java",
                                    "files.syncDirectory(names.path());",
                                    ""),
                    PlantedBug.of(
                                    "take-over-without-sealing-the-journal",
                                    7,
                                    "a take-over seals the old owner's segments (and a stalled owner"
                                            + " does not look whether it is one)",
                                    I2,
                                    I3,
                                    BUG)
                            .edit(
                                    JOURNAL + "SegmentLog.java",
                                    "open ? JournalManifest.OPEN : segment.bytes));",
                                    "open || segment.number > 0 ? JournalManifest.OPEN :"
                                            + " segment.bytes));")
                            .edit(
                                    STATE,
                                    "if (!document.isNewest(version)) {",
                                    "if (version < 0) {"),
                    PlantedBug.of(
                                    "positions-file-not-synced",
                                    7,
                                    "a file of all positions is durable before a checkpoint names it",
                                    I2,
                                    I3,
                                    FILES,
                                    BUG)
                            .edit(
                                    "storage/src/main/java/photon/storage/tail/PositionsCodec.java",
                                    "file.write(bytes, 0, bytes.length); file.sync();",
                                    "file.write(bytes, 0, bytes.length); file.flush();"),
                    PlantedBug.of(
                                    "take-over-without-claim",
                                    7,
                                    "a start claims the checkpoint with a higher owner number",
                                    I2,
                                    I3)
                            .edit(
                                    STATE,
                                    "write(document, version, content, checkpointDirectory);",
                                    "")
                            .edit(
                                    STATE,
                                    "version + 1, checkpoints, claimed,",
                                    "version, checkpoints, claimed,"),
                    PlantedBug.of(
                                    "stalled-owners-checkpoint-accepted",
                                    7,
                                    "a stalled owner's checkpoint is refused",
                                    I2,
                                    I3)
                            .edit(
                                    STATE,
                                    "if (!document.write(version, content)) {",
                                    """
                                    long at = version;
                                    while (at < version + 1_000
                                            && !document.write(at, content)) {
                                        at++;
                                    }
                                    if (at == version + 1_000) {
                                    """),
                    PlantedBug.of(
                                    "cleaned-segment-dropped-with-its-rows",
                                    7,
                                    "a journal's rows are copied before their segment is dropped",
                                    I2,
                                    I3,
                                    FILES)
                            .edit(
                                    JOURNAL + "OpenJournal.java",
                                    "if (batch.size() > COPY_BYTES_MAX) {",
                                    "if (batch.size() > 0) { batch.reset(); } if (batch.size() > COPY_BYTES_MAX) {"),
                    PlantedBug.of(
                                    "torn-journal-not-cut",
                                    7,
                                    "a torn tail of the journal is cut",
                                    I2,
                                    I3,
                                    FILES)
                            .edit(
                                    JOURNAL + "JournalSegmentReader.java",
                                    "at < bytes.length && (!open || BatchFrame.anyBehind(bytes, at));",
                                    "at < bytes.length;"),
                    PlantedBug.of(
                                    "stagger-advances-the-offset",
                                    7,
                                    "a held event's offset is not advanced",
                                    I2,
                                    I3)
                            .edit(
                                    TRACKER,
                                    "check(!finished, \"Expected one finish of the range that ends at %s\", endOffset);",
                                    "if (finished) { return 0; }")
                            .edit(
                                    FLOW + "Intake.java",
                                    "hold.add(pending, loop.nanoTime() + delay.toNanos());",
                                    "hold.add(pending, loop.nanoTime() + delay.toNanos()); if"
                                            + " (pending.range != null) { ranges -="
                                            + " pending.range.finish(); }"),
                    PlantedBug.of("unlimited-hold", 7, "events are held in bounded memory", I6)
                            .edit(
                                    RULES + "IntakeRoom.java",
                                    "Math.max(0, bounds.heldMax() - all.held()) - all.waiting(),",
                                    "bounds.heldMax() - all.waiting(),"),
                    PlantedBug.of("miss-is-final", 7, "a miss is never final", I2, I3)
                            .edit(
                                    POLICY,
                                    "waiting(state, nowMillis, boundaryMicros, meansBehind(status, reason));",
                                    "new Enter(LedgerEntry.Kind.DEAD_LETTER, \"no primary\");"),
                    PlantedBug.of(
                                    "waiting-counts-as-failing",
                                    7,
                                    "waiting for the primary event has no count",
                                    I2,
                                    I3)
                            .edit(
                                    POLICY,
                                    "waiting(state, nowMillis, boundaryMicros, meansBehind(status, reason));",
                                    "failed(state, status, reason, boundaryMicros);"),
                    PlantedBug.below(
                                    "skipped-without-an-entry",
                                    7,
                                    "each event that a reset skips is in the ledger before the checkpoint passes it")
                            .edit(
                                    FLOW + "StateReset.java",
                                    "for (FileReset file : forward) {",
                                    "for (FileReset file : List.<FileReset>of()) {"),
                    PlantedBug.below(
                                    "reset-of-another-checkpoint",
                                    7,
                                    "a reset changes only the checkpoint of which its plan was made")
                            .edit(
                                    FLOW + "StateReset.java",
                                    "if (!new HashSet<>(before).equals(new HashSet<>(planned.positions()))) {",
                                    "if (before.size() > planned.positions().size()) {"));
}
