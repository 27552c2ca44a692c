package photon.simulation.bugs;

import static photon.simulation.bugs.Check.BUG;
import static photon.simulation.bugs.Check.I1;
import static photon.simulation.bugs.Check.I2;
import static photon.simulation.bugs.Check.I3;
import static photon.simulation.bugs.Check.REPLICAS;

import java.util.List;

/** Rules of the cancel, in the shard and in the joiner (docs/protocol.md section 3, Cancel). */
final class CancelBugs {
    static final String CANCELS = "return askedAgain && verdict != LOST_WRITE ? CANCEL : verdict;";

    private static final String SHARD = "idregistry/src/main/java/photon/idregistry/shard/";
    private static final String JUDGE = SHARD + "Cancellations.java";
    private static final String SET = SHARD + "CancelledTokens.java";
    private static final String COMMITS = JoinerBugs.JOINER + "task/CommitStep.java";

    private CancelBugs() {}

    static final List<PlantedBug> ALL =
            List.of(
                    PlantedBug.of(
                                    "cancelled-token-accepted",
                                    3,
                                    "a commit of a cancelled token hears CANCELLED",
                                    I2,
                                    I3)
                            .edit(
                                    SHARD + "ShardState.java",
                                    "if (cancels.forbid(row)) {",
                                    "if (row.slot() < 0) {"),
                    PlantedBug.of(
                                    "cancel-of-an-id-that-another-holds",
                                    3,
                                    "HELD only if this very token holds the id",
                                    I1)
                            .edit(JUDGE, "ids.find(row) && row.isHolder()", "ids.find(row)"),
                    PlantedBug.of(
                                    "cancelled-tokens-not-in-snapshots",
                                    3,
                                    "the set of cancelled tokens is in snapshots",
                                    I2,
                                    I3,
                                    REPLICAS)
                            .edit(SHARD + "ShardSnapshot.java", "cancellations.write(out);", "")
                            .edit(SHARD + "ShardSnapshot.java", "cancellations.read(in);", ""),
                    PlantedBug.of(
                                    "any-fence-drops-the-cancelled-tokens",
                                    3,
                                    "a token is remembered until its own incarnation is fenced in"
                                            + " the shard",
                                    I2,
                                    I3)
                            .edit(
                                    SET,
                                    "keep(i -> !fences.forbids(slotOf(i), generationOf(i)));",
                                    "keep(i -> false);"),
                    PlantedBug.of(
                                    "cancelled-tokens-evicted",
                                    3,
                                    "no cancelled token is evicted for another",
                                    I2,
                                    I3)
                            .edit(
                                    SET,
                                    "int place = placeOf(incarnation(slot, generation));",
                                    "keep(i -> false);"
                                            + " int place = placeOf(incarnation(slot,"
                                            + " generation));"),
                    PlantedBug.of(
                                    "settled-without-a-cancel",
                                    3,
                                    "a token that has a copy without an answer is cancelled before"
                                            + " it is settled",
                                    I2,
                                    I3)
                            .edit(JoinerBugs.VERDICT, CANCELS, "return verdict;"),
                    PlantedBug.of(
                                    "settled-before-the-cancel-is-answered",
                                    3,
                                    "only the cancel's answer settles a token that is being"
                                            + " cancelled",
                                    I2,
                                    I3,
                                    BUG)
                            .edit(
                                    COMMITS,
                                    "cancels.add(attempt, result, holder);",
                                    """
                                    parts.registry().cancel(List.of(commit));
                                    carryOut(
                                            CommitVerdict.ofCancel(
                                                    CancelResult.CANCELLED, result, holder,
                                                    incarnation, tokens, attempt.lostToken()),
                                            attempt,
                                            holder);
                                    """),
                    PlantedBug.of("held-is-not-written", 3, "HELD is as ACCEPTED", I2, I3, BUG)
                            .edit(
                                    JoinerBugs.VERDICT,
                                    "case HELD -> WRITE;",
                                    "case HELD -> settled(heard, holder, own, book, true,"
                                            + " lostToken);"),
                    PlantedBug.of(
                                    "commit-sent-beside-its-cancel",
                                    3,
                                    "no copy of a commit is sent from its first cancel on",
                                    I2,
                                    I3)
                            .edit(
                                    JoinerBugs.JOINER + "task/CancelStep.java",
                                    "registry.cancel(tokens)",
                                    "registry.commit(tokens, (c, r, h, a) -> {});"
                                            + " registry.cancel(tokens)"),
                    PlantedBug.of(
                                    "clean-with-a-cancel-under-way",
                                    3,
                                    "a clean close waits for all cancels (and fences itself)",
                                    I2,
                                    I3)
                            .edit(
                                    JoinerBugs.JOINER + "task/JoinTask.java",
                                    "if (done != null && live.isEmpty() && !ended) {",
                                    "if (done != null && !ended && live.stream().allMatch(a ->"
                                            + " a.state() =="
                                            + " photon.joiner.rules.AttemptState.CANCELLING)) {")
                            .edit(RollBugs.TASK, RollBugs.DRAINED, RollBugs.DRAINED_OR_NOT)
                            .edit(
                                    "idregistry/src/main/java/photon/idregistry/control/IncarnationRules.java",
                                    "pipeline.raise(slot, number + 1);",
                                    ""));
}
