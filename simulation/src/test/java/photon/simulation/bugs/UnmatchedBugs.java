package photon.simulation.bugs;

import static photon.simulation.bugs.Check.I1;
import static photon.simulation.bugs.Check.I2;

import java.util.List;

/** Rules of the left join: when an event is joined without its primary event. */
final class UnmatchedBugs {
    private static final String RULE = JoinerBugs.JOINER + "rules/UnmatchedRule.java";
    private static final String LOOKUPS = JoinerBugs.JOINER + "task/PrimaryLookups.java";
    private static final String VERDICT = JoinerBugs.JOINER + "rules/CommitVerdict.java";
    private static final String POLICY = DispatcherBugs.RULES + "RetryPolicy.java";
    private static final int SECTION = 13;

    private UnmatchedBugs() {}

    static final List<PlantedBug> ALL =
            List.of(
                    PlantedBug.of(
                                    "unmatched-before-its-time",
                                    SECTION,
                                    "a primary event is waited for until its time is over",
                                    I1)
                            .edit(
                                    RULE,
                                    "&& earliestMicros - id.micros() >= waitMicros.get();",
                                    "&& earliestMicros - id.micros() >= waitMicros.get() / 4;"),
                    PlantedBug.below(
                                    "unmatched-though-not-all-is-read",
                                    SECTION,
                                    "a miss is final only where the event store has read all")
                            .edit(RULE, "&& allRead", "&& (allRead || id != null)"),
                    PlantedBug.below(
                                    "unmatched-by-a-progress-of-before",
                                    SECTION,
                                    "that all is read is asked anew for each lookup")
                            .edit(
                                    "eventstore/src/main/java/photon/eventstore/tail/TailProgress.java",
                                    "&& nanoTime - allReadUntilNanos.getAsLong() <= 0;",
                                    "&& nanoTime - allReadUntilNanos.getAsLong() <= 1L << 60;"),
                    PlantedBug.below(
                                    "unmatched-while-a-log-is-away",
                                    SECTION,
                                    "nothing is final while a log is away")
                            .edit(
                                    "storage/src/main/java/photon/storage/tail/AbsentFiles.java",
                                    "&& !anyIsAway(look, tailed, nowMillis, nanoTime);",
                                    "|| anyIsAway(look, tailed, nowMillis, nanoTime);"),
                    PlantedBug.below(
                                    "unmatched-by-the-time-of-the-answer",
                                    SECTION,
                                    "the time counts at which it was asked, not that of the answer")
                            .edit(
                                    LOOKUPS,
                                    "answer.getAllRead(), askedMicros)",
                                    "answer.getAllRead(), earliestMicros())"),
                    PlantedBug.below(
                                    "unmatched-by-a-clock-alone",
                                    SECTION,
                                    "a clock that is not synchronised ends no wait")
                            .edit(
                                    LOOKUPS,
                                    "clock.state().synchronised() ?",
                                    "clock.state().boundMicros() >= 0 ?"),
                    PlantedBug.below(
                                    "unmatched-since-the-answer-was-full",
                                    SECTION,
                                    "a primary event that had no room in the answer is no miss")
                            .edit(
                                    "eventstore/src/main/java/photon/eventstore/lookup/PrimaryLookup.java",
                                    "result = PrimaryLookupRule.noRoom(); whole = false;",
                                    "result = PrimaryLookupRule.noRoom(); whole = true;"),
                    PlantedBug.below(
                                    "late-primaries-not-watched-for",
                                    SECTION,
                                    "an event that was joined without its primary event is watched")
                            .edit(
                                    POLICY,
                                    "reason.isEmpty() ? new Finish(true)",
                                    "reason.length() >= 0 ? new Finish(true)"),
                    PlantedBug.below(
                                    "not-watched-since-the-answer-was-lost",
                                    SECTION,
                                    "a joiner says again that an event is joined without its primary event")
                            .edit(
                                    "joiner/src/main/java/photon/joiner/task/CommitStep.java",
                                    "return attempt.isUnmatched() && holder != null && holder.isUnmatched()",
                                    "return attempt.isRepair() && holder == null"),
                    PlantedBug.below(
                                    "watched-by-its-reason",
                                    SECTION,
                                    "no reason that an adapter gives makes an event a joined one")
                            .edit(
                                    "dispatcher/src/main/java/photon/dispatcher/flow/PendingEvent.java",
                                    "taken.row().isWatched()",
                                    "taken.row().reason().equals(RetryPolicy.WATCHED)"),
                    PlantedBug.below(
                                    "watched-until-it-is-in-the-ledger",
                                    SECTION,
                                    "what is watched goes without a trace at the age limit")
                            .edit(
                                    POLICY,
                                    "if (state.id().micros() < boundaryMicros) { return new EndWatch(false); }",
                                    "if (state.id().micros() < boundaryMicros) { return tooOld(state); }"),
                    PlantedBug.below(
                                    "watched-and-joined-again",
                                    SECTION,
                                    "what is watched is looked for, and not joined")
                            .edit(LOOKUPS, "&& !attempt.needsPrimary()", "&& attempt != null"),
                    PlantedBug.of(
                                    "upgrade-of-a-matched-event",
                                    SECTION,
                                    "what is joined with its primary event is not upgraded",
                                    I1)
                            .edit(VERDICT, "|| !holder.isUnmatched()", ""),
                    PlantedBug.of(
                                    "lost-unmatched-event-left-to-others",
                                    SECTION,
                                    "an event that is to be joined without its primary event is joined so",
                                    I2)
                            .edit(VERDICT, "return JOIN_UNMATCHED;", "return this;")
                            .edit(
                                    JoinerBugs.JOINER + "rules/Attempt.java",
                                    "lost.isUnmatched() ? WITHOUT : ORDINARY;",
                                    "lost.sequence() == 0 ? WITHOUT : ORDINARY;"),
                    PlantedBug.below(
                                    "lost-upgrade-taken-for-its-event",
                                    SECTION,
                                    "the repair row of an upgrade ends with no join of its event")
                            .edit(
                                    JoinerBugs.JOINER + "rules/Attempt.java",
                                    "return lost.isUpgrade() ? UPGRADE :",
                                    "return lost.sequence() == 0 ? UPGRADE :")
                            .edit(
                                    JoinerBugs.JOINER + "rules/Attempt.java",
                                    "lostToken != null && lostToken.isUpgrade() ? id.upgrade() : id,",
                                    "lostToken != null && lostToken.sequence() == 0 ? id.upgrade() : id,"),
                    PlantedBug.of(
                                    "lost-upgrade-not-looked-for",
                                    SECTION,
                                    "a lost upgrade is looked for by its event",
                                    I2)
                            .edit(
                                    "verifier/src/main/java/photon/verifier/repair/LostEvents.java",
                                    "upgrades == 0 ? null : tokens.remove(event.id().upgrade());",
                                    "upgrades >= 0 ? null : tokens.remove(event.id().upgrade());"));
}
