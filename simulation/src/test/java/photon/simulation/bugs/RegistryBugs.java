package photon.simulation.bugs;

import static photon.simulation.bugs.Check.BUG;
import static photon.simulation.bugs.Check.I1;
import static photon.simulation.bugs.Check.I2;
import static photon.simulation.bugs.Check.I3;
import static photon.simulation.bugs.Check.I6;
import static photon.simulation.bugs.Check.REPLICAS;

import java.util.List;

/** Rules of the registry's servers: what is decided in apply, and on arrival. */
final class RegistryBugs {
    private static final String REGISTRY = "idregistry/src/main/java/photon/idregistry/";
    private static final String SHARD = REGISTRY + "shard/ShardState.java";
    private static final String REMOVE = REGISTRY + "shard/RemoveRule.java";
    private static final String CONTROL = REGISTRY + "control/IncarnationRules.java";
    private static final String COMMANDS =
            "registry-client/src/main/java/photon/registry/client/ControlCommands.java";
    private static final String BATCHER = REGISTRY + "batch/CommitBatcher.java";

    /** Answers at once, as of no index. */
    private static final String FENCE_NOWHERE =
            """
            future.complete(
                    answer.getShardsList().stream()
                            .map(
                                    g ->
                                            new Fenced(
                                                    new RegistryClient.Shard(
                                                            g.getEpoch(), g.getShard()),
                                                    0L))
                            .toList());
            """;

    /** The same, and the fences arrive when they do. */
    private static final String FENCE_LATER =
            "fenceGroups(incarnation.slot(), answer, new CompletableFuture<>());" + FENCE_NOWHERE;

    private RegistryBugs() {}

