package photon.simulation.bugs;

import java.util.List;

/**
 * Rules of members, of the disks behind their names, and of what may be written while versions
 * differ. No world changes its members: these are caught by tests ({@link CaughtByTests}).
 */
final class MemberBugs {
    private static final String REGISTRY = "idregistry/src/main/java/photon/idregistry/";
    private static final String RULES = REGISTRY + "control/MemberRules.java";
    private static final String CHANGE = REGISTRY + "members/GroupChange.java";

    private MemberBugs() {}

    private static PlantedBug bug(String name, String rule) {
        return PlantedBug.below(name, 11, rule);
    }

    static final List<PlantedBug> ALL =
            List.of(
                    bug(
                                    "feature-level-of-the-first-that-tells",
                                    "a level is written when every server has told that it"
                                            + " understands it")
                            .edit(RULES, ".min() .orElse(", ".max() .orElse("),
                    bug("feature-level-falls", "the feature level never falls")
                            .edit(
                                    RULES,
                                    "if (raised > featureLevel) {",
                                    "if (raised != featureLevel) {"),
                    bug(
                                    "upgrade-finalizes-itself",
                                    "beyond level 3 the way back is open until an operator finalizes"
                                            + " the upgrade")
                            .edit(RULES, "Math.min(all, FeatureLevel.RAISED_BY_OPERATOR)", "all"),
                    bug(
                                    "upgrade-finalized-too-early",
                                    "an upgrade is finalized when every server understands it")
                            .edit(
                                    RULES,
                                    "} else if (understoodByAll() < wanted) {",
                                    "} else if (wanted > wanted) {"),
                    bug(
                                    "older-software-let-in",
                                    "who understands less than may be written is not let in")
                            .edit(
                                    RULES,
                                    "level(request.getFeatureLevel()) < featureLevel;",
                                    "request.getFeatureLevel() < 0;"),
                    bug(
                                    "blank-disk-understands-what-the-lost-one-did",
                                    "a blank disk that is awaited has told nothing")
                            .edit(
                                    RULES,
                                    ".setJoining(true) .clearFeatureLevel()",
                                    ".setJoining(true)"),
                    bug(
                                    "removed-server-holds-the-level",
                                    "a server that was removed does not hold the level")
                            .edit(
                                    RULES,
                                    "roster.current().getServersList())); raiseFeatureLevel();",
                                    "roster.current().getServersList()));"),
                    bug("lost-disk-goes-first", "the new disk is a member before the lost one goes")
                            .edit(
                                    CHANGE,
                                    "Optional.empty(), Optional.of(next), unsafe(members, lost.peer()));",
                                    "Optional.of(lost.peer()), Optional.empty(),"
                                            + " unsafe(members, lost.peer()));"),
                    bug(
                                    "lost-disk-goes-before-the-new-one-follows",
                                    "the lost disk goes when the new one has caught up")
                            .edit(CHANGE, "come.get().isWell()", "come.isPresent()"),
                    bug(
                                    "one-disk-for-another-in-one-step",
                                    "one member comes or goes at a time, never one for another")
                            .edit(
                                    CHANGE,
                                    "check(out.isPresent() != in.isPresent(), \"Expected one to"
                                            + " come or one to go\");",
                                    "")
                            .edit(
                                    CHANGE,
                                    "Optional.empty(), Optional.of(next), unsafe(members, lost.peer()));",
                                    "Optional.of(lost.peer()), Optional.of(next),"
                                            + " unsafe(members, lost.peer()));"),
                    bug(
                                    "replaced-without-a-majority",
                                    "a disk is replaced only where a majority of the others is"
                                            + " there and up to date")
                            .edit(
                                    CHANGE,
                                    "Optional.of(next), unsafe(members, lost.peer()));",
                                    "Optional.of(next), \"\");"),
                    bug(
                                    "half-of-the-disks-replaced-at-once",
                                    "fewer than half of the disks are replaced at a time")
                            .edit(
                                    RULES,
                                    "2 * (others.size() + 1) >= servers",
                                    "others.size() > servers"),
                    bug("lost-disk-comes-back", "a disk that was declared lost never comes back")
                            .edit(
                                    RULES,
                                    "!member.getLostList().contains(request.getDisk())",
                                    "request.getDisk().size() > 0"));
}
