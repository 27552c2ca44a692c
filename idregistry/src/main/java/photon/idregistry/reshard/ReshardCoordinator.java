package photon.idregistry.reshard;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import photon.proto.v1.PrepareVerdict;
import photon.proto.v1.ReshardAttempt;
import photon.proto.v1.ReshardDecision;
import photon.proto.v1.ReshardState;
import photon.registry.api.RegistryClient.Shard;

/**
 * Leads one reshard attempt from its begin to its decision: prepare every shard of the last epoch,
 * decide. It remembers nothing that matters: a new one goes on where another died, since shards
 * that are prepared say so again, and several at once do no harm, since the decision is one
 * compare-and-set in the control group. What was decided needs no coordinator to come about (see
 * {@link ShardUpkeep}).
 *
 * <p>The owner sends each {@link Step} until there is a definite answer, tells it here, and asks
 * for the {@link #next} steps. Not thread-safe.
 */
public final class ReshardCoordinator {
    private final Set<Shard> prepared = new LinkedHashSet<>();
    private final List<Step> due = new ArrayList<>();
    private final List<Shard> toPrepare;
    private boolean abortAsked;
    private boolean settled;

    /** What is to be sent. */
    public sealed interface Step {
        /**
         * @param again true: it answered that it is too early, so after a pause
         */
        record Prepare(Shard shard, boolean again) implements Step {}

        /**
         * @param prepared the shards that said so
         * @param reason of an abort, for people
         */
        record Decide(ReshardDecision decision, List<Shard> prepared, String reason)
                implements Step {}
    }

    /**
     * @param attempt open, as of some index of the control group
     * @param lastShards of the last epoch of the map at that index, which it is built on
     */
    public ReshardCoordinator(ReshardAttempt attempt, List<Shard> lastShards) {
        toPrepare = List.copyOf(lastShards);
        settled = attempt.getState() != ReshardState.RESHARD_OPEN;
        if (!settled) {
            toPrepare.forEach(shard -> due.add(new Step.Prepare(shard, false)));
        }
    }

    /** What is to be sent now, each once. */
    public List<Step> next() {
        List<Step> now = List.copyOf(due);
        due.clear();
        return now;
    }

    /** True once there is nothing left to do. */
    public boolean isSettled() {
        return settled;
    }

    /** The answer to {@link Step.Prepare}. */
    public void prepared(Shard shard, PrepareVerdict verdict) {
        if (settled || abortAsked) {
            return;
        }
        switch (verdict) {
            case PREPARED -> {
                if (prepared.add(shard) && prepared.containsAll(toPrepare)) {
                    due.add(new Step.Decide(ReshardDecision.COMMIT, List.copyOf(prepared), ""));
                }
            }
            case PREPARE_TOO_EARLY -> due.add(new Step.Prepare(shard, true));
            case PREPARE_TOO_LATE ->
                    askForAbort(
                            "shard " + name(shard) + " has accepted an id at or after its start");
            // Settled: the answer says how.
            default -> askForAbort("shard " + name(shard) + " says " + verdict);
        }
    }

    /** The answer to {@link Step.Decide}. */
    public void decided(ReshardState state) {
        if (state != ReshardState.RESHARD_OPEN) {
            settled = true;
            due.clear();
        } else {
            // After a COMMIT that lacked a shard: cannot be, but an abort is always safe.
            askForAbort("not every shard was prepared");
        }
    }

    private static String name(Shard shard) {
        return shard.epoch() + "/" + shard.number();
    }

    private void askForAbort(String reason) {
        if (!settled && !abortAsked) {
            abortAsked = true;
            due.clear();
            due.add(new Step.Decide(ReshardDecision.ABORT, List.of(), reason));
        }
    }
}
