package photon.joiner.task;

import static java.util.Objects.requireNonNull;
import static photon.core.error.Checks.check;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import photon.core.id.CommitToken;
import photon.core.loop.EventLoop;
import photon.joiner.rules.Attempt;
import photon.joiner.rules.AttemptState;
import photon.registry.api.RegistryClient;
import photon.registry.api.RegistryClient.CancelResult;
import photon.registry.api.RegistryClient.Commit;
import photon.registry.api.RegistryClient.CommitResult;
import photon.registry.api.RegistryClient.Shard;

/**
 * Cancels tokens of which some copy has no answer, before they are settled (docs/protocol.md
 * section 3, Cancel). The attempts stay open meanwhile: under the cap, and in the way of the
 * promise. One batch per shard and turn, so that a shard without a leader keeps no other's attempts
 * waiting.
 */
final class CancelStep {
    private final EventLoop loop;
    private final RegistryClient registry;
    private final Listener listener;
    private final CoalescedTask turn;
    private List<Doubt> waiting = new ArrayList<>();
    private boolean ended;

    CancelStep(EventLoop loop, RegistryClient registry, Listener listener) {
        this.loop = loop;
        this.registry = registry;
        this.listener = listener;
        this.turn = new CoalescedTask(loop, this::send);
    }

    /**
     * What was heard of a commit of which some copy has no answer.
     *
     * @param holder with TAKEN
     */
    record Doubt(Attempt attempt, CommitResult heard, @Nullable CommitToken holder) {}

    /** Hears the answers, in the loop. */
    @FunctionalInterface
    interface Listener {
        void cancelled(Doubt doubt, CancelResult result);
    }

    /** From now on no copy of the attempt's commit may be sent. */
    void add(Attempt attempt, CommitResult heard, @Nullable CommitToken holder) {
        attempt.cancelling();
        waiting.add(new Doubt(attempt, heard, holder));
        turn.ask();
    }

    /** Sends nothing and hears nothing from now on. */
    void end() {
        ended = true;
        waiting = new ArrayList<>();
    }

    private void send() {
        Map<Shard, List<Doubt>> byShard = new TreeMap<>();
        for (Doubt doubt : waiting) {
            byShard.computeIfAbsent(doubt.attempt().shard(), shard -> new ArrayList<>()).add(doubt);
        }
        waiting = new ArrayList<>();
        byShard.values().forEach(this::send);
    }

    private void send(List<Doubt> doubts) {
        List<Commit> tokens =
                doubts.stream()
                        .map(d -> new Commit(d.attempt().id(), d.attempt().token()))
                        .toList();
        registry.cancel(tokens)
                .whenComplete((results, failure) -> loop.execute(() -> answered(doubts, results)));
    }

    private void answered(List<Doubt> doubts, @Nullable List<CancelResult> results) {
        if (ended) {
            return;
        }
        check(
                results != null && results.size() == doubts.size(),
                "Expected %s answers to a cancel, but got %s",
                doubts.size(),
                results);
        for (int i = 0; i < doubts.size() && !ended; i++) {
            Attempt attempt = doubts.get(i).attempt();
            check(
                    attempt.state() == AttemptState.CANCELLING,
                    "Expected %s to be cancelled, but it is %s",
                    attempt.id(),
                    attempt.state());
            listener.cancelled(doubts.get(i), requireNonNull(results).get(i));
        }
    }
}
