package photon.simulation.bugs;

import static photon.simulation.bugs.Check.I1;
import static photon.simulation.bugs.Check.I2;
import static photon.simulation.bugs.Check.I3;

import java.util.List;

/** Rules of the repair, from the fence to the durable row. */
final class RepairBugs {
    static final String REPAIR = "verifier/src/main/java/photon/verifier/repair/";

    private static final String RUNS = "verifier/src/main/java/photon/verifier/runs/";
    private static final String INCARNATION = REPAIR + "IncarnationRepair.java";
    private static final String SETTLER = DispatcherBugs.FLOW + "Settler.java";

    private RepairBugs() {}

    static final List<PlantedBug> ALL =
            List.of(
                    PlantedBug.of(
                                    "look-again-skipped",
                                    6,
                                    "what is lost is looked for again after sealing (and a published"
                                            + " file that no manifest knows stops the repair)",
                                    I1)
                            .edit(
                                    INCARNATION,
                                    "parts.output().seal(incarnation);",
                                    """
                                    Iterator<StoredManifest> manifests =
                                            parts.output().manifests(incarnation).iterator();
                                    parts.output().seal(incarnation);
                                    """)
                            .edit(
                                    INCARNATION,
                                    "Iterator<StoredManifest> manifests = parts.output().manifests(incarnation).iterator(); steps.next(",
                                    "steps.next(")
                            .edit(
                                    INCARNATION,
                                    "if (!unknown.isEmpty()) {",
                                    "if (unknown.size() > 1_000_000) {"),
                    PlantedBug.of(
                                    "missing-published-file-is-lost",
                                    6,
                                    "a published file that is missing or differs never makes"
                                            + " events lost",
                                    I1)
                            .edit(
                                    INCARNATION,
                                    "if (wrong.isPresent()) { stop(",
                                    "if (wrong.isPresent()) { steps.next(() -> compare(manifests,"
                                            + " groups)); return; } if (wrong.isPresent()) {"
                                            + " stop("),
                    PlantedBug.of(
                                    "repaired-before-the-rows-are-durable",
                                    1,
                                    "repaired is set when all repair rows are durable",
                                    I2,
                                    I3)
                            .edit(
                                    REPAIR + "Reinjection.java",
                                    """
                                    steps.later(
                                            parts.limits().retryDelay(asksBroken),
                                            () -> handOver(then));
                                    """,
                                    "rows.answered(); steps.next(() -> handOver(then));"),
                    PlantedBug.of(
                                    "repair-row-answered-before-it-is-durable",
                                    6,
                                    "a dispatcher answers for a repair row when it is durable",
                                    I2,
                                    I3)
                            .edit(
                                    SETTLER,
                                    "filling.whenDurable.add(durable);",
                                    "durable.run(); filling.whenDurable.add(() -> {});"),
                    PlantedBug.of(
                                    "removed-before-the-row-is-durable",
                                    6,
                                    "nothing is removed before its repair row is durable",
                                    I2,
                                    I3)
                            .edit(
                                    DispatcherBugs.FLOW + "Flow.java",
                                    "settler.repair(repairs, durable); wake();",
                                    """
                                    registry.remove(
                                                    repairs.stream()
                                                            .map(
                                                                    r ->
                                                                            new RegistryClient.Commit(
                                                                                    r.event().id(),
                                                                                    r.lostToken()))
                                                            .toList())
                                            .whenComplete(
                                                    (removed, failure) -> {
                                                        settler.repair(repairs, durable);
                                                        wake();
                                                    });
                                    """),
                    PlantedBug.of(
                                    "repair-row-merged-with-an-ordinary-row",
                                    6,
                                    "a repair row's key is its id and its lost token",
                                    I2,
                                    I3)
                            .edit(
                                    SETTLER,
                                    "new JournalRow.Key(repair.event().id(), repair.lostToken()),",
                                    "new JournalRow.Key(repair.event().id(), null),"),
                    PlantedBug.of(
                                    "stale-lookup-settles-a-repair-row",
                                    3,
                                    "a repair row does without the lookup",
                                    I2,
                                    I3)
                            .edit(
                                    DispatcherBugs.RULES + "LocalLookupRule.java",
                                    "return !repair && !attemptOpen;",
                                    "return repair || !attemptOpen;"),
                    PlantedBug.of(
                                    "repair-row-given-up",
                                    6,
                                    "a repair row is never given up for having failed often",
                                    I2,
                                    I3)
                            .edit(
                                    DispatcherBugs.RULES + "RetryPolicy.java",
                                    "if (attempts > retriesMax && !state.repair()) {",
                                    "if (attempts > (state.repair() ? 1 : retriesMax)) {"),
                    PlantedBug.of(
                                    "failed-repair-not-repeated",
                                    1,
                                    "whatever is open and not live is repaired until it is",
                                    I2,
                                    I3)
                            .edit(
                                    REPAIR + "RepairTroubles.java",
                                    "return trouble == null || nanoTime - trouble.dueNanos >= 0;",
                                    "return trouble == null;"),
                    PlantedBug.of(
                                    "lost-outcome-not-reported",
                                    6,
                                    "a lost id that cannot be read again is reported",
                                    I3)
                            .edit(
                                    INCARNATION,
                                    "parts.lostOutcomes().record(id, token, reason);",
                                    ""),
                    PlantedBug.of(
                                    "missing-directory-counts-as-empty",
                                    6,
                                    "nothing is written off while a directory of the input is away",
                                    I2)
                            .edit(
                                    REPAIR + "WriteOffRule.java",
                                    "for (String directory : look.missingDirectories()) {",
                                    "for (String directory : List.<String>of()) {"),
                    PlantedBug.of(
                                    "missing-file-of-the-checkpoint-ignored",
                                    6,
                                    "nothing is written off while a file that was read is away",
                                    I2)
                            .edit(
                                    REPAIR + "WriteOffRule.java",
                                    "if (file.readTo() < file.position().offset()",
                                    "if (file.readTo() < -1"),
                    PlantedBug.of(
                                    "given-up-after-one-look",
                                    6,
                                    "what is written off was looked for during giveUpAfter",
                                    I2)
                            .edit(
                                    REPAIR + "WriteOffRule.java",
                                    "return new Verdict(false, \"\", terms.giveUpAfter);",
                                    "return new Verdict(true, \"\", Duration.ZERO);"),
                    PlantedBug.of(
                                    "last-run-of-published-ids-dropped",
                                    6,
                                    "lost is what is in none of the manifests, however many they"
                                            + " are",
                                    I1)
                            .edit(
                                    RUNS + "IdRuns.java",
                                    "if (filling.size() > 0) { spill(); } filling = new"
                                            + " IdColumns(0);",
                                    "filling = new IdColumns(0);"),
                    PlantedBug.of(
                                    "not-found-from-a-checkpoint-is-written-off",
                                    6,
                                    "only a look at all of the logs writes anything off",
                                    I2)
                            .edit(
                                    REPAIR + "Reinjection.java",
                                    "steps.next(() -> handOver(this::openAll));",
                                    "steps.next(() -> handOver(this::finish));"),
                    PlantedBug.below(
                                    "looks-before-the-obstacle-count",
                                    6,
                                    "giveUpAfter begins anew when something was in the way")
                            .edit(
                                    REPAIR + "WriteOffRule.java",
                                    "if (!obstacles.isEmpty()) { well = false;",
                                    "if (!obstacles.isEmpty()) {"),
                    PlantedBug.below(
                                    "a-look-that-sleeps-counts",
                                    6,
                                    "a look counts from its beginning, however long it took")
                            .edit(
                                    REPAIR + "WriteOffRule.java",
                                    "minusNanos(beginNanos - wellSinceNanos)",
                                    "minusNanos(endNanos - wellSinceNanos)"),
                    PlantedBug.below(
                                    "reset-forgets-what-was-read",
                                    6,
                                    "a file must be there as far as it had been read before it was reset")
                            .edit(
                                    "verifier/src/main/java/photon/verifier/source/DispatcherCheckpoint.java",
                                    "ResetNotes.read(files, directory).withReadBefore(one.get());",
                                    "one.get();"),
                    PlantedBug.below(
                                    "file-at-its-start-not-missed",
                                    6,
                                    "a file of which anything was read must be there, also if nothing of it is done")
                            .edit(
                                    REPAIR + "CheckpointedFiles.java",
                                    "filter(FilePosition::wasReadFrom)",
                                    "filter(position -> position.offset() > 0)"));
}
