package photon.idregistry.reshard;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import photon.idregistry.api.RegistryClient.Shard;
import photon.idregistry.api.ReshardClient.End;
import photon.idregistry.api.ReshardClient.Result;
import photon.idregistry.shard.ShardMap;
import photon.proto.v1.BeginReshardResponse;
import photon.proto.v1.DecideReshardResponse;
import photon.proto.v1.PrepareVerdict;
import photon.proto.v1.ReshardAttempt;
import photon.proto.v1.ReshardDecision;
import photon.proto.v1.ReshardState;

/**
 * Leads one reshard attempt to its decision: begin, prepare every shard of the last epoch, decide.
 * What it knows is heard anew after a crash: another one with the same nonce goes on with the same
 * attempt, and shards that are prepared say so again. An attempt that nobody leads any more is
 * aborted by the control group's leader. What was decided needs no coordinator to come about (see
 * {@link ShardUpkeep}).
 *
 * <p>The owner sends each {@link Step} until there is a definite answer, tells it here, and asks
 * for the {@link #next} steps. Not thread-safe.
 */
public final class ReshardCoordinator {
    private final Set<Shard> prepared = new LinkedHashSet<>();
    private final List<Step> due = new ArrayList<>();
    private @Nullable ReshardAttempt attempt;
    private List<Shard> toPrepare = List.of();
    private boolean giveUp;
    private boolean abortAsked;
    private @Nullable Result result;

    /** What is to be sent. */
    public sealed interface Step {
        /** Begin the attempt. */
        record Begin() implements Step {}

        /**
         * @param again true: it answered that it is too early, so after a pause
         */
        record Prepare(ReshardAttempt attempt, Shard shard, boolean again) implements Step {}

        /**
         * @param prepared the shards that said so
         */
        record Decide(ReshardAttempt attempt, ReshardDecision decision, List<Shard> prepared)
                implements Step {}
    }

    /** Begins, or goes on with, one attempt. */
    public ReshardCoordinator() {
        due.add(new Step.Begin());
    }

    /** What is to be sent now, each once. */
    public List<Step> next() {
        List<Step> now = List.copyOf(due);
        due.clear();
        return now;
    }

    /** Null until the attempt is settled. */
    public @Nullable Result result() {
        return result;
    }

    /** The answer to {@link Step.Begin}. */
    public void begun(BeginReshardResponse answer) {
        if (attempt != null || result != null) {
            return;
        }
        long version = answer.getMap().getVersion();
        if (answer.getVerdict() != BeginReshardResponse.Verdict.BEGUN) {
            end(End.REFUSED, version, "the control group says " + answer.getVerdict());
            return;
        }
        ReshardAttempt begun = answer.getAttempt();
        attempt = begun;
        if (begun.getState() != ReshardState.RESHARD_OPEN) {
            settled(begun.getState(), version);
        } else if (giveUp) {
            askForAbort(begun);
        } else {
            // The attempt is open, so that this map is the one that it is built on.
            toPrepare = ShardMap.of(answer.getMap()).lastShards();
            toPrepare.forEach(shard -> due.add(new Step.Prepare(begun, shard, false)));
        }
    }

    /** The answer to {@link Step.Prepare}. */
    public void prepared(Shard shard, PrepareVerdict verdict) {
        ReshardAttempt begun = attempt;
        if (begun == null || result != null || abortAsked) {
            return;
        }
        switch (verdict) {
            case PREPARED -> {
                if (prepared.add(shard) && prepared.containsAll(toPrepare)) {
                    due.add(new Step.Decide(begun, ReshardDecision.COMMIT, List.copyOf(prepared)));
                }
            }
            case PREPARE_TOO_EARLY -> due.add(new Step.Prepare(begun, shard, true));
            // Too late; or settled, and then the answer says how.
            default -> askForAbort(begun);
        }
    }

    /** The answer to {@link Step.Decide}. */
    public void decided(DecideReshardResponse answer) {
        if (result == null) {
            settled(answer.getState(), answer.getMap().getVersion());
        }
    }

    /** It has taken too long. It may be committed for all that: the result says. */
    public void giveUp() {
        giveUp = true;
        if (attempt != null && result == null) {
            askForAbort(attempt);
        }
    }

    private void askForAbort(ReshardAttempt begun) {
        if (!abortAsked) {
            abortAsked = true;
            due.removeIf(step -> step instanceof Step.Prepare);
            due.add(new Step.Decide(begun, ReshardDecision.ABORT, List.of()));
        }
    }

    private void settled(ReshardState state, long version) {
        switch (state) {
            case RESHARD_COMMITTED -> end(End.COMMITTED, version, "committed");
            case RESHARD_ABORTED ->
                    end(
                            End.ABORTED,
                            version,
                            giveUp
                                    ? "it took too long"
                                    : "a shard or another attempt was in its way");
            default -> {
                // Open, after a COMMIT that lacked a shard: cannot be, but an abort is always safe.
                if (attempt != null) {
                    askForAbort(attempt);
                }
            }
        }
    }

    private void end(End how, long version, String why) {
        due.clear();
        result = new Result(how, version, why);
    }
}
