package photon.registry.admin;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import photon.core.text.Columns;
import photon.idregistry.replicated.FeatureLevel;

/**
 * How far an upgrade of a registry is (docs/protocol.md section 11, Feature level).
 *
 * @param level what may be written; 0: not known
 * @param members in order
 */
public record UpgradeView(int level, List<Member> members) {
    /**
     * A server on the roster.
     *
     * @param understands what its software does, by its own word or what it has told; 0: not known
     * @param answers false: it may run another version by now
     */
    public record Member(String name, int understands, boolean answers) {}

    /** What is to be done next. */
    public enum Phase {
        /** Nothing. */
        DONE,
        /** Servers understand different levels: go on with the upgrade, or go back. */
        UNDER_WAY,
        /**
         * All understand a later level than may be written: until it is finalized, all may go back.
         */
        TO_BE_FINALIZED,
        /** A server has not told what it understands. */
        NOT_KNOWN
    }

    public UpgradeView {
        members = List.copyOf(members);
    }

    public static UpgradeView of(MembersView view) {
        List<Member> members = new ArrayList<>();
        for (String name : view.roster().getServersList()) {
            members.add(new Member(name, view.supported(name), view.answers(name)));
        }
        return new UpgradeView(view.featureLevel(), members);
    }

    /** The highest level that every member understands; 0: not known. */
    public int understoodByAll() {
        return members.stream().mapToInt(Member::understands).min().orElse(0);
    }

    /** The members that do not understand a level, as far as is known. */
    public List<String> behind(int wanted) {
        return members.stream()
                .filter(member -> member.understands() < wanted)
                .map(Member::name)
                .toList();
    }

    public Phase phase() {
        int most = members.stream().mapToInt(Member::understands).max().orElse(0);
        int all = understoodByAll();
        if (level == 0 || all == 0) {
            return Phase.NOT_KNOWN;
        }
        if (all < most) {
            return Phase.UNDER_WAY;
        }
        return all > level ? Phase.TO_BE_FINALIZED : Phase.DONE;
    }

    /** For people. */
    public String toText() {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("SERVER", "UNDERSTANDS", "STATE"));
        for (Member member : members) {
            rows.add(
                    List.of(
                            member.name(),
                            member.understands() == 0 ? "-" : String.valueOf(member.understands()),
                            member.answers() ? "answers" : "does not answer"));
        }
        return Columns.of("", rows) + summary() + "\n";
    }

    /** One sentence: how it stands, and what comes next. */
    public String summary() {
        int all = understoodByAll();
        return switch (phase()) {
            case NOT_KNOWN ->
                    "feature level %s: %s have not told what they understand. Wait until they have started"
                            .formatted(level == 0 ? "-" : level, behind(1));
            case UNDER_WAY ->
                    "feature level %d: the upgrade is under way. %s run an earlier version than the others. Upgrade them, or go back with the others"
                            .formatted(level, behind(all + 1));
            case TO_BE_FINALIZED ->
                    level < FeatureLevel.RAISED_BY_OPERATOR
                            ? "feature level %d: the servers are about to raise it to %d"
                                    .formatted(
                                            level, Math.min(all, FeatureLevel.RAISED_BY_OPERATOR))
                            : "feature level %d: every server understands %d. You may go back to the earlier version until you run 'photon upgrade finalize'"
                                    .formatted(level, all);
            case DONE ->
                    "feature level %d: nothing is to be done. A server of a version that understands less is refused"
                            .formatted(level);
        };
    }

    /** For programs. */
    public ObjectNode toJson() {
        ObjectNode document = JsonNodeFactory.instance.objectNode();
        document.put("featureLevel", level);
        document.put("understoodByAll", understoodByAll());
        document.put("phase", phase().name().toLowerCase(java.util.Locale.ROOT).replace('_', '-'));
        ArrayNode all = document.putArray("members");
        for (Member member : members) {
            all.addObject()
                    .put("name", member.name())
                    .put("understands", member.understands())
                    .put("answers", member.answers());
        }
        return document;
    }
}
