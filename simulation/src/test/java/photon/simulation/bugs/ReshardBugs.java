package photon.simulation.bugs;

import static photon.simulation.bugs.Check.BUG;
import static photon.simulation.bugs.Check.I1;
import static photon.simulation.bugs.Check.I2;
import static photon.simulation.bugs.Check.I3;
import static photon.simulation.bugs.Check.REPLICAS;

import java.util.List;

/** Rules of a change of the shard map. */
final class ReshardBugs {
    static final String UPKEEP =
            "idregistry/src/main/java/photon/idregistry/reshard/ShardUpkeep.java";
    static final String COPY_FENCES =
            "return behind.isEmpty() ? null : ShardEntries.fence(behind);";

    private static final String CONTROL = "idregistry/src/main/java/photon/idregistry/control/";
    private static final String SERVER = "idregistry/src/main/java/photon/idregistry/server/";
    private static final String OLD_EPOCHS = SERVER + "reshard/OldEpochs.java";
    private static final String RULES = CONTROL + "ReshardRules.java";
    private static final String OWNERSHIP =
            "idregistry/src/main/java/photon/idregistry/shard/Ownership.java";

    private ReshardBugs() {}

    static final List<PlantedBug> ALL =
            List.of(
                    PlantedBug.of(
                                    "ownership-not-checked",
                                    4,
                                    "a shard decides only about ids that are its own by its map",
                                    I1)
                            .edit(
                                    OWNERSHIP,
                                    "if (!known.owns(shard, micros, stableHash)) {",
                                    "if (micros < 0) {"),
                    PlantedBug.of(
                                    "prepare-below-the-highest-accepted",
                                    4,
                                    "Prepare at or below the highest accepted timestamp is refused",
                                    I1,
                                    BUG)
                            .edit(
                                    OWNERSHIP,
                                    "if (startMicros <= maxAcceptedMicros) {",
                                    "if (startMicros < 0) {"),
                    PlantedBug.of(
                                    "prepared-goes-on-accepting",
                                    4,
                                    "a prepared shard refuses ids of the new epoch",
                                    I1,
                                    BUG)
                            .edit(
                                    OWNERSHIP,
                                    "return micros >= prepared.fromMicros()",
                                    "return prepared.fromMicros() == Long.MIN_VALUE"),
                    PlantedBug.of(
                                    "map-version-not-compared",
                                    4,
                                    "the decision is a compare-and-set on the map's version (it"
                                            + " settles all attempts on it, and asks who is"
                                            + " prepared)",
                                    I1,
                                    BUG)
                            .edit(
                                    RULES,
                                    "if (asked == ReshardDecision.ABORT || open.baseVersion() != pipeline.map.version()) {",
                                    "if (asked == ReshardDecision.ABORT) {")
                            .edit(
                                    RULES,
                                    "return prepared.containsAll(pipeline.map.lastShards());",
                                    "return !prepared.isEmpty();")
                            .edit(
                                    CONTROL + "ReshardAttempts.java",
                                    "open().forEach(this::abort);",
                                    ""),
                    PlantedBug.of(
                                    "decided-before-all-are-prepared",
                                    4,
                                    "every shard of the last epoch is prepared before the"
                                            + " decision",
                                    I1,
                                    BUG)
                            .edit(
                                    "idregistry/src/main/java/photon/idregistry/reshard/ReshardCoordinator.java",
                                    "if (prepared.add(shard) && prepared.containsAll(toPrepare)) {",
                                    "if (prepared.add(shard)) {")
                            .edit(
                                    RULES,
                                    "return prepared.containsAll(pipeline.map.lastShards());",
                                    "return !prepared.isEmpty();"),
                    PlantedBug.of(
                                    "settled-attempt-decided-again",
                                    4,
                                    "a settled attempt never changes",
                                    I1,
                                    I2,
                                    BUG)
                            .edit(
                                    CONTROL + "ReshardAttempts.java",
                                    "return attempt == null || !attempt.isOpen() ? null : attempt;",
                                    "return attempt;"),
                    PlantedBug.of(
                                    "prepared-does-not-ask",
                                    4,
                                    "a shard left prepared asks the control group by itself",
                                    I2,
                                    I3)
                            .edit(
                                    UPKEEP,
                                    "if (decided.reshards().isAborted(attempt)) {",
                                    "if (attempt < 0) {"),
                    PlantedBug.of(
                                    "new-group-never-told",
                                    4,
                                    "a new group that is not installed asks by itself",
                                    I2,
                                    I3)
                            .edit(
                                    UPKEEP,
                                    "if (installed == null || installed.version() < decided.map().version()) {",
                                    "if (installed == null ? decided.map().version() == 1 :"
                                            + " installed.version() < decided.map().version()) {"),
                    PlantedBug.of(
                                    "installed-without-fences",
                                    4,
                                    "Install carries the fence table (and leaders copy fences)",
                                    I1,
                                    I2,
                                    I3)
                            .edit(
                                    UPKEEP,
                                    "return ShardEntries.install(decided.map(), shard, decided.lowestLive());",
                                    "return ShardEntries.install(decided.map(), shard, new"
                                            + " TreeMap<>());")
                            .edit(UPKEEP, COPY_FENCES, "return null;"),
                    PlantedBug.of(
                                    "new-groups-not-fenced",
                                    4,
                                    "who fences lists the groups after the fence is recorded, the"
                                            + " new ones too",
                                    I2,
                                    I3)
                            .edit(
                                    CONTROL + "IncarnationRules.java",
                                    "answer.addShards(RegistryProtos.shardRef(pipeline.uuid, shard));",
                                    "if (shard.epoch() == 1) {"
                                            + " answer.addShards(RegistryProtos.shardRef(pipeline.uuid, shard));"
                                            + " }"),
                    PlantedBug.of(
                                    "older-map-installed",
                                    4,
                                    "an Install that is older than the shard's map is ignored"
                                            + " (and none is proposed)",
                                    I1,
                                    BUG,
                                    REPLICAS)
                            .edit(
                                    OWNERSHIP,
                                    "if (installed.follows(known)) {",
                                    "if (!installed.equals(known)) {")
                            .edit(
                                    UPKEEP,
                                    "if (installed == null || installed.version() < decided.map().version()) {",
                                    "if (installed == null || installed.version() !="
                                            + " decided.map().version()) {"),
                    PlantedBug.of(
                                    "accepted-before-install",
                                    4,
                                    "a new group accepts nothing before Install (and leaders copy"
                                            + " fences)",
                                    I1,
                                    I2,
                                    I3)
                            .edit(
                                    OWNERSHIP,
                                    """
                                    if (known == null || shard == null) {
                                        return Outcome.EPOCH_PREPARED_VALUE;
                                    """,
                                    """
                                    if (known == null || shard == null) {
                                        return Outcome.ACCEPTED_VALUE;
                                    """)
                            .edit(
                                    UPKEEP,
                                    "if (installed == null || installed.version() < decided.map().version()) {",
                                    "if (installed == null ? decided.map().version() == 1 :"
                                            + " installed.version() < decided.map().version()) {")
                            .edit(UPKEEP, COPY_FENCES, "return null;"),
                    PlantedBug.of(
                                    "dropped-before-its-last-id",
                                    4,
                                    "a group is dropped after the boundary has passed its last"
                                            + " possible id",
                                    I1,
                                    I2,
                                    I3,
                                    BUG)
                            .edit(
                                    CONTROL + "EpochRules.java",
                                    ">= next.startMicros());",
                                    ">= Long.MIN_VALUE);")
                            .edit(
                                    OLD_EPOCHS,
                                    "if (boundary < end) {",
                                    "if (boundary > Long.MAX_VALUE - 1) {"),
                    PlantedBug.of(
                                    "dropped-group-is-waited-for",
                                    4,
                                    "nobody waits for a group that was dropped",
                                    I2,
                                    I3)
                            .edit(
                                    SERVER + "groups/Groups.java",
                                    "return control().read(state -> state.dropped(ref));",
                                    "return Optional.empty();"),
                    PlantedBug.of(
                                    "dropped-group-made-anew",
                                    4,
                                    "a server that may have forgotten a drop makes no group",
                                    BUG)
                            .edit(
                                    SERVER + "control/Reconciler.java",
                                    "if (!groups.control().replayed()) {",
                                    "if (stopped) {"));
}
