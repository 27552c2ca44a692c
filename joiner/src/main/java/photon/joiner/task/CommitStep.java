package photon.joiner.task;

import static java.util.Objects.requireNonNull;
import static photon.core.error.Checks.check;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import photon.core.crash.CrashPoint;
import photon.core.error.BugException;
import photon.core.id.CommitToken;
import photon.core.id.Incarnation;
import photon.core.loop.UnansweredCalls;
import photon.joiner.rules.Attempt;
import photon.joiner.rules.AttemptState;
import photon.joiner.rules.CommitCap;
import photon.joiner.rules.CommitVerdict;
import photon.joiner.rules.ExpiryMargin;
import photon.joiner.rules.OutOfTime;
import photon.joiner.rules.Promise;
import photon.joiner.rules.TokenBook;
import photon.proto.v1.JoinResult.Status;
import photon.registry.api.RegistryClient.CancelResult;
import photon.registry.api.RegistryClient.Commit;
import photon.registry.api.RegistryClient.CommitResult;

/**
 * Commits attempts below the cap of their shard, one batch a turn and a new token each, and does
 * what the verdict on each answer says (docs/protocol.md section 3). What has a copy without an
 * answer is cancelled before it is settled.
 */
final class CommitStep {
    private final Incarnation incarnation;
    private final JoinTaskContext parts;
    private final Listener listener;
    private final TokenBook tokens;
    private final CommitCap cap;
    private final ExpiryMargin expiryMargin;
    private final Promise promise;
    private final CancelStep cancels;
    private final CoalescedTask turn;
    private final OutOfTimeLog tooOld = new OutOfTimeLog("too old");
    private final OutOfTimeLog inFuture = new OutOfTimeLog("in the future");
    private final Map<Long, Attempt> open = new HashMap<>();
    private boolean ended;

    /**
     * @param promise commits nothing below
     */
    CommitStep(Incarnation incarnation, JoinTaskContext parts, Promise promise, Listener listener) {
        this.incarnation = incarnation;
        this.parts = parts;
        this.promise = promise;
        this.listener = listener;
        this.tokens = new TokenBook(incarnation);
        this.expiryMargin = new ExpiryMargin(parts.limits().expiryMargin());
        this.cancels = new CancelStep(parts.main(), parts.registry(), this::cancelled);
        this.turn = new CoalescedTask(parts.main(), this::send);
        this.cap = new CommitCap(parts.room(), turn::ask);
    }

    /** Hears what became of attempts, in the loop. */
    interface Listener {
        /** Write it, and say {@link CommitStep#flushed} afterwards. */
        void accepted(Attempt attempt);

        /** There is nothing to write. */
        void settled(Attempt attempt, Status status, String reason);

        /** Likewise, and it is followed by its upgrade. */
        void upgrade(Attempt attempt);

        /** Likewise, and it is followed by one without the primary event. */
        void joinUnmatched(Attempt attempt);

        /** This incarnation must not go on. */
        void mustEnd(TaskEnd end, String reason);
    }

    TokenBook tokens() {
        return tokens;
    }

    void add(Attempt attempt) {
        cap.add(parts.registry().shardOf(attempt.id()), attempt);
        turn.ask();
    }

    /** The attempts' records are flushed: they count no more. */
    void flushed(List<Attempt> attempts) {
        for (Attempt attempt : attempts) {
            tokens.flushed(attempt.token());
            release(attempt);
        }
    }

    /** Sends nothing and hears nothing from now on. */
    void end() {
        ended = true;
        cancels.end();
        open.clear();
        cap.end();
    }

    private void send() {
        if (ended) {
            return;
        }
        long boundaryMicros = parts.registry().boundaryMicros();
        List<Commit> batch = new ArrayList<>();
        for (CommitCap.Taken next = cap.take(); next != null; next = cap.take()) {
            Attempt attempt = next.attempt();
            if (!expiryMargin.permits(attempt.id(), attempt.isFirstTry(), boundaryMicros)) {
                cap.release(next.shard());
                String reason =
                        OutOfTime.nearBoundary(attempt.id(), boundaryMicros, expiryMargin.micros());
                tooOld.add(attempt, reason, parts.main().nanoTime());
                listener.settled(attempt, Status.ID_TOO_OLD, reason);
                continue;
            }
            if (promise.forbids(attempt.id())) {
                cap.release(next.shard());
                forbidden(attempt);
                continue;
            }
            CommitToken token = tokenOf(attempt);
            attempt.commitSent(token, next.shard());
            open.put(token.attempt(), attempt);
            batch.add(new Commit(attempt.id(), token));
        }
        if (!batch.isEmpty()) {
            UnansweredCalls.Call call =
                    parts.books().commits().sent(batch.size(), parts.main().nanoTime());
            parts.registry()
                    .commit(
                            batch,
                            (commit, result, holder, askedAgain) -> {
                                call.answered();
                                answered(commit, result, holder, askedAgain);
                            });
            parts.crashPoints().passed(CrashPoint.COMMIT_SENT);
        }
    }

    /** It tells the kind where that counts: only registries that know of it may see such tokens. */
    private CommitToken tokenOf(Attempt attempt) {
        CommitToken token = tokens.next();
        if (attempt.isUpgrade()) {
            return token.asUpgrade();
        }
        boolean tells =
                attempt.isUnmatched()
                        && (parts.unmatched().upgrades() || attempt.isForcedUnmatched());
        return tells ? token.asUnmatched() : token;
    }

