package photon.joiner.task;

import static photon.core.error.Checks.check;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import photon.core.error.IoText;
import photon.core.id.Incarnation;
import photon.joiner.adapters.AdapterDecision;
import photon.joiner.output.OutputWriter;
import photon.joiner.rules.Attempt;
import photon.joiner.rules.CommitVerdict;
import photon.joiner.rules.JoinStage;
import photon.joiner.rules.Promise;
import photon.joiner.rules.TokenBook;
import photon.joiner.rules.UnmatchedRule;
import photon.proto.v1.Event;
import photon.proto.v1.JoinResult.Status;
import photon.registry.api.ControlClient.Renewed;
import photon.registry.api.RegistryClient.RemoveResult;

/**
 * Joins events under the tokens of one incarnation, until that ends. Every attempt that comes in is
 * answered exactly once; when the incarnation ends, with ABANDONED, and nothing of it is committed
 * or written after that.
 */
public final class JoinTask {
    /** Given with the answer that an event is joined without its primary event. */
    static final String JOINED_WITHOUT = "without its primary event";

    private final Incarnation incarnation;
    private final JoinTaskContext parts;
    private final Owner owner;
    private final PrimaryLookups lookups;
    private final AdapterCalls adapterCalls;
    private final LostTokenRemovals removals;
    private final CommitStep commits;
    private final OutputStep output;
    private final Set<Attempt> live = new LinkedHashSet<>();
    private final Unpublished unpublished = new Unpublished();
    private final Promise promise;
    private @Nullable Runnable drained;
    private long unpublishedRecords;
    private boolean ended;

    /**
     * @param writer makes the incarnation's writer, which will tell this listener
     */
    public JoinTask(
            Incarnation incarnation,
            JoinTaskContext parts,
            Owner owner,
            Function<OutputWriter.Listener, OutputWriter> writer) {
        this.incarnation = incarnation;
        this.parts = parts;
        this.owner = owner;
        this.lookups =
                new PrimaryLookups(
                        parts.main(),
                        parts.eventStores(),
                        JoinTaskContext.LOOKUP_BATCH_MAX,
                        JoinTaskContext.LOOKUPS_MAX,
                        parts.registry()::boundaryMicros,
                        parts.unmatched(),
                        parts.clock(),
                        new PrimariesHeard(),
                        parts.books()::lookupMoved);
        this.adapterCalls =
                new AdapterCalls(
                        parts.main(),
                        parts.adapter(),
                        parts.adapters(),
                        parts.adapterTimeout(),
                        new AdapterHeard());
        this.removals =
                new LostTokenRemovals(parts.main(), parts.registry(), this::lostTokenRemoved);
        this.promise = new Promise(parts.limits().expiryMargin());
        this.commits = new CommitStep(incarnation, parts, promise, new CommitsHeard());
        this.output = new OutputStep(parts, writer.apply(new OutputHeard()), this::recordsFlushed);
    }

    /** Hears when the incarnation must not go on. */
    public interface Owner {
        /** The last call. Everything was answered. */
        void ended(JoinTask task, TaskEnd end, String reason);

        /** A file was published: the output works. */
        void published(JoinTask task);

        /** Too many calls of the adapter hang: only a new process helps. */
        void adapterDoesNotEnd(String message);
    }

    public Incarnation incarnation() {
        return incarnation;
    }

    public TokenBook tokens() {
        return commits.tokens();
    }

    /** It commits nothing below. */
    public Promise promise() {
        return promise;
    }

    /**
     * Raises the promise, as far as may be with what is here and not published.
     *
     * @return what is promised from now on
     */
    public long raisePromise(Renewed heard) {
        long lowest = unpublished.lowestMicros();
        for (Attempt attempt : live) {
            if (!onlyLooks(attempt)) {
                lowest = Math.min(lowest, attempt.id().micros());
            }
        }
        return promise.raise(heard, lowest);
    }

    /** Takes an attempt that was admitted. */
    public void join(Attempt attempt) {
        check(!ended, "Expected incarnation %s to be live, but it has ended", incarnation);
        live.add(attempt);
        attempt.nextStage(parts.main().nanoTime());
        if (!attempt.isForcedUnmatched()) {
            lookups.add(attempt);
        } else if (parts.adapter().takesUnmatched()) {
            attempt.primaryMissed();
            adapterCalls.join(List.of(new PrimaryLookups.Found(attempt, null)));
        } else {
            answer(
                    attempt,
                    Status.RETRY_EVENT,
                    "it was joined without its primary event before that output was lost, and this"
                            + " adapter joins pairs only");
        }
    }

