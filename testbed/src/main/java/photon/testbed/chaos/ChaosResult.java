package photon.testbed.chaos;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.registry.api.ShardMap;
import photon.testbed.history.Operation;

/** What a run has shown, as JSON and as lines for people. */
final class ChaosResult {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** A load that is contested less has not tried much. */
    private static final double CONTESTED_PERCENT_MIN = 25;

    private final ObjectNode root = JSON.createObjectNode();
    private final List<String> lines = new ArrayList<>();
    private final List<String> troubles = new ArrayList<>();
    private final List<String> forbidden = new ArrayList<>();
    private boolean right;

    /**
     * How the load went.
     *
     * @param unanswered attempts without a definite answer in the end
     * @param unknown how often an attempt had none in time, and was asked again
     * @param acceptedAfterLast commits accepted after the last thing had happened
     */
    record Loaded(long unanswered, long unknown, long acceptedAfterLast) {}

    ChaosResult(ChaosOptions options) {
        root.put("seed", options.seed());
        root.put("minutes", options.time().toMillis() / 60_000.0);
        root.put("replicas", ChaosOptions.REPLICAS);
        root.put("shardsAtFirst", options.shards());
        root.put("rate", options.rate());
        root.put("only", options.only().map(ActionKind::label).orElse(null));
        lines.add(
                "seed %d: %d replicas, %d commits/s"
                        .formatted(options.seed(), ChaosOptions.REPLICAS, options.rate()));
    }

    /** The registry, or this run, has not come right. */
    void trouble(String text) {
        troubles.add(text);
    }

    /** The registry has done what it must not, as was seen at once. */
    void forbidden(String text) {
        forbidden.add(text);
    }

    /** Everything that was to be counted, and the verdict. */
    void judged(
            ChaosOptions options, List<ActionRecord> story, Loaded loaded, Judge.Verdict verdict) {
        Gaps gaps = Gaps.of(verdict.operations(), verdict.map());
        double contested = contestedPercent(verdict.operations());
        actions(story, gaps);
        load(loaded, verdict, contested);
        root.put("longestGapMillis", gaps.longestNanos() / 1_000_000);
        ObjectNode map = root.putObject("map");
        map.put("epochs", verdict.map().lastEpoch().number());
        map.put("droppedEpochs", verdict.dropped());
        map.put("shards", verdict.map().lastEpoch().shards());
        lines.add(
                "epochs %d, %d of them dropped; longest gap of a shard %d ms"
                        .formatted(
                                verdict.map().lastEpoch().number(),
                                verdict.dropped(),
                                gaps.longestNanos() / 1_000_000));
        if (loaded.unanswered() > 0) {
            trouble(loaded.unanswered() + " attempts never had a definite answer");
        }
        if (loaded.acceptedAfterLast() == 0) {
            trouble("no commit was accepted after the last thing had happened");
        }
        if (contested < CONTESTED_PERCENT_MIN) {
            trouble("only %.0f %% of the operations were contested".formatted(contested));
        }
        if (story.size() < options.count().orElse(1)) {
            trouble(
                    "%d things have happened: expected %d"
                            .formatted(story.size(), options.count().orElse(1)));
        }
        verdict(verdict);
    }

    private void load(Loaded loaded, Judge.Verdict verdict, double contested) {
        Map<String, Integer> results = new TreeMap<>();
        for (Operation operation : verdict.operations()) {
            results.merge(
                    operation.kind().name().toLowerCase(Locale.ROOT)
                            + "-"
                            + operation.result().name().toLowerCase(Locale.ROOT),
                    1,
                    Integer::sum);
        }
        root.put("operations", verdict.operations().size());
        root.put("contestedPercent", Math.round(contested * 10) / 10.0);
        ObjectNode counts = root.putObject("answers");
        results.forEach(counts::put);
        root.put("askedAgainAfterTimeout", loaded.unknown());
        root.put("unanswered", loaded.unanswered());
        root.put("acceptedAfterLast", loaded.acceptedAfterLast());
        root.put("heldIds", verdict.findings().held());
        root.put("checkMillis", verdict.checkMillis());
        lines.add(
                "%,d operations, %.0f %% on contested ids: %s"
                        .formatted(verdict.operations().size(), contested, results));
    }

