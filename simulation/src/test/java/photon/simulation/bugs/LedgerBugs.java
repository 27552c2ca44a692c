package photon.simulation.bugs;

import static photon.simulation.bugs.Check.I2;
import static photon.simulation.bugs.Check.I3;

import java.util.List;

/** Rules of what retention takes from ledgers. */
final class LedgerBugs {
    private static final String LEDGER = "storage/src/main/java/photon/storage/ledger/";

    private LedgerBugs() {}

    static final List<PlantedBug> ALL =
            List.of(
                    PlantedBug.of(
                                    "ledger-ended-by-its-ids-alone",
                                    8,
                                    "an entry of a ledger stays until the boundary has passed the"
                                            + " time of its writing, too",
                                    I3)
                            .edit(
                                    LEDGER + "LedgerRetention.java",
                                    "Math.max(writtenMicros, written)",
                                    "Long.MIN_VALUE"),
                    PlantedBug.of(
                                    "ledger-ended-by-the-boundary-alone",
                                    8,
                                    "an entry of a ledger stays for its time by the clock of its"
                                            + " daemon, whatever the boundary says",
                                    I3)
                            .edit(
                                    LEDGER + "LedgerAge.java",
                                    "Math.min(boundaryMicros, byOwnClock)",
                                    "boundaryMicros"),
                    PlantedBug.of(
                                    "ledger-ended-by-its-own-clock-alone",
                                    8,
                                    "an entry of a ledger stays until the boundary has passed the"
                                            + " time of its writing, whatever its daemon's clock"
                                            + " says",
                                    I3)
                            .edit(
                                    LEDGER + "LedgerAge.java",
                                    "Math.min(boundaryMicros, byOwnClock)",
                                    "byOwnClock"),
                    PlantedBug.below(
                                    "sums-shared-out-from-the-oldest",
                                    8,
                                    "sums are shared out from the youngest identities on")
                            .edit(
                                    "verifier/src/main/java/photon/verifier/books/LeftSums.java",
                                    "heard.descendingMap()",
                                    "heard"),
                    PlantedBug.of(
                                    "segment-judged-before-it-is-away",
                                    8,
                                    "a segment is judged behind the renaming that its writer looks"
                                            + " for",
                                    I3)
                            .edit(
                                    LEDGER + "LedgerRetention.java",
                                    "Contents all = read(directory.leaving(number), needed);",
                                    "Contents all = before;"),
                    PlantedBug.of(
                                    "writer-goes-on-in-an-ended-segment",
                                    8,
                                    "a writer looks whether its segment still stands when its"
                                            + " entries are synced",
                                    I3)
                            .edit(
                                    LEDGER + "Ledger.java",
                                    "boolean stands = files.stat(names.segment(number)) != null;",
                                    "boolean stands = true;"),
                    PlantedBug.of(
                                    "ledger-removed-before-it-is-summed",
                                    8,
                                    "what a segment had is summed before it goes",
                                    I2)
                            .edit(
                                    LEDGER + "LedgerRetention.java",
                                    "if (directory.write(ended.version(),",
                                    "remove(number); if (directory.write(ended.version(),"),
                    PlantedBug.of(
                                    "write-off-ended-before-its-incarnation",
                                    8,
                                    "a write-off stays until its incarnation is retired",
                                    I3)
                            .edit(
                                    "verifier/src/main/java/photon/verifier/repair/RetiredRecords.java",
                                    ".filter(retired::contains)",
                                    ".filter(holder -> true)"),
                    PlantedBug.of(
                                    "ended-entries-count-for-nothing",
                                    8,
                                    "what ledgers had said counts by sums",
                                    I2)
                            .edit(
                                    "verifier/src/main/java/photon/verifier/books/Bookkeeper.java",
                                    "leftSums.ended(datacenter.name(), ended);",
                                    ""));
}