    /**
     * Calls back once nothing is in flight and all is published; never if the incarnation ends
     * before. The owner lets nothing in meanwhile.
     */
    public void drain(Runnable done) {
        drained = () -> output.publishAll(done);
        drainedIfEmpty();
    }

    /** Publishes what is written so far; nothing if the incarnation has ended. */
    public void publishNow() {
        output.publishAll(() -> {});
    }

    /** Answers everything with ABANDONED and tells the owner, once. */
    public void end(TaskEnd end, String reason) {
        if (ended) {
            return;
        }
        ended = true;
        output.end();
        commits.end();
        lookups.end();
        for (Attempt attempt : List.copyOf(live)) {
            answer(attempt, Status.ABANDONED, "joiner starts over: " + reason);
        }
        parts.books().incarnationEnded(unpublishedRecords);
        owner.ended(this, end, reason);
    }

    /** The last call after a drain: there is nothing to answer or to publish, and never will be. */
    public void closedClean() {
        check(
                live.isEmpty() && unpublishedRecords == 0,
                "Expected incarnation %s to be drained, but it has %s events, %s records",
                incarnation,
                live.size(),
                unpublishedRecords);
        ended = true;
        output.end();
        commits.end();
        lookups.end();
    }

    private void answer(Attempt attempt, Status status, String reason) {
        if (attempt.isAnswered()) {
            return;
        }
        attempt.answered();
        live.remove(attempt);
        Status told = attempt.isUpgrade() ? UnmatchedRule.ofUpgrade(attempt, status) : status;
        String said = attempt.isUpgrade() && told == Status.JOINED ? JOINED_WITHOUT : reason;
        parts.books().answered(told, attempt.weight());
        parts.traces().ended(attempt, told);
        attempt.asker().answer(attempt.number(), told, said);
        for (Attempt twin : attempt.twins()) {
            answer(twin, status, reason);
        }
        drainedIfEmpty();
    }

    private void drainedIfEmpty() {
        Runnable done = drained;
        if (done != null && live.isEmpty() && !ended) {
            drained = null;
            done.run();
        }
    }

    /** What cannot be written is as bad as what the adapter rejects itself. */
    private AdapterDecision writable(Attempt attempt, AdapterDecision decision) {
        String refusal =
                decision instanceof AdapterDecision.Emit emit
                        ? output.refusal(emit.events(), attempt.isRepair())
                        : null;
        return refusal == null ? decision : new AdapterDecision.Reject(refusal);
    }

    private void adapterDecided(Attempt attempt, AdapterDecision made) {
        if (attempt.isAnswered()) {
            return;
        }
        AdapterDecision decision = writable(attempt, made);
        boolean failure =
                decision instanceof AdapterDecision.Retry
                        || decision instanceof AdapterDecision.NotAsked
                        || decision instanceof AdapterDecision.Reject;
        boolean braked = parts.books().adapterDecided(failure);
        if (braked && failure) {
            answer(attempt, Status.RETRY_ALL, "the adapter fails for most events");
        } else if (decision instanceof AdapterDecision.Emit emit) {
            int heavier = attempt.heavierWith(emit.events());
            if (!parts.books().admission().grow(heavier)) {
                answer(attempt, Status.RESOURCE_EXHAUSTED, "too many joined bytes are in flight");
                return;
            }
            attempt.emitted(emit.events(), heavier);
            passed(JoinStage.ADAPTER, attempt);
            if (attempt.isRepair()) {
                removals.add(attempt);
            } else {
                commits.add(attempt);
            }
        } else if (decision instanceof AdapterDecision.Skip skip) {
            giveUp(attempt, Status.SKIPPED, skip.reason());
        } else if (decision instanceof AdapterDecision.NotAsked away) {
            answer(attempt, Status.RETRY_ALL, away.reason());
        } else if (decision instanceof AdapterDecision.Retry retry) {
            answer(attempt, Status.RETRY_EVENT, retry.reason());
        } else if (decision instanceof AdapterDecision.Reject reject) {
            giveUp(attempt, Status.REJECTED, reject.reason());
        }
    }

    /**
     * Its event is not to be joined. What a repair item gives up must be free as any other event
     * that is given up: held by its lost token, it would count as joined when its log is read
     * again.
     */
    private void giveUp(Attempt attempt, Status status, String reason) {
        if (attempt.isRepair() && !attempt.isUpgrade()) {
            attempt.givenUp(new Attempt.Ending(status, reason));
            removals.add(attempt);
        } else {
            answer(attempt, status, reason);
        }
    }

