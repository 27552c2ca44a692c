package photon.simulation.bugs;

import java.util.List;

/** Rules of the lease of a dispatcher's state, and of taking a state over. */
final class LeaseBugs {
    private static final String LEASE = "storage/src/main/java/photon/storage/lease/";
    private static final String SEGMENTS =
            "storage/src/main/java/photon/storage/journal/SegmentLog.java";
    private static final String STATE = DispatcherBugs.FLOW + "StateFiles.java";
    private static final String STATE_LEASE = DispatcherBugs.DISPATCHER + "lease/StateLease.java";

    private LeaseBugs() {}

    static final List<PlantedBug> ALL =
            List.of(
                    PlantedBug.below(
                                    "lease-number-given-twice",
                                    7,
                                    "each taking of a lease has a number of its own, also over a version that is damaged")
                            .edit(
                                    LEASE + "LeaseDocument.java",
                                    "Math.max(seen.version(), Math.max(above, numberOf(seen))) + 1;",
                                    "Math.max(above, numberOf(seen)) + 1;"),
                    PlantedBug.below(
                                    "lease-number-below-an-owner",
                                    7,
                                    "a lease's number is above that of each owner before")
                            .edit(
                                    LEASE + "LeaseDocument.java",
                                    "Math.max(seen.version(), Math.max(above, numberOf(seen))) + 1;",
                                    "Math.max(seen.version(), numberOf(seen)) + 1;"),
                    PlantedBug.below(
                                    "lease-not-waited-for",
                                    7,
                                    "a lease that another holds is taken when it has stood for its term")
                            .edit(
                                    LEASE + "TakeOverRule.java",
                                    "return left <= 0",
                                    "return left <= termNanos"),
                    PlantedBug.below(
                                    "lease-lost-and-not-noticed",
                                    7,
                                    "whoever finds the lease taken over stops")
                            .edit(
                                    STATE_LEASE,
                                    "if (!standing.isHeldBy(held.number())) {",
                                    "if (standing.version() < 0) {"),
                    PlantedBug.below(
                                    "lease-expired-and-not-noticed",
                                    7,
                                    "whoever cannot renew stops before another one may take over")
                            .edit(
                                    STATE_LEASE,
                                    "if (asked - validUntilNanos > 0) {",
                                    "if (asked - validUntilNanos > Long.MAX_VALUE / 2) {"),
                    PlantedBug.below(
                                    "late-number-claims-the-checkpoint",
                                    7,
                                    "whoever comes with a lower number than the owner's claims nothing")
                            .edit(STATE, "if (standing >= number) {", "if (standing < 0) {"),
                    PlantedBug.below(
                                    "journal-read-before-the-claim",
                                    7,
                                    "the checkpoint is claimed before the journal is read")
                            .edit(
                                    STATE,
                                    "write(document, version, content, checkpointDirectory); OpenJournal journal = openJournal(files, state, claimed.owner(), segmentBytesMax);",
                                    "OpenJournal journal = openJournal(files, state, claimed.owner(), segmentBytesMax); write(document, version, content, checkpointDirectory);"),
                    PlantedBug.below(
                                    "journal-read-once-though-it-changes",
                                    7,
                                    "if a segment goes while the journal is read, it is read again")
                            .edit(STATE, "if (i == JOURNAL_TRIES) {", "if (i > 0) {"),
                    PlantedBug.below(
                                    "segments-of-a-later-owner-deleted",
                                    7,
                                    "an owner deletes no segment of a later one")
                            .edit(
                                    SEGMENTS,
                                    "if (!named && fileOwner > 0 && fileOwner <= owner) {",
                                    "if (!named && fileOwner > 0) {"));
}
