package photon.simulation.bugs;

import static photon.simulation.bugs.Check.I2;
import static photon.simulation.bugs.Check.I3;

import java.util.List;

/** Rules of logs that are compressed after they were read. */
final class CopyBugs {
    private static final String TAIL = "storage/src/main/java/photon/storage/tail/";

    private CopyBugs() {}

    static final List<PlantedBug> ALL =
            List.of(
                    PlantedBug.of(
                                    "copy-of-what-is-not-done",
                                    12,
                                    "a compressed log goes on with another one once all that was read of that is done",
                                    I2,
                                    I3)
                            .edit(
                                    TAIL + "CopyCheck.java",
                                    "if (!found.isDone()) {",
                                    "if (waits) {"),
                    PlantedBug.below(
                                    "copy-by-its-first-bytes",
                                    12,
                                    "a compressed log goes on with another one if it begins with all that was read of that")
                            .edit(
                                    TAIL + "CopyCheck.java",
                                    "Integer.valueOf((int) crc.getValue()).equals(read.contentCrc())",
                                    "read.contentCrc() != null"),
                    PlantedBug.below(
                                    "content-behind-a-gap",
                                    12,
                                    "what was read with a gap has no checksum")
                            .edit(
                                    TAIL + "ContentCrc.java",
                                    "if (offset > end) { end = GAP;",
                                    "if (offset > end) { end = offset + length;"),
                    PlantedBug.below(
                                    "reset-log-goes-on-where-it-was",
                                    12,
                                    "where a file's own position says how far it was read, no other log does")
                            .edit(
                                    TAIL + "Copies.java",
                                    "return file.known || comparable.isEmpty()",
                                    "return file.offset > 0 || comparable.isEmpty()"),
                    PlantedBug.below(
                                    "copy-that-has-less-than-was-read",
                                    13,
                                    "a log that was read further than its copy is missed when it goes")
                            .edit(
                                    TAIL + "AbsentFiles.java",
                                    "copied.getOrDefault(Log.of(log), -1L) < log.offset()",
                                    "!copied.containsKey(Log.of(log))"),
                    PlantedBug.below(
                                    "unmatched-though-a-log-cannot-be-read",
                                    13,
                                    "nothing is final while a log is there that cannot be read")
                            .edit(
                                    TAIL + "LogTail.java",
                                    "return absent.inSight() && !failing.keepBack(ends.nowMillis());",
                                    "return absent.inSight();"),
                    PlantedBug.below(
                                    "position-elsewhere-not-synced",
                                    12,
                                    "what another partition's checkpoint says is durable before it is believed")
                            .edit(
                                    "dispatcher/src/main/java/photon/dispatcher/OtherPartitions.java",
                                    "files.syncDirectory(other.checkpoint());",
                                    ""),
                    PlantedBug.of(
                                    "compressed-log-is-missed",
                                    13,
                                    "a log that was compressed is not away",
                                    I2)
                            .edit(
                                    TAIL + "AbsentFiles.java",
                                    "return away.stream().anyMatch(log -> copied.getOrDefault(Log.of(log), -1L) < log.offset());",
                                    "return true;"));
}
