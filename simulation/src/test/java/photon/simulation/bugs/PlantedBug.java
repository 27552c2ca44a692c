package photon.simulation.bugs;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * One rule taken out of the production code.
 *
 * @param section of docs/protocol.md that has the rule, or {@link #ID_TABLE} or {@link #LOG_INDEX}
 * @param rule what the code does not do any more
 * @param expected any of these may catch it in a world; none: it is below what worlds are made of,
 *     and {@link CaughtByTests} has it
 * @param edits all of them together are the bug: where a rule is only a second line of defence, the
 *     first is lost too
 */
record PlantedBug(String name, int section, String rule, Set<Check> expected, List<Edit> edits) {
    /** In place of a section: docs/decisions/0004 has the rule. */
    static final int ID_TABLE = 99;

    /** The same: docs/decisions/0007. */
    static final int LOG_INDEX = 100;

    PlantedBug {
        expected = Set.copyOf(expected);
        edits = List.copyOf(edits);
    }

    /**
     * @param path of the source file, relative to the repository
     * @param find must occur exactly once; white space counts as white space, however much
     */
    record Edit(String path, String find, String replacement) {}

    static PlantedBug of(String name, int section, String rule, Check first, Check... others) {
        return new PlantedBug(name, section, rule, EnumSet.of(first, others), List.of());
    }

    /** One that no world can catch. */
    static PlantedBug below(String name, int section, String rule) {
        return new PlantedBug(name, section, rule, Set.of(), List.of());
    }

    /** This bug with one more edit. */
    PlantedBug edit(String path, String find, String replacement) {
        List<Edit> more = new ArrayList<>(edits);
        more.add(new Edit(path, find, replacement));
        return new PlantedBug(name, section, rule, expected, more);
    }

    /** What has the rule, for docs/testing.md. */
    String place() {
        return switch (section) {
            case ID_TABLE -> "[table](decisions/0004-id-table-of-our-own.md)";
            case LOG_INDEX -> "[index](decisions/0007-log-index-of-our-own.md)";
            default -> Integer.toString(section);
        };
    }

    @Override
    public String toString() {
        return name;
    }
}