    /** Of what is no first try, nobody else has said what became of it. */
    private void forbidden(Attempt attempt) {
        String reason = OutOfTime.promised(attempt.id(), promise.micros());
        tooOld.add(attempt, reason, parts.main().nanoTime());
        listener.settled(
                attempt, attempt.isFirstTry() ? Status.ID_TOO_OLD : Status.OUTCOME_LOST, reason);
    }

    private void answered(
            Commit commit, CommitResult result, @Nullable CommitToken holder, boolean askedAgain) {
        if (ended) {
            return;
        }
        Attempt attempt = attemptOf(commit, result);
        CommitVerdict verdict =
                CommitVerdict.of(
                        result, holder, incarnation, tokens, askedAgain, attempt.lostToken());
        if (verdict == CommitVerdict.CANCEL) {
            cancels.add(attempt, result, holder);
        } else {
            carryOut(verdict, attempt, holder);
        }
    }

    private void cancelled(CancelStep.Doubt doubt, CancelResult result) {
        Attempt attempt = doubt.attempt();
        CommitToken holder = doubt.holder();
        carryOut(
                CommitVerdict.ofCancel(
                        result, doubt.heard(), holder, incarnation, tokens, attempt.lostToken()),
                attempt,
                holder);
    }

    private void carryOut(CommitVerdict heard, Attempt attempt, @Nullable CommitToken holder) {
        switch (heard.ofKind(holder, attempt, parts.unmatched().upgrades())) {
            case WRITE -> {
                tokens.accepted(attempt.token());
                attempt.accepted();
                listener.accepted(attempt);
            }
            case FENCED ->
                    listener.mustEnd(TaskEnd.FENCED, "incarnation " + incarnation + " is fenced");
            case CANCEL_FULL ->
                    listener.mustEnd(
                            TaskEnd.CANCEL_FULL,
                            "the registry remembers no more cancelled tokens of incarnation "
                                    + incarnation
                                    + ", among them "
                                    + attempt.token());
            case LOST_WRITE ->
                    listener.mustEnd(
                            TaskEnd.LOST_WRITE,
                            "the registry holds "
                                    + attempt.id()
                                    + " for "
                                    + holder
                                    + ", of which there is no record");
            case WAIT_FOR_TWIN -> {
                Attempt twin = open.get(requireNonNull(holder).attempt());
                check(twin != null, "Expected an attempt for open token %s", holder);
                nothingToWrite(attempt);
                attempt.waitFor(requireNonNull(twin));
            }
            case JOINED_ELSEWHERE -> {
                parts.books().attemptWasted();
                settle(attempt, Status.JOINED_ELSEWHERE, "held by " + holder);
            }
            case JOINED -> settle(attempt, Status.JOINED, joinedAs(attempt, holder));
            case ID_TOO_OLD -> settle(attempt, Status.ID_TOO_OLD, below(attempt));
            case OUTCOME_LOST ->
                    settle(
                            attempt,
                            Status.OUTCOME_LOST,
                            below(attempt) + "; an earlier commit may have been accepted");
            case ID_IN_FUTURE -> settle(attempt, Status.ID_IN_FUTURE, ahead(attempt));
            case RETRY_EVENT ->
                    settle(attempt, Status.RETRY_EVENT, "the lost token still holds the id");
            case WAIT_FOR_PRIMARY -> settle(attempt, Status.WAITING_FOR_PRIMARY, "");
            case UPGRADE -> {
                nothingToWrite(attempt);
                listener.upgrade(attempt);
            }
            case JOIN_UNMATCHED -> {
                nothingToWrite(attempt);
                listener.joinUnmatched(attempt);
            }
            case CANCEL -> throw new BugException("Expected a cancel to settle " + attempt.id());
        }
    }

    private String below(Attempt attempt) {
        String reason = OutOfTime.below(attempt.id(), parts.registry().boundaryMicros());
        tooOld.add(attempt, reason, parts.main().nanoTime());
        return reason;
    }

    private String ahead(Attempt attempt) {
        String reason = OutOfTime.ahead(attempt.id(), parts.registry().latestMicros());
        inFuture.add(attempt, reason, parts.main().nanoTime());
        return reason;
    }

    private Attempt attemptOf(Commit commit, CommitResult result) {
        Attempt attempt = open.get(commit.token().attempt());
        check(
                attempt != null && attempt.state() == AttemptState.COMMIT_SENT,
                "Expected one answer to the commit of %s with %s, but got %s as well",
                commit.id(),
                commit.token(),
                result);
        return requireNonNull(attempt);
    }

    /** An attempt without its primary event finds that an earlier one's record is durable. */
    private static String joinedAs(Attempt attempt, @Nullable CommitToken holder) {
        return attempt.isUnmatched() && holder != null && holder.isUnmatched()
                ? JoinTask.JOINED_WITHOUT
                : "";
    }

    private void settle(Attempt attempt, Status status, String reason) {
        nothingToWrite(attempt);
        listener.settled(attempt, status, reason);
    }

    private void nothingToWrite(Attempt attempt) {
        tokens.settled(attempt.token());
        release(attempt);
    }

    private void release(Attempt attempt) {
        open.remove(attempt.token().attempt());
        cap.release(attempt.shard());
    }
}
