package photon.simulation.bugs;

import static photon.simulation.bugs.Check.BUG;
import static photon.simulation.bugs.Check.I1;
import static photon.simulation.bugs.Check.I2;
import static photon.simulation.bugs.Check.I3;

import java.util.List;

/** Rules of events that give several joined events, in several outputs. */
final class SeveralOutputsBugs {
    private static final String PUBLICATION = OutputBugs.OUTPUT + "Publication.java";

    private SeveralOutputsBugs() {}

    static final List<PlantedBug> ALL =
            List.of(
                    PlantedBug.of(
                                    "sealer-names-the-main-output-only",
                                    6,
                                    "whoever finishes a publication names the files of all outputs",
                                    I1,
                                    I2,
                                    I3)
                            .edit(
                                    PUBLICATION,
                                    "for (; named < manifest.published().size(); named++) {",
                                    "for (; named < (mayStand ? 1 : manifest.published().size());"
                                            + " named++) {"),
                    PlantedBug.of(
                                    "published-when-one-output-is",
                                    6,
                                    "a publication is done when the file of each output has its"
                                            + " name",
                                    I1,
                                    I2,
                                    I3)
                            .edit(
                                    OutputBugs.SEALING,
                                    "publication.move(prepared, true);",
                                    """
                                    if (publication.difference(prepared.manifest().published().get(0)) == null) {
                                        publication.discard(prepared);
                                    } else {
                                        publication.move(prepared, true);
                                    }
                                    """),
                    PlantedBug.of(
                                    "folder-of-another-output-not-synced",
                                    6,
                                    "the folder of each output is synced before its work log goes",
                                    I1,
                                    I2,
                                    I3)
                            .edit(
                                    PUBLICATION,
                                    "files.syncDirectory(folder);",
                                    """
                                    if (folder.startsWith(outputDirectory + "/dt=")
                                            || folder.equals(outputDirectory)) {
                                        files.syncDirectory(folder);
                                    }
                                    """),
                    PlantedBug.of(
                                    "all-of-a-record-in-its-first-output",
                                    6,
                                    "each joined event of a record goes to its own output",
                                    I1)
                            .edit(
                                    PUBLICATION,
                                    "Aside aside = outputs.get(event.output());",
                                    "Aside aside = outputs.get(record.joined().get(0).output());"),
                    PlantedBug.of(
                                    "refused-by-its-only-joined-event",
                                    7,
                                    "an event is refused before the commit if any of what it gives"
                                            + " has no place in the output",
                                    BUG)
                            .edit(
                                    "joiner/src/main/java/photon/joiner/task/OutputStep.java",
                                    "if (refusal.isPresent()) {",
                                    "if (refusal.isPresent() && events.size() == 1) {"));
}
