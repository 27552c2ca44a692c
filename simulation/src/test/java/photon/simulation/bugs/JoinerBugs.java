package photon.simulation.bugs;

import static photon.simulation.bugs.Check.I1;
import static photon.simulation.bugs.Check.I2;
import static photon.simulation.bugs.Check.I3;
import static photon.simulation.bugs.Check.I6;

import java.util.List;

/** Rules of the joiner. */
final class JoinerBugs {
    static final String JOINER = "joiner/src/main/java/photon/joiner/";

    static final String VERDICT = JOINER + "rules/CommitVerdict.java";
    private static final String WRITER = JOINER + "output/OutputWriter.java";
    private static final String OPENING = JOINER + "incarnation/Opening.java";

    private JoinerBugs() {}

    static final List<PlantedBug> ALL =
            List.of(
                    PlantedBug.of(
                                    "answered-before-the-flush",
                                    6,
                                    "an event is answered when its record is flushed",
                                    I3)
                            .edit(
                                    WRITER,
                                    "pending.add(batch);",
                                    "main.execute(batch.flushed()); pending.add(new"
                                            + " Batch(batch.records(), () -> {}));"),
                    PlantedBug.of(
                                    "failed-sync-answered",
                                    3,
                                    "a write or sync of a work log that fails ends the incarnation",
                                    I2,
                                    I3)
                            .edit(
                                    WRITER,
                                    "case SYNCED -> open.sync();",
                                    """
                                    case SYNCED -> {
                                        try {
                                            open.sync();
                                        } catch (IOException e) {
                                            log = null;
                                        }
                                    }
                                    """),
                    PlantedBug.of(
                                    "own-open-holder-settled-at-once",
                                    3,
                                    "TAKEN by an own attempt that is not flushed: wait for it",
                                    I3)
                            .edit(
                                    VERDICT,
                                    "case IN_FLIGHT, ACCEPTED -> WAIT_FOR_TWIN;",
                                    "case IN_FLIGHT, ACCEPTED -> JOINED;"),
                    PlantedBug.of(
                                    "turned-away-on-a-retry-is-definite",
                                    3,
                                    "ID_IN_FUTURE does not end a token that has a copy without"
                                            + " an answer",
                                    I2,
                                    I3)
                            .edit(
                                    VERDICT,
                                    CancelBugs.CANCELS,
                                    "return askedAgain && verdict != LOST_WRITE"
                                            + " && result != CommitResult.ID_IN_FUTURE"
                                            + " ? CANCEL : verdict;"),
                    PlantedBug.of(
                                    "lost-token-not-removed",
                                    6,
                                    "a repair row removes its lost token before it joins (and"
                                            + " never believes that token)",
                                    I2,
                                    I3)
                            .edit(
                                    JOINER + "task/JoinTask.java",
                                    "if (attempt.isRepair()) { removals.add(attempt); }",
                                    "if (attempt.isRepair()) { attempt.lostTokenRemoved();"
                                            + " commits.add(attempt); }")
                            .edit(
                                    VERDICT,
                                    "if (holder == null || holder.equals(lostToken)) {",
                                    "if (holder == null) {"),
                    PlantedBug.of(
                                    "fenced-goes-on",
                                    3,
                                    "FENCED: drops what is queued and starts over",
                                    I2,
                                    I3)
                            .edit(
                                    JOINER + "task/CommitStep.java",
                                    "listener.mustEnd(TaskEnd.FENCED, \"incarnation \" + incarnation + \" is fenced\");",
                                    "settle(attempt, Status.RETRY_EVENT, \"fenced\");"),
                    PlantedBug.of(
                                    "nonce-used-again",
                                    1,
                                    "each registration carries random bytes of its own",
                                    I1,
                                    I2,
                                    I3)
                            .edit(OPENING, "random.nextBytes(nonce);", "nonce[0] = 1;"),
                    PlantedBug.of(
                                    "clean-with-attempts-open",
                                    1,
                                    "a clean close says that everything is answered and published",
                                    I2,
                                    I3)
                            .edit(
                                    JOINER + "incarnation/Drains.java",
                                    "live.task().drain(() -> finished(drain));",
                                    "parts.main().execute(() -> finished(drain));")
                            .edit(RollBugs.TASK, RollBugs.DRAINED, RollBugs.DRAINED_OR_NOT),
                    PlantedBug.of("unlimited-admission", 3, "what a joiner holds is bounded", I6)
                            .edit(
                                    JOINER + "rules/AdmissionControl.java",
                                    "if (events >= eventsMax || (events > 0 && bytes + weight > bytesMax)) {",
                                    "if (weight < 0) {"),
                    PlantedBug.of(
                                    "commit-cap-not-kept",
                                    3,
                                    "ids from commit sent to output flushed are capped per shard",
                                    I6)
                            .edit(
                                    JOINER + "rules/CommitRoom.java",
                                    "if (now >= outstandingMax) {",
                                    "if (now < 0) {"));
}
