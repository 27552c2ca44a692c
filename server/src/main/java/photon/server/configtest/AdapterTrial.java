package photon.server.configtest;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import photon.core.config.DurationText;
import photon.core.config.PipelineConfig;
import photon.joiner.adapters.AdapterDecision;
import photon.joiner.adapters.AdapterHost;
import photon.joiner.adapters.PairAdapter;
import photon.joiner.adapters.load.Adapters;
import photon.server.configtest.rules.Finding;
import photon.server.configtest.rules.Matches;

/** Asks an adapter for its answers to the first pairs. */
final class AdapterTrial {
    private final String pipeline;
    private final PipelineConfig.Adapter config;
    private final BoundedCalls calls;

    AdapterTrial(PipelineConfig config, BoundedCalls calls) {
        this.pipeline = config.pipeline();
        this.config = config.adapter();
        this.calls = calls;
    }

    /**
     * What came of it.
     *
     * @param first what is emitted first, otherwise the first answer; empty: there is none
     * @param answers to all pairs that it was asked for
     * @param findings what is wrong with the answers
     */
    record Outcome(
            Optional<AdapterDecision> first, AdapterAnswers answers, List<Finding> findings) {}

    Outcome ask(List<Matches.Pair> pairs) {
        AdapterAnswers answers = new AdapterAnswers(config.isMerge());
        if (pairs.isEmpty()) {
            return new Outcome(Optional.empty(), answers, List.of());
        }
        Optional<PairAdapter> adapter =
                calls.call(
                        () -> Adapters.load(config, AdapterHost.trial(pipeline)),
                        ConfigTest.startMax(calls.bound()));
        if (adapter.isEmpty()) {
            return hangs(answers, "the adapter %s does not start".formatted(config.type()));
        }
        try (PairAdapter asked = adapter.get()) {
            return ask(asked, pairs, answers);
        }
    }

    private Outcome ask(PairAdapter adapter, List<Matches.Pair> pairs, AdapterAnswers answers) {
        AdapterDecision first = null;
        long begin = System.nanoTime();
        for (Matches.Pair pair : pairs) {
            Optional<AdapterDecision> decision = calls.call(() -> join(adapter, pair));
            if (decision.isEmpty()) {
                return hangs(
                        answers,
                        "the adapter gives no answer for the foreign event '%s' and its primary event '%s'"
                                .formatted(pair.foreign().idText(), pair.primary().idText()));
            }
            answers.add(decision.get());
            if (first == null
                    || (decision.get() instanceof AdapterDecision.Emit
                            && !(first instanceof AdapterDecision.Emit))) {
                first = decision.get();
            }
            if (config.isMerge() || System.nanoTime() - begin > calls.bound().toNanos()) {
                break; // All in all no longer than one may take.
            }
        }
        return new Outcome(Optional.ofNullable(first), answers, findings(first, answers));
    }

    private static List<Finding> findings(@Nullable AdapterDecision first, AdapterAnswers answers) {
        if (first != null && !(first instanceof AdapterDecision.Emit)) {
            return List.of(nothingEmitted(first, answers.asked()));
        }
        return answers
                .failures()
                .map(
                        failures ->
                                new Finding(
                                        Finding.Severity.WARNING,
                                        "adapter",
                                        failures,
                                        "A run tries such an event 20 times and then dead-letters"
                                                + " it: have the adapter skip or reject what it cannot"
                                                + " use"))
                .stream()
                .toList();
    }

    private static AdapterDecision join(PairAdapter adapter, Matches.Pair pair) {
        return adapter.join(
                pair.foreign().toProto(),
                pair.foreign().id().micros(),
                pair.primary().toProto(),
                pair.primary().id().micros());
    }

    private Outcome hangs(AdapterAnswers answers, String problem) {
        return new Outcome(
                Optional.empty(),
                answers,
                List.of(
                        new Finding(
                                Finding.Severity.ERROR,
                                "adapter",
                                "%s within adapter.timeout, %s"
                                        .formatted(problem, DurationText.of(calls.bound())),
                                "A run interrupts a call that takes longer, and tries the event"
                                        + " again without end: see what the adapter waits for, or allow"
                                        + " it more time with adapter.timeout")));
    }

    private static Finding nothingEmitted(AdapterDecision first, int pairs) {
        return new Finding(
                Finding.Severity.ERROR,
                "adapter",
                "the adapter emits nothing for the first %,d pairs; its answer to the first of them is %s"
                        .formatted(pairs, ConfigTestText.decision(first)),
                "");
    }
}
