package photon.simulation.bugs;

import static photon.simulation.bugs.Check.I1;
import static photon.simulation.bugs.Check.I2;
import static photon.simulation.bugs.Check.I3;
import static photon.simulation.bugs.Check.I5;

import java.util.List;

/** Rules of the boundary: who says how far it may move. */
final class BoundaryBugs {
    private static final String REGISTRY = "idregistry/src/main/java/photon/idregistry/";
    private static final String SHARD = REGISTRY + "shard/ShardState.java";
    private static final String ADVANCER = REGISTRY + "server/boundary/BoundaryAdvancer.java";
    private static final String VOTES = REGISTRY + "boundary/ClockVotes.java";
    private static final String HOLDS = REGISTRY + "control/HoldRules.java";
    static final String PROMISE = "joiner/src/main/java/photon/joiner/rules/Promise.java";
    private static final String PASSED = "OptionalLong.of(votes.get(needed - 1));";

    private BoundaryBugs() {}

    private static PlantedBug bug(String name, String rule) {
        return PlantedBug.of(name, 5, rule, I5, I1, I2, I3);
    }

    static final List<PlantedBug> ALL =
            List.of(
                    bug("boundary-goes-back", "the boundary never goes back (and is not proposed)")
                            .edit(
                                    SHARD,
                                    "if (proposed > boundaryMicros) {",
                                    "if (proposed != boundaryMicros) {")
                            .edit(
                                    SHARD,
                                    """
                                    return targetMicros <= boundaryMicros
                                            ? boundaryMicros
                                    """,
                                    """
                                    return targetMicros <= boundaryMicros
                                            ? targetMicros
                                    """)
                            .edit(
                                    ADVANCER,
                                    "if (!at.busy && at.reachedMicros < limit) {",
                                    "if (!at.busy && at.reachedMicros != limit) {")
                            .edit(HOLDS, "Math.max(pipeline.limitMicros, target)", "target"),
                    bug("one-clock-decides", "a majority of clocks decides: one alone")
                            .edit(VOTES, "int needed = servers.size() / 2 + 1;", "int needed = 1;"),
                    bug("own-clock-decides", "a majority of clocks decides: the leader's own")
                            .edit(
                                    ADVANCER,
                                    "OptionalLong passed = majority.passedMicros();",
                                    "OptionalLong passed = OptionalLong.of("
                                            + "clock.now().earliestMicros());"),
                    bug(
                                    "most-clocks-are-not-enough",
                                    "what most clocks have passed, not what all have")
                            .edit(VOTES, PASSED, "OptionalLong.of(votes.get(votes.size() - 1));"),
                    bug(
                                    "votes-of-those-that-know-that-they-are-wrong",
                                    "an unsynchronised clock has no vote")
                            .edit(
                                    VOTES,
                                    "if (!last.vote().synchronised()) {",
                                    "if (last.vote().trouble().length() > 1_000) {"),
                    bug(
                                    "majority-of-those-that-answer",
                                    "a majority of all servers, not of those that vote")
                            .edit(
                                    VOTES,
                                    "int needed = servers.size() / 2 + 1;",
                                    "int needed = votes.size() / 2 + 1;"),
                    bug("retention-forgotten", "the boundary stays behind by the retention")
                            .edit(
                                    HOLDS,
                                    ": passedMicros - retention;",
                                    ": passedMicros - retention / 2;"),
                    bug(
                                    "boundary-passes-unrepaired",
                                    "no boundary passes what an open incarnation may hold")
                            .edit(
                                    HOLDS,
                                    "target = Math.min(target, generation.holdMicros);",
                                    "generation.holdMicros = Long.MIN_VALUE;"),
                    bug(
                                    "promised-above-what-is-unpublished",
                                    "a joiner promises nothing above what it has not published")
                            .edit(PROMISE, "Math.min(target, lowestUnpublishedMicros)", "target"),
                    bug(
                                    "commits-below-its-promise",
                                    "a joiner commits nothing below what it has promised")
                            .edit(PROMISE, "id.micros() < micros", "false"));
}
