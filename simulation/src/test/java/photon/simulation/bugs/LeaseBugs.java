package photon.simulation.bugs;

import java.util.List;

/** Rules of the lease of a dispatcher's state, and of taking a state over. */
final class LeaseBugs {
    private static final String LEASE = "storage/src/main/java/photon/storage/lease/";
    private static final String SEGMENTS =
            "storage/src/main/java/photon/storage/journal/SegmentLog.java";
    private static final String STATE = DispatcherBugs.FLOW + "StateFiles.java";
    private static final String LEASES = LEASE + "PartitionLeases.java";
    private static final String RULE = LEASE + "ShareRule.java";
    private static final String WORK = DispatcherBugs.FLOW + "PartitionWork.java";

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
                                    "what another node holds is taken when that one has not renewed for its term")
                            .edit(RULE, "< before.patienceNanos();", "< 0;"),
                    PlantedBug.below(
                                    "lease-lost-and-not-noticed",
                                    7,
                                    "whoever finds the lease taken over stops")
                            .edit(
                                    LEASES,
                                    "if (mine != null && !standing.isHeldBy(mine.number())) {",
                                    "if (mine != null && standing.version() < 0) {"),
                    PlantedBug.below(
                                    "lease-expired-and-not-noticed",
                                    7,
                                    "whoever cannot renew its entry stops before another one may take over")
                            .edit(
                                    LEASES,
                                    "if (joined && asked - validUntilNanos > 0) {",
                                    "if (joined && asked - validUntilNanos > Long.MAX_VALUE / 2) {"),
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
                                    "if (!named && fileOwner > 0) {"),
                    PlantedBug.below(
                                    "partition-given-back-before-its-work-has-ended",
                                    7,
                                    "a partition is given back when nothing is written there any more")
                            .edit(
                                    LEASES,
                                    "work.end(partition, () -> loop.execute(() -> ended(partition)));",
                                    "work.end(partition, () -> {}); loop.execute(() -> ended(partition));"),
                    PlantedBug.below(
                                    "partition-not-given-back-after-a-failure",
                                    7,
                                    "what could not be given back is given back later")
                            .edit(LEASES, "release(partition); } long asked", "} long asked"),
                    PlantedBug.below(
                                    "partition-of-an-earlier-life-kept",
                                    7,
                                    "a node gives back what an earlier life of it held and it does not take")
                            .edit(RULE, "if (own && !view.held()", "if (!own && !view.held()"),
                    PlantedBug.below(
                                    "partition-beyond-the-share-kept",
                                    7,
                                    "a node gives back what is beyond its share")
                            .edit(
                                    RULE,
                                    "int surplus = mine - shares.most(self);",
                                    "int surplus = mine - view.leases().size();"),
                    PlantedBug.below(
                                    "partition-of-a-dead-node-left",
                                    7,
                                    "what a node held that is not live is free")
                            .edit(
                                    RULE,
                                    "if (live.containsKey(holder)) {",
                                    "if (!holder.isEmpty()) {"),
                    PlantedBug.below(
                                    "log-in-another-partition-on-each-machine",
                                    7,
                                    "all machines put a log into the same partition")
                            .edit(
                                    "storage/src/main/java/photon/storage/tail/LogPartition.java",
                                    "key.substring(key.lastIndexOf(DEVICE_END) + 1);",
                                    "key;"),
                    PlantedBug.below(
                                    "partition-of-a-lost-state-worked-on",
                                    7,
                                    "before a partition is worked on, the registry must still have its state registered")
                            .edit(WORK, "} else if (same) {", "} else if (same || answered) {"),
                    PlantedBug.below(
                                    "end-of-a-partition-forgotten-that-begins",
                                    7,
                                    "a partition that shall be given back while its work begins is given back")
                            .edit(
                                    WORK,
                                    "opening.remove(partition); ended.run();",
                                    "opening.remove(partition);"),
                    PlantedBug.below(
                                    "state-divided-anew", 7, "a state stays divided as it was made")
                            .edit(
                                    DispatcherBugs.DISPATCHER + "StateEntrance.java",
                                    "return StatePartitions.read(files, home.path(identity));",
                                    "StatePartitions.read(files, home.path(identity)); return new StatePartitions(home.path(identity), count);"));
}