    private void lostTokenRemoved(Attempt attempt, @Nullable RemoveResult result) {
        if (attempt.isAnswered()) {
            return;
        }
        CommitVerdict verdict =
                result == null ? CommitVerdict.RETRY_EVENT : CommitVerdict.ofRemove(result);
        Attempt.Ending ending = attempt.ending();
        if (verdict == CommitVerdict.WRITE && ending != null) {
            answer(attempt, ending.status(), ending.reason());
        } else if (verdict == CommitVerdict.WRITE) {
            attempt.lostTokenRemoved();
            commits.add(attempt);
        } else if (verdict == CommitVerdict.OUTCOME_LOST) {
            answer(
                    attempt,
                    Status.OUTCOME_LOST,
                    "below the registry's boundary, held by " + attempt.lostToken());
        } else {
            answer(
                    attempt,
                    Status.RETRY_EVENT,
                    "lost token " + attempt.lostToken() + " is not fenced in its shard yet");
        }
    }

    /** It ends with the lookup of its primary event, whatever that finds. */
    private boolean onlyLooks(Attempt attempt) {
        return attempt.isWatched() && !parts.unmatched().upgrades();
    }

    /** In the place of one that has ended without an answer. */
    private void follow(Attempt ended, Attempt next) {
        live.remove(ended);
        parts.books().admission().shrink(ended.weight() - next.weight());
        join(next);
    }

    private void passed(JoinStage stage, Attempt attempt) {
        parts.books().passed(stage, attempt, parts.main().nanoTime());
    }

    private void recordsFlushed(List<Attempt> batch) {
        if (ended) {
            return;
        }
        commits.flushed(batch);
        unpublished.flushed(batch);
        int upgrades = (int) batch.stream().filter(Attempt::isUpgrade).count();
        int unmatched = (int) batch.stream().filter(Attempt::isUnmatched).count();
        parts.books().flushed(batch.size() - upgrades, unmatched, upgrades);
        long nanoTime = parts.main().nanoTime();
        for (Attempt attempt : batch) {
            parts.books().passed(JoinStage.WORK_LOG, attempt, nanoTime);
            answer(attempt, Status.JOINED, attempt.isUnmatched() ? JOINED_WITHOUT : "");
        }
    }

    private final class PrimariesHeard implements PrimaryLookups.Listener {
        @Override
        public void found(List<PrimaryLookups.Found> pairs) {
            long nanoTime = parts.main().nanoTime();
            List<PrimaryLookups.Found> joining = new ArrayList<>(pairs.size());
            for (PrimaryLookups.Found pair : pairs) {
                if (onlyLooks(pair.attempt())) {
                    answer(pair.attempt(), Status.PRIMARY_CAME, "");
                    continue;
                }
                joining.add(pair);
                Event primary = pair.primary();
                if (primary == null) {
                    pair.attempt().primaryMissed();
                } else {
                    pair.attempt().primaryFound(primary.getId());
                }
                parts.books().passed(JoinStage.PRIMARY, pair.attempt(), nanoTime);
            }
            adapterCalls.join(joining);
        }

        @Override
        public void notFound(Attempt attempt, Status status, String reason) {
            answer(attempt, status, reason);
        }
    }

    private final class AdapterHeard implements AdapterCalls.Listener {
        @Override
        public void decided(Attempt attempt, AdapterDecision decision) {
            adapterDecided(attempt, decision);
        }

        @Override
        public void refused(Attempt attempt, Status status, String reason) {
            answer(attempt, status, reason);
        }

        @Override
        public void tooManyDoNotEnd(String message) {
            owner.adapterDoesNotEnd(message);
        }
    }

    private final class CommitsHeard implements CommitStep.Listener {
        @Override
        public void accepted(Attempt attempt) {
            unpublishedRecords++;
            passed(JoinStage.COMMIT, attempt);
            parts.books().recordsAccepted(1);
            output.add(attempt);
        }

        @Override
        public void settled(Attempt attempt, Status status, String reason) {
            answer(attempt, status, reason);
        }

        @Override
        public void upgrade(Attempt attempt) {
            follow(attempt, attempt.upgrade());
        }

        @Override
        public void joinUnmatched(Attempt attempt) {
            follow(attempt, attempt.withoutPrimary());
        }

        @Override
        public void mustEnd(TaskEnd end, String reason) {
            JoinTask.this.end(end, reason);
        }
    }

    private final class OutputHeard implements OutputWriter.Listener {
        @Override
        public void published(int records) {
            if (!ended) {
                unpublished.published(records);
                unpublishedRecords -= records;
                parts.books().recordsPublished(records);
                owner.published(JoinTask.this);
            }
        }

        @Override
        public void failed(IOException why) {
            end(TaskEnd.OUTPUT_FAILED, "output failed: " + IoText.of(why));
        }
    }
}
