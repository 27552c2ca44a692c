package photon.simulation.bugs;

import static photon.simulation.bugs.Check.I2;
import static photon.simulation.bugs.Check.I3;

import java.util.List;

/** Rules of published files that a person has declared lost. */
final class LostFileBugs {
    private static final String STATE_RULES =
            "idregistry/src/main/java/photon/idregistry/control/StateRules.java";

    private LostFileBugs() {}

    static final List<PlantedBug> ALL =
            List.of(
                    PlantedBug.of(
                                    "lost-file-still-counts",
                                    6,
                                    "the manifest of a file that was declared lost counts for nothing",
                                    I2)
                            .edit(
                                    OutputBugs.OUTPUT + "OutputDirectory.java",
                                    "if (contents.lost().containsKey(sequence)) {",
                                    "if (contents.lost().containsKey(-sequence)) {"),
                    PlantedBug.of(
                                    "lost-file-opens-only-what-is-repaired",
                                    6,
                                    "a lost file reopens its incarnation whatever that is",
                                    I2,
                                    I3)
                            .edit(
                                    STATE_RULES,
                                    "(request.getFileLost() && slot.isFenced(generation.number))",
                                    "(request.getFileLost() && generation.number < 0)"),
                    PlantedBug.of(
                                    "declaration-is-cleared-away",
                                    6,
                                    "a declaration is never taken back",
                                    I2)
                            .edit(
                                    OutputBugs.OUTPUT + "OutputNames.java",
                                    "n.kind() == Kind.MANIFEST || n.kind() == Kind.LOST",
                                    "n.kind() == Kind.MANIFEST"));
}
