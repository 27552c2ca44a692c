package photon.simulation.bugs;

import java.util.List;

/** Bugs in what the registry does with ids that are joined unmatched. */
final class KindBugs {
    private static final String REGISTRY = "idregistry/src/main/java/photon/idregistry/";
    private static final String RULES = REGISTRY + "shard/OnceUnmatched.java";

    private KindBugs() {}

    static final List<PlantedBug> ALL =
            List.of(
                    PlantedBug.below(
                                    "unmatched-id-made-free",
                                    3,
                                    "an id that is taken from an unmatched token is not free")
                            .edit(
                                    RULES,
                                    "if (CommitToken.isUnmatched(row.sequence())) {",
                                    "if (row.slot() < 0) {"),
                    PlantedBug.below(
                                    "unmatched-id-joined-matched",
                                    3,
                                    "only an unmatched token gets an id that was held unmatched")
                            .edit(
                                    RULES,
                                    "return row.isToBeUnmatched() &&"
                                            + " CommitToken.isUnmatched(row.sequence());",
                                    "return row.isToBeUnmatched();"),
                    PlantedBug.below(
                                    "to-be-unmatched-is-held",
                                    3,
                                    "a lookup does not take an id that nobody holds for held")
                            .edit(
                                    REGISTRY + "table/LookupBatch.java",
                                    "row.holder == 0 || row.isToBeUnmatched()",
                                    "row.holder == 0"),
                    PlantedBug.below(
                                    "unmatched-tokens-before-all-know-them",
                                    3,
                                    "unmatched tokens are used when every server understands them")
                            .edit(
                                    REGISTRY + "server/control/ControlHandler.java",
                                    "request.getUsesUnmatchedKind() && level <"
                                            + " FeatureLevel.UNMATCHED_KIND",
                                    "request.getUsesUnmatchedKind() && level < 0"));
}