    static final List<PlantedBug> ALL =
            List.of(
                    PlantedBug.of(
                                    "token-not-compared",
                                    3,
                                    "ACCEPTED also if the id is held by this very token",
                                    I2,
                                    I3,
                                    BUG)
                            .edit(SHARD, "} else if (!row.isHolder()) {", "} else {"),
                    PlantedBug.of("holder-not-asked", 3, "TAKEN if another token holds the id", I1)
                            .edit(
                                    SHARD,
                                    "} else if (!row.isHolder()) {",
                                    "} else if (row.slot() < 0) {"),
                    PlantedBug.of(
                                    "token-not-compared-inside-a-batch",
                                    3,
                                    "tokens are compared inside a batch too",
                                    I2,
                                    I3,
                                    BUG)
                            .edit(
                                    SHARD,
                                    "boolean wrongShard = false;",
                                    "boolean wrongShard = false;"
                                            + " var seen = new java.util.HashSet<Long>();")
                            .edit(
                                    SHARD,
                                    "int outcome = judge();",
                                    "int outcome = judge(); boolean again ="
                                            + " !seen.add(row.hash());")
                            .edit(
                                    SHARD,
                                    "} else if (!row.isHolder()) {",
                                    "} else if (again || !row.isHolder()) {"),
                    PlantedBug.of(
                                    "ids-compared-in-part",
                                    2,
                                    "identity is the whole id, not a hash of it",
                                    I2,
                                    I3,
                                    REPLICAS,
                                    BUG)
                            .edit(
                                    REGISTRY + "table/Page.java",
                                    "if (all[at] == when && all[at + 1] == serverHigh"
                                            + " && all[at + 2] == serverLow) {",
                                    "if ((all[at] >>> 32 & 31) == (when >>> 32 & 31)) {"),
                    PlantedBug.of(
                                    "fence-not-checked",
                                    3,
                                    "FENCED if the token's generation is not live",
                                    I1,
                                    I2,
                                    I3)
                            .edit(
                                    SHARD,
                                    "if (fences.forbids(row.slot(), row.generation())) {",
                                    "if (row.slot() < 0) {"),
                    PlantedBug.of(
                                    "fence-after-the-holder",
                                    3,
                                    "the fence speaks before the holder (and sealing renames)",
                                    I1)
                            .edit(
                                    SHARD,
                                    "if (fences.forbids(row.slot(), row.generation())) {",
                                    "if (!(ids.find(row) && row.isHolder()) &&"
                                            + " fences.forbids(row.slot(), row.generation()))"
                                            + " {")
                            .edit(
                                    OutputBugs.SEALING,
                                    OutputBugs.MOVE_AWAY,
                                    OutputBugs.NOT_MOVED_AWAY),
                    PlantedBug.of(
                                    "fence-lowered",
                                    1,
                                    "the lowest live generation is only ever raised (and leaders"
                                            + " copy the fence table)",
                                    I1,
                                    I2,
                                    I3)
                            .edit(
                                    REGISTRY + "shard/FenceTable.java",
                                    "lowestLive.merge(slot, lowestLiveGeneration, Math::max);",
                                    "lowestLive.put(slot, lowestLiveGeneration);")
                            .edit(ReshardBugs.UPKEEP, ReshardBugs.COPY_FENCES, "return null;"),
                    PlantedBug.of(
                                    "boundary-not-checked",
                                    5,
                                    "ids below the boundary are refused (and a joiner commits what it"
                                            + " has promised not to)",
                                    I1,
                                    I3,
                                    BUG)
                            .edit(
                                    SHARD,
                                    """
                                    if (row.micros() < boundaryMicros) {
                                        return Outcome.ID_TOO_OLD_VALUE;
                                    """,
                                    """
                                    if (row.micros() < 0) {
                                        return Outcome.ID_TOO_OLD_VALUE;
                                    """)
                            .edit(BoundaryBugs.PROMISE, "id.micros() < micros", "false"),
                    PlantedBug.of(
                                    "remove-without-the-token",
                                    6,
                                    "an id is removed only if the lost token still holds it",
                                    I1)
                            .edit(
                                    REMOVE,
                                    "&& ids.find(row) && row.isHolder()) {",
                                    "&& ids.find(row)) {"),
                    PlantedBug.of(
                                    "remove-while-not-fenced",
                                    6,
                                    "Remove is refused until the shard has the incarnation fenced"
                                            + " (and the scan comes behind the fence)",
                                    I2,
                                    I3)
                            .edit(
                                    REMOVE,
                                    "if (!fences.forbids(row.slot(), row.generation())) {",
                                    "if (row.slot() < 0) {")
                            .edit(
                                    COMMANDS,
                                    "fenceGroups(incarnation.slot(), answer, future);",
                                    FENCE_LATER),
                    PlantedBug.of(
                                    "scan-before-the-fence",
                                    6,
                                    "a group is scanned after the fence is applied in it",
                                    I2,
                                    I3)
                            .edit(
                                    COMMANDS,
                                    "fenceGroups(incarnation.slot(), answer, future);",
                                    FENCE_LATER),
                    PlantedBug.of(
                                    "scan-of-a-lagging-replica",
                                    6,
                                    "a scan is at or after the fence's index",
                                    I2,
                                    I3)
                            .edit(
                                    REGISTRY + "server/data/ScanHandler.java",
                                    "if (state.lastIndex() < request.getMinIndex()) {",
                                    "if (state.lastIndex() < 0) {"),
                    PlantedBug.of(
                                    "fence-reaches-no-group",
                                    1,
                                    "fencing is done when each group has applied it (and leaders"
                                            + " copy the fence table)",
                                    I1,
                                    I2,
                                    I3)
                            .edit(
                                    COMMANDS,
                                    "fenceGroups(incarnation.slot(), answer, future);",
                                    FENCE_NOWHERE)
                            .edit(ReshardBugs.UPKEEP, ReshardBugs.COPY_FENCES, "return null;"),
                    PlantedBug.of(
                                    "registering-does-not-fence",
                                    1,
                                    "registering fences all lower generations",
                                    I1,
                                    I2,
                                    I3)
                            .edit(CONTROL, "pipeline.raise(slot, issued.generation());", ""),
                    PlantedBug.of(
                                    "generation-reused",
                                    1,
                                    "a generation is higher than any before (and the work"
                                            + " directory is made exclusively)",
                                    I1,
                                    I2,
                                    I3,
                                    BUG)
                            .edit(
                                    CONTROL,
                                    "if (slot.isHighest(nonce)) {",
                                    "if (slot.highest() > 0) {")
                            .edit(
                                    OutputBugs.OUTPUT + "OutputDirectory.java",
                                    "files.createDirectory(path);",
                                    "files.createDirectories(path);"),
                    PlantedBug.of(
                                    "other-datacenters-repaired",
                                    6,
                                    "each datacenter repairs its own incarnations, and not with"
                                            + " another output directory",
                                    I1)
                            .edit(
                                    RepairBugs.REPAIR + "RepairLoop.java",
                                    ".incarnations(parts.pipeline(), slotPrefix)",
                                    ".incarnations(parts.pipeline(), \"\")")
                            .edit(
                                    RepairBugs.REPAIR + "IncarnationRepair.java",
                                    "if (!info.outputId().equals(outputId)) {",
                                    "if (outputId.isEmpty()) {"),
                    PlantedBug.of(
                                    "not-leader-after-submit-is-a-failure",
                                    3,
                                    "every exception after the submit leaves the outcome unknown",
                                    I2,
                                    I3)
                            .edit(
                                    BATCHER,
                                    "wasNotSubmitted(failure) ? Progress.NOT_LEADER : Progress.UNKNOWN);",
                                    "Progress.NOT_LEADER);")
                            .edit(
                                    ClientBugs.COMMIT_QUEUE,
                                    """
                                    boolean atOnce = hunt.refused(asked, answer.getLeader());
                                    if (atOnce) {
                                        putBack(batch);
                                        pump();
                                    } else {
                                        again(batch, asking.hunting::afterFailures);
                                    }
                                    """,
                                    "hunt.refused(asked, answer.getLeader());"
                                            + ClientBugs.GIVE_UP),
                    PlantedBug.of(
                                    "snapshot-without-fences",
                                    3,
                                    "everything is decided from replicated state",
                                    REPLICAS)
                            .edit(
                                    REGISTRY + "shard/ShardSnapshot.java",
                                    """
                                    int slots = in.readInt();
                                    for (int i = 0; i < slots; i++) {
                                        fences.raise(in.readInt(), in.readInt());
                                    """,
                                    """
                                    int slots = in.readInt();
                                    for (int i = 0; i < slots; i++) {
                                        in.readLong();
                                    """),
                    PlantedBug.of(
                                    "snapshot-without-the-highest-timestamp",
                                    4,
                                    "maxAcceptedMicros is in snapshots and never lowered",
                                    REPLICAS)
                            .edit(SHARD, "maxAcceptedMicros = head.maxAcceptedMicros();", ""),
                    PlantedBug.of(
                                    "unlimited-commit-queue",
                                    3,
                                    "RESOURCE_EXHAUSTED on arrival: what waits is bounded",
                                    I6)
                            .edit(
                                    REGISTRY + "batch/WaitingCommits.java",
                                    "if (held + idCount > idsMax - ids) {",
                                    "if (idCount > idsMax) {"));
}
