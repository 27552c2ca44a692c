package photon.simulation.bugs;

import static photon.simulation.bugs.Check.BUG;
import static photon.simulation.bugs.Check.I1;
import static photon.simulation.bugs.Check.I2;
import static photon.simulation.bugs.Check.I3;
import static photon.simulation.bugs.Check.I5;
import static photon.simulation.bugs.Check.SLOTS;

import java.util.List;

/** Rules of rolling: what is live beside what, and when an old incarnation may be closed. */
final class RollBugs {
    private static final String LIVES = JoinerBugs.JOINER + "incarnation/Incarnations.java";
    static final String TASK = JoinerBugs.JOINER + "task/JoinTask.java";
    private static final String CONTROL = "idregistry/src/main/java/photon/idregistry/control/";
    private static final String RULES = CONTROL + "IncarnationRules.java";
    private static final String SLOT = CONTROL + "Slot.java";
    static final String DRAINED = "live.isEmpty() && unpublishedRecords == 0,";
    static final String DRAINED_OR_NOT = "live.size() >= 0,";

    private RollBugs() {}

    static final List<PlantedBug> ALL =
            List.of(
                    PlantedBug.of(
                                    "drained-with-an-unpublished-file",
                                    1,
                                    "a drain ends when what was flushed is published, too",
                                    I2,
                                    I3)
                            .edit(
                                    TASK,
                                    "drained = () -> output.publishAll(done);",
                                    "drained = done;")
                            .edit(TASK, DRAINED, DRAINED_OR_NOT),
                    PlantedBug.of(
                                    "fresh-start-leaves-the-other-slot-alone",
                                    1,
                                    "a process that registers afresh fences what is live in"
                                            + " either slot of the pair",
                                    SLOTS)
                            .edit(
                                    RULES,
                                    "if (!again && !request.hasRollsFrom() && other != null) {",
                                    "if (!again && request.hasRollsFrom() && other == null) {"),
                    PlantedBug.of(
                                    "rolls-from-what-is-not-live",
                                    1,
                                    "a roll from an incarnation that is not live is refused",
                                    SLOTS)
                            .edit(RULES, "|| other.isFenced(generation)) {", ") {")
                            .edit(RULES, "&& from.state == IncarnationState.OPEN", ""),
                    PlantedBug.of(
                                    "events-to-the-one-that-drains",
                                    1,
                                    "new events go to the incarnation that serves",
                                    BUG,
                                    I2,
                                    I3)
                            .edit(
                                    LIVES,
                                    "LiveIncarnation now = serving; return state ==",
                                    "LiveIncarnation now = drains.first().orElse(serving);"
                                            + " return state =="),
                    PlantedBug.of(
                                    "rolls-while-one-drains",
                                    1,
                                    "a process has two incarnations at most: the next roll would"
                                            + " fence the one that drains",
                                    BUG)
                            .edit(
                                    LIVES,
                                    "return state == LifeState.SERVING && drains.isEmpty();",
                                    "return state == LifeState.SERVING;"),
                    PlantedBug.below(
                                    "tokens-remembered-without-bound",
                                    1,
                                    "an incarnation whose tokens take much memory is followed by"
                                            + " the next")
                            .edit(
                                    JoinerBugs.JOINER + "incarnation/Rolls.java",
                                    "if (now == serving) {",
                                    "if (now.publishedFiles() < 0) {"),
                    PlantedBug.of(
                                    "shared-row-with-one-that-is-open",
                                    1,
                                    "only generations that were closed clean share a row",
                                    I2,
                                    I1,
                                    I3,
                                    I5)
                            .edit(
                                    SLOT,
                                    "return state == IncarnationState.CLEAN && next.state",
                                    "return next.state"),
                    PlantedBug.of(
                                    "what-drains-promises-too-much",
                                    5,
                                    "an incarnation that drains raises its promise to the lowest"
                                            + " event that it still has",
                                    I2,
                                    I5)
                            .edit(
                                    TASK,
                                    "long lowest = unpublished.lowestMicros();",
                                    "long lowest = drained == null ? unpublished.lowestMicros() :"
                                            + " Long.MAX_VALUE; if (drained != null) {"
                                            + " return promise.raise(heard, lowest); }"));
}
