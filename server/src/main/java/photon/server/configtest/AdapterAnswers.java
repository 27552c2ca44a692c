package photon.server.configtest;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import photon.joiner.adapters.AdapterDecision;
import photon.storage.output.WorkRecord.JoinedEvent;

/** What an adapter made of the sampled pairs, counted. */
public final class AdapterAnswers {
    private static final int REASONS_MAX = 20;
    private static final String OTHERS = "other reasons";

    private final boolean merge;
    private final Map<String, Integer> decisions = new TreeMap<>();
    private final Map<String, Integer> reasons = new LinkedHashMap<>();
    private final Map<String, Integer> outputs = new LinkedHashMap<>();
    private int asked;
    private int threw;
    private String firstThrown = "";

    AdapterAnswers(boolean merge) {
        this.merge = merge;
    }

    void add(AdapterDecision decision) {
        asked++;
        if (decision instanceof AdapterDecision.Emit emit) {
            count(decisions, "emit");
            for (JoinedEvent event : emit.events()) {
                count(outputs, event.output());
            }
            return;
        }
        String reason = ConfigTestText.decision(decision);
        count(decisions, reason.substring(0, reason.indexOf(':')));
        count(
                reasons,
                reasons.size() < REASONS_MAX || reasons.containsKey(reason) ? reason : OTHERS);
        if (decision instanceof AdapterDecision.Retry
                || decision instanceof AdapterDecision.NotAsked) {
            firstThrown = threw++ == 0 ? reason : firstThrown;
        }
    }

    private static void count(Map<String, Integer> counts, String key) {
        counts.merge(key, 1, Integer::sum);
    }

    /** How many pairs. */
    int asked() {
        return asked;
    }

    /** That the adapter wants pairs again, in words; empty: none. */
    Optional<String> failures() {
        return threw == 0
                ? Optional.empty()
                : Optional.of(
                        "the adapter fails at %,d of %,d pairs; its answer to the first of them is %s"
                                .formatted(threw, asked, firstThrown));
    }

    /** How often it decided what, by name: emit, skip, retry, reject. */
    Map<String, Integer> decisions() {
        return decisions;
    }

    /** How often it decided so, by decision and reason. */
    Map<String, Integer> reasons() {
        return reasons;
    }

    /** How many events it emitted, by output. */
    Map<String, Integer> outputs() {
        return outputs;
    }

    /** For people; empty for the built-in adapter, which emits always. */
    List<String> lines() {
        if (merge || asked == 0) {
            return List.of();
        }
        StringBuilder line =
                new StringBuilder(
                        "The adapter's answers to the first %,d pairs: ".formatted(asked));
        String separator = "";
        for (Map.Entry<String, Integer> decision : decisions.entrySet()) {
            line.append(separator)
                    .append("%,d %s".formatted(decision.getValue(), decision.getKey()));
            separator = ", ";
        }
        List<String> lines = new java.util.ArrayList<>(List.of(line.append('.').toString()));
        reasons.entrySet().stream()
                .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
                .forEach(
                        reason ->
                                lines.add(
                                        "  %,d x %s"
                                                .formatted(reason.getValue(), reason.getKey())));
        return lines;
    }
}
