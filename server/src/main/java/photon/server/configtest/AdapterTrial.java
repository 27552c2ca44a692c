package photon.server.configtest;

import java.util.List;
import java.util.Optional;
import photon.core.config.DurationText;
import photon.core.config.PipelineConfig;
import photon.joiner.adapters.AdapterDecision;
import photon.joiner.adapters.Adapters;
import photon.joiner.adapters.PairAdapter;
import photon.server.configtest.rules.Finding;
import photon.server.configtest.rules.Matches;

/** Asks an adapter for its answers to the first pairs. */
final class AdapterTrial {
    private final PipelineConfig.Adapter config;
    private final BoundedCalls calls;

    AdapterTrial(PipelineConfig.Adapter config, BoundedCalls calls) {
        this.config = config;
        this.calls = calls;
    }

    /**
     * What came of it.
     *
     * @param first what is emitted first, otherwise the first answer; empty: there is none
     * @param findings what is wrong with the answers
     */
    record Outcome(Optional<AdapterDecision> first, List<Finding> findings) {}

    Outcome ask(List<Matches.Pair> pairs) {
        if (pairs.isEmpty()) {
            return new Outcome(Optional.empty(), List.of());
        }
        Optional<PairAdapter> adapter = calls.call(() -> Adapters.load(config));
        if (adapter.isEmpty()) {
            return hangs("the adapter %s is not made".formatted(config.type()));
        }
        AdapterDecision first = null;
        long begin = System.nanoTime();
        for (Matches.Pair pair : pairs) {
            Optional<AdapterDecision> decision = calls.call(() -> join(adapter.get(), pair));
            if (decision.isEmpty()) {
                return hangs(
                        "the adapter gives no answer for the foreign event '%s' and its primary event '%s'"
                                .formatted(pair.foreign().idText(), pair.primary().idText()));
            }
            if (decision.get() instanceof AdapterDecision.Emit) {
                return new Outcome(decision, List.of());
            }
            first = first == null ? decision.get() : first;
            if (System.nanoTime() - begin > calls.bound().toNanos()) {
                break; // All in all no longer than one may take.
            }
        }
        return new Outcome(
                Optional.ofNullable(first),
                first == null ? List.of() : List.of(nothingEmitted(first, pairs.size())));
    }

    private static AdapterDecision join(PairAdapter adapter, Matches.Pair pair) {
        return adapter.join(
                pair.foreign().toProto(),
                pair.foreign().id().micros(),
                pair.primary().toProto(),
                pair.primary().id().micros());
    }

    private Outcome hangs(String problem) {
        return new Outcome(
                Optional.empty(),
                List.of(
                        new Finding(
                                Finding.Severity.ERROR,
                                "adapter",
                                "%s within adapter.timeout, %s"
                                        .formatted(problem, DurationText.of(calls.bound())),
                                "A run interrupts a call that takes longer, and tries the event again without end: see what the adapter waits for, or allow it more time with adapter.timeout")));
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
