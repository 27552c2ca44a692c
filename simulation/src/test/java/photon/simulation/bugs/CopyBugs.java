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
                                    "&& !copied.contains(new Log(file.key, file.prefix.hash()))",
                                    ""));
}
