package photon.simulation.bugs;

import static photon.simulation.bugs.Check.I2;
import static photon.simulation.bugs.Check.I3;
import static photon.simulation.bugs.Check.STATES;

import java.util.List;

/** Rules of the identity of a dispatcher's state, and of incarnations that are reopened. */
final class StateBugs {
    private static final String STATES_OF_CONTROL =
            "idregistry/src/main/java/photon/idregistry/control/StateRules.java";
    private static final String STATE_HOME =
            "storage/src/main/java/photon/storage/state/StateHome.java";

    private StateBugs() {}

    static final List<PlantedBug> ALL =
            List.of(
                    PlantedBug.of(
                                    "absent-state-is-taken-for-a-new-one",
                                    7,
                                    "a dispatcher starts only with the state that is registered",
                                    I2,
                                    I3)
                            .edit(
                                    DispatcherBugs.RULES + "StateAdmission.java",
                                    "return new Refuse(absent(datacenter, registered.get(), here));",
                                    "return new Use(registered.get());"),
                    PlantedBug.of(
                                    "lost-state-reopens-nothing",
                                    7,
                                    "a lost state reopens the incarnations whose rows it had",
                                    I2,
                                    I3,
                                    STATES)
                            .edit(
                                    STATES_OF_CONTROL,
                                    "&& lost.equals(generation.rowsIn)",
                                    "&& datacenter.isEmpty()"),
                    PlantedBug.of(
                                    "removed-by-an-earlier-row-is-forgotten",
                                    6,
                                    "a repair hands over again what earlier attempts have recorded"
                                            + " and nobody holds",
                                    I2,
                                    I3)
                            .edit(
                                    RepairBugs.REPAIR + "IncarnationRepair.java",
                                    "noLongerHeld.removed(foundBefore), noLongerHeld, lost",
                                    "java.util.Map.of(), noLongerHeld, lost"),
                    PlantedBug.of(
                                    "removed-and-a-stale-holder-believed",
                                    6,
                                    "who holds what a row had removed is asked linearizably",
                                    I2,
                                    I3)
                            .edit(
                                    "verifier/src/main/java/photon/verifier/source/IdHolders.java",
                                    "client.lookupLinearizable(ids)",
                                    "client.lookupLocal(ids)"),
                    PlantedBug.of(
                                    "repaired-with-rows-in-any-state",
                                    6,
                                    "REPAIRED names the registered state",
                                    I2,
                                    I3,
                                    STATES)
                            .edit(
                                    STATES_OF_CONTROL,
                                    "return rowsIn.isEmpty() ||",
                                    "return !slot.name().isEmpty() || rowsIn.isEmpty() ||"),
                    PlantedBug.of(
                                    "lost-state-is-no-obstacle",
                                    6,
                                    "nothing is written off within the retention after a state was lost",
                                    I2)
                            .edit(
                                    RepairBugs.REPAIR + "WriteOffRule.java",
                                    "if (stateLostMillis != 0 &&",
                                    "if (stateLostMillis == Long.MIN_VALUE &&"),
                    PlantedBug.of(
                                    "unseen-state-is-no-obstacle",
                                    6,
                                    "nothing is written off while the registered state is not in sight",
                                    I2)
                            .edit(
                                    RepairBugs.REPAIR + "MissingIdSearch.java",
                                    "checkpoint.isPresent() ? Optional.empty() : state",
                                    "Optional.empty()"),
                    PlantedBug.of(
                                    "rows-in-two-states",
                                    6,
                                    "if rows were answered by two states the repair starts over",
                                    I2,
                                    I3)
                            .edit(
                                    RepairBugs.REPAIR + "Reinjection.java",
                                    "|| !state.equals(rowsIn.orElse(state))",
                                    ""),
                    PlantedBug.below(
                                    "state-that-is-here-declared-lost",
                                    7,
                                    "a state that is here, and whole, is not declared lost")
                            .edit(
                                    DispatcherBugs.RULES + "StateAdmission.java",
                                    "if (declaredLost.isPresent()) { return asRegistered ?",
                                    "if (declaredLost.isPresent()) { return directoryIsEmpty(here)"
                                            + " ?")
                            .edit(
                                    DispatcherBugs.RULES + "StateAdmission.java",
                                    "private static String held(Here here) {",
                                    "private static boolean directoryIsEmpty(Here here) { return"
                                            + " here.directory().isEmpty(); }"
                                            + " private static String held(Here here) {"),
                    PlantedBug.below(
                                    "state-without-its-journal-is-used",
                                    7,
                                    "a state without its journal is not the registered one")
                            .edit(
                                    DispatcherBugs.RULES + "StateAdmission.java",
                                    "here.whole() && here.identity().isPresent()",
                                    "here.identity().isPresent()"),
                    PlantedBug.below(
                                    "two-states-made-at-once",
                                    7,
                                    "of two processes that make a state at the same time one does")
                            .edit(
                                    STATE_HOME,
                                    "if (!current().write(version, named)) {",
                                    "if (!current().write(version, named)"
                                            + " && !current().write(version + 1, named)) {"),
                    PlantedBug.below(
                                    "states-name-not-synced",
                                    7,
                                    "a state's identity is durable before the state is named")
                            .edit(
                                    STATE_HOME,
                                    "files.syncDirectory(path); byte[] named",
                                    "byte[] named"));
}
