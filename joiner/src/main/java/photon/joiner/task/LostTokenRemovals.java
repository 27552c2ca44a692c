package photon.joiner.task;

import static java.util.Objects.requireNonNull;
import static photon.core.error.Checks.check;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import photon.core.loop.EventLoop;
import photon.joiner.rules.Attempt;
import photon.registry.api.RegistryClient;
import photon.registry.api.RegistryClient.Commit;
import photon.registry.api.RegistryClient.RemoveResult;

/**
 * Removes the lost tokens of repair items, whose primary event is found and whose adapter has
 * decided by now, to emit or for good that there is nothing to join: nothing is removed before
 * that, so that an id whose event cannot be joined yet stays held (docs/protocol.md section 6).
 */
final class LostTokenRemovals {
    private final RegistryClient registry;
    private final Listener listener;
    private final CoalescedTask turn;
    private List<Attempt> waiting = new ArrayList<>();

    LostTokenRemovals(EventLoop loop, RegistryClient registry, Listener listener) {
        this.registry = registry;
        this.listener = listener;
        this.turn = new CoalescedTask(loop, this::send);
    }

    /** Hears the answers, in the loop. */
    interface Listener {
        /**
         * The attempt may have been answered meanwhile.
         *
         * @param result null: the registry did not say
         */
        void removed(Attempt attempt, @Nullable RemoveResult result);
    }

    void add(Attempt attempt) {
        waiting.add(attempt);
        turn.ask();
    }

    private void send() {
        List<Attempt> batch = waiting.stream().filter(attempt -> !attempt.isAnswered()).toList();
        waiting = new ArrayList<>();
        if (batch.isEmpty()) {
            return;
        }
        List<Commit> lost =
                batch.stream().map(a -> new Commit(a.id(), requireNonNull(a.lostToken()))).toList();
        registry.remove(lost).whenComplete((results, failure) -> answered(batch, results));
    }

    private void answered(List<Attempt> batch, @Nullable List<RemoveResult> results) {
        check(
                results == null || results.size() == batch.size(),
                "Expected %s answers to a remove, but got %s",
                batch.size(),
                results);
        for (int i = 0; i < batch.size(); i++) {
            listener.removed(batch.get(i), results == null ? null : results.get(i));
        }
    }
}