    private void actions(List<ActionRecord> story, Gaps gaps) {
        Map<ActionKind, List<ActionRecord>> byKind = new EnumMap<>(ActionKind.class);
        story.forEach(one -> byKind.computeIfAbsent(one.kind(), k -> new ArrayList<>()).add(one));
        ObjectNode kinds = root.putObject("actions");
        byKind.forEach((kind, all) -> kind(kinds.putObject(kind.label()), kind, all, gaps));
        ArrayNode told = root.putArray("story");
        long began = story.stream().mapToLong(ActionRecord::startNanos).min().orElse(0);
        for (ActionRecord one : story) {
            ObjectNode node = told.addObject();
            node.put("atSeconds", (one.startNanos() - began) / 1e9);
            node.put("kind", one.kind().label());
            node.put("what", one.what());
            node.put("outcome", one.outcome());
            node.put("tookMillis", (one.endNanos() - one.startNanos()) / 1_000_000);
            node.put("gapMillis", gapMillis(one, gaps));
        }
    }

    /** Until nothing is taken away any more. */
    private static long gapMillis(ActionRecord one, Gaps gaps) {
        return gaps.longestNanos(one.startNanos(), one.undoneNanos()) / 1_000_000;
    }

    private void kind(ObjectNode node, ActionKind kind, List<ActionRecord> all, Gaps gaps) {
        Map<String, Integer> outcomes = new TreeMap<>();
        all.forEach(one -> outcomes.merge(one.outcome(), 1, Integer::sum));
        long[] longest = all.stream().mapToLong(one -> gapMillis(one, gaps)).sorted().toArray();
        long untilWhole =
                all.stream()
                        .mapToLong(one -> gaps.longestNanos(one.startNanos(), one.endNanos()))
                        .max()
                        .orElse(0);
        node.put("count", all.size());
        ObjectNode counts = node.putObject("outcomes");
        outcomes.forEach(counts::put);
        node.put("medianGapMillis", longest[longest.length / 2]);
        node.put("longestGapMillis", longest[longest.length - 1]);
        node.put("longestGapUntilWholeMillis", untilWhole / 1_000_000);
        ArrayNode each = node.putArray("gapsMillis");
        Arrays.stream(longest).forEach(each::add);
        lines.add(
                "%-17s %3d %s; gap in commits: median %d ms, longest %d ms, until whole %d ms"
                        .formatted(
                                kind.label(),
                                all.size(),
                                outcomes,
                                longest[longest.length / 2],
                                longest[longest.length - 1],
                                untilWhole / 1_000_000));
    }

    private void verdict(Judge.Verdict verdict) {
        long violations = verdict.findings().violations() + forbidden.size();
        root.put("violations", violations + verdict.differences().size());
        right = violations == 0 && verdict.differences().isEmpty() && troubles.isEmpty();
        root.put("right", right);
        ArrayNode told = root.putArray("told");
        forbidden.forEach(told::add);
        verdict.findings().told().forEach(told::add);
        verdict.differences().forEach(root.putArray("differences")::add);
        troubles.forEach(root.putArray("troubles")::add);
        lines.add(
                "%s: %d violations, %d differences between replicas (checked in %d ms)"
                        .formatted(
                                right ? "right" : "WRONG",
                                violations,
                                verdict.differences().size(),
                                verdict.checkMillis()));
        lines.addAll(forbidden);
        lines.addAll(verdict.findings().told());
        lines.addAll(verdict.differences());
        troubles.forEach(text -> lines.add("trouble: " + text));
    }

    /** Of a run that came to no verdict. */
    void notJudged(List<ActionRecord> story) {
        root.put("right", false);
        root.putNull("violations");
        troubles.forEach(root.putArray("troubles")::add);
        actions(story, Gaps.of(List.of(), ShardMap.initial(1)));
        troubles.forEach(text -> lines.add("trouble: " + text));
        lines.add("WRONG: there is no verdict");
    }

    /** The part of the operations whose id several tokens wanted. */
    private static double contestedPercent(List<Operation> operations) {
        Map<EventId, CommitToken> first = new HashMap<>();
        Set<EventId> contested = new HashSet<>();
        for (Operation operation : operations) {
            CommitToken token = operation.token();
            if (operation.kind() == Operation.Kind.COMMIT && token != null) {
                CommitToken other = first.putIfAbsent(operation.id(), token);
                if (other != null && !other.equals(token)) {
                    contested.add(operation.id());
                }
            }
        }
        long on = operations.stream().filter(o -> contested.contains(o.id())).count();
        return operations.isEmpty() ? 0 : 100.0 * on / operations.size();
    }

    String toJson() {
        return root.toString();
    }

    List<String> lines() {
        return List.copyOf(lines);
    }

    /** 0 if all was right. */
    int exitStatus() {
        return right ? 0 : 1;
    }
}
