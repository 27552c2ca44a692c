package photon.simulation.bugs;

import static photon.simulation.bugs.Check.I2;
import static photon.simulation.bugs.Check.I3;

import java.util.List;

/** Retired datacenters. */
final class RetirementBugs {
    private static final String RULES =
            "idregistry/src/main/java/photon/idregistry/control/RetirementRules.java";

    private static final String RESTORE =
            "idregistry/src/main/java/photon/idregistry/control/RestoreRules.java";

    private static final String PLAN =
            "server/src/main/java/photon/server/datacenters/RetirementRule.java";

    private RetirementBugs() {}

    static final List<PlantedBug> ALL =
            List.of(
                    PlantedBug.of(
                                    "retired-with-incarnations-open",
                                    1,
                                    "a datacenter is retired when all its incarnations are closed"
                                            + " clean or repaired",
                                    I2)
                            .edit(RULES, "if (!open.isEmpty()) {", "if (open.size() > 1_000) {"),
                    PlantedBug.of(
                                    "retired-by-a-journal-of-before",
                                    1,
                                    "nothing has brought a repair row since the journal was read",
                                    I2)
                            .edit(
                                    RULES,
                                    "if (!request.getSeen().equals(seen(pipeline, datacenter))) {",
                                    "if (request.getSeen().equals(null)) {"),
                    PlantedBug.of(
                                    "retired-and-never-repaired",
                                    1,
                                    "a datacenter is retired when all its incarnations are closed"
                                            + " clean or repaired (and the operator's command looks"
                                            + " first)",
                                    I2,
                                    I3)
                            .edit(RULES, "if (!open.isEmpty()) {", "if (open.size() > 1_000) {")
                            .edit(
                                    PLAN,
                                    "if (!unrepaired.isEmpty() && (repairable ||"
                                            + " !unfinishedIsLost)) {",
                                    "if (unrepaired.size() > 1_000) {"),
                    PlantedBug.below(
                                    "retired-with-repair-rows",
                                    1,
                                    "no repair row waits in the journal of a datacenter that is"
                                            + " retired")
                            .edit(
                                    PLAN,
                                    "journal.repairRows() > 0 && !unfinishedIsLost",
                                    "journal.repairRows() < 0 && !unfinishedIsLost"),
                    PlantedBug.below(
                                    "report-of-a-retired-datacenter-not-waited-for",
                                    1,
                                    "a restore waits for the report of every output that there ever"
                                            + " was")
                            .edit(
                                    RESTORE,
                                    "pipeline.slots().forEach(slot -> expected.add(datacenter(slot.name())));",
                                    """
                                    pipeline.slots().forEach(slot -> expected.add(datacenter(slot.name())));
                                    expected.removeAll(pipeline.retired.keySet());
                                    """),
                    PlantedBug.below(
                                    "repaired-by-a-retired-datacenter-and-reopened",
                                    1,
                                    "a restore reopens nothing of a datacenter that is retired:"
                                            + " nobody repairs there")
                            .edit(
                                    RESTORE,
                                    "if (generation.state == IncarnationState.REPAIRED && !retired) {",
                                    "if (generation.state == IncarnationState.REPAIRED) {"));
}
