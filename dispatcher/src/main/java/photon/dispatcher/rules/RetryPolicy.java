package photon.dispatcher.rules;

import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.core.time.Backoff;
import photon.proto.v1.JoinResult;
import photon.storage.ledger.LedgerEntry;

/**
 * What follows from a joiner's answer: the end of the event, an entry in the ledger, a row in the
 * retry journal, or sending it again as soon as the sender may. Not thread-safe (its backoff draws
 * random numbers).
 */
public final class RetryPolicy {
    /** The reason of an event below the boundary: part of the books. */
    public static final String TOO_OLD = "too old";

    public static final String WAITING = "waiting for its primary event";

    /** Its primary event may well stand in a log that the event store has not read yet. */
    public static final String EVENT_STORE_BEHIND = "the event store is behind";

    /** The event store catches up at some moment; then these are to be tried soon. */
    static final long BEHIND_DELAY_MAX_MILLIS = 2_000;

    /** It is joined; its primary event is counted if it comes. */
    public static final String WATCHED = "joined without its primary event";

    /** So long an event is watched that was joined without its primary event, at the most. */
    public static final Duration WATCH_MAX = Duration.ofDays(1);

    /**
     * After this part of the time for which it has been watched, a watched event is looked for
     * again: some 55 looks in a day, however many are watched. The event store tells of most
     * primary events at once.
     */
    static final int WATCH_LOOKS = 8;

    private static final int LOOKS_AHEAD = 8;

    private static final Duration AHEAD_DELAY_MAX = Duration.ofHours(6);

    /** No clock that is kept is so wrong: of an event that waits for its primary event. */
    private static final Duration FAR_AHEAD = Duration.ofDays(1);

    public static final String AHEAD = "its timestamp is ahead of the registry's clock";

    /** Sent again this often, an event moves out of its file's way, into a row. */
    static final int RESENDS_MAX = 8;

    private final Backoff backoff;
    private final int retriesMax;
    private final LongSupplier latestMillis;

    /**
     * @param latestMillis what the time is at most, milliseconds since 1970; {@link
     *     Long#MAX_VALUE}: nobody knows
     */
    public RetryPolicy(Backoff backoff, int retriesMax, LongSupplier latestMillis) {
        this.backoff = backoff;
        this.retriesMax = retriesMax;
        this.latestMillis = latestMillis;
    }

    /**
     * What is known of an event when an answer comes.
     *
     * @param lostToken a repair row's, which is never given up for having failed often, only below
     *     the boundary: there the registry refuses it whatever comes
     * @param attemptOpen an earlier attempt was never answered, or abandoned
     * @param watched it was joined without its primary event
     * @param attempts failures of its own so far
     * @param resends how often it was sent again at once since it was read or taken
     * @param insertedMillis when it first came
     */
    public record State(
            EventId id,
            @Nullable CommitToken lostToken,
            boolean attemptOpen,
            boolean watched,
            int attempts,
            int resends,
            long insertedMillis) {
        boolean repair() {
            return lostToken != null;
        }
    }

    /** What to do with the event. */
    public sealed interface Next {}

    /** Joined, here or elsewhere. */
    public record Finish(boolean joinedHere) implements Next {}

    /**
     * Its story ends in the ledger.
     *
     * @param tooOld the boundary has passed it; an adapter that skips it may give the same reason
     */
    public record Enter(LedgerEntry.Kind kind, String reason, boolean tooOld) implements Next {
        public Enter(LedgerEntry.Kind kind, String reason) {
            this(kind, reason, false);
        }
    }

    /** To be tried again later; durable. */
    public record Retry(
            long delayMillis, int attempts, String reason, boolean attemptOpen, boolean failed)
            implements Next {
        /**
         * Whether it can be joined as soon as its primary event has come. What has failed for
         * another reason waits for its time: a primary event that is there already would have it
         * tried again at once, again and again.
         */
        public boolean forPrimary() {
            return !failed
                    && (reason.equals(WAITING)
                            || reason.equals(EVENT_STORE_BEHIND)
                            || reason.equals(WATCHED));
        }

        Retry afterFailure() {
            return new Retry(delayMillis, attempts, reason, attemptOpen, true);
        }
    }

    /** Joined without its primary event, which is looked for again after the delay. */
    public record Watch(long delayMillis) implements Next {}

    /** It was joined without its primary event, and is upgraded, or there is no more to be seen. */
    public record EndWatch(boolean primaryCame) implements Next {}

    /** To be sent again as soon as the sender may: the trouble is everybody's, not its own. */
    public record Resend(boolean attemptOpen) implements Next {}

    /**
     * @param boundaryMicros the highest boundary of the registry that is known
     */
    public Next answered(
            State state,
            JoinResult.Status status,
            String reason,
            long nowMillis,
            long boundaryMicros) {
        if (state.watched()) {
            return watched(state, status, reason, nowMillis, boundaryMicros);
        }
        return switch (status) {
            case JOINED -> reason.isEmpty() ? new Finish(true) : watch(state, nowMillis);
            case UPGRADED -> new EndWatch(!state.repair());
            case JOINED_ELSEWHERE -> new Finish(false);
            case SKIPPED -> new Enter(LedgerEntry.Kind.SKIPPED, said(reason, "skipped"));
            case REJECTED -> new Enter(LedgerEntry.Kind.DEAD_LETTER, said(reason, "rejected"));
            case OUTCOME_LOST ->
                    new Enter(LedgerEntry.Kind.OUTCOME_LOST, said(reason, "outcome lost"));
            case ID_TOO_OLD -> tooOld(state);
            case WAITING_FOR_PRIMARY ->
                    waiting(state, nowMillis, boundaryMicros, meansBehind(status, reason));
            case ID_IN_FUTURE -> untilItsTime(later(state, nowMillis, AHEAD), state, nowMillis);
            case RETRY_ALL, RESOURCE_EXHAUSTED -> everybodys(state, reason, nowMillis, false);
            case ABANDONED -> everybodys(state, reason, nowMillis, true);
            // An answer that this version does not know counts as passing until it has repeated.
            case RETRY_EVENT, PRIMARY_CAME, STATUS_UNSPECIFIED, UNRECOGNIZED ->
                    failed(state, status, reason, boundaryMicros);
        };
    }

    /** It is joined without its primary event, here or elsewhere. */
    public Watch watch(State state, long nowMillis) {
        return new Watch(later(state, nowMillis, WATCHED).delayMillis());
    }

    /** Its story has ended long ago: whatever comes, nothing of it enters a ledger. */
    private Next watched(
            State state,
            JoinResult.Status status,
            String reason,
            long nowMillis,
            long boundaryMicros) {
        if (state.id().micros() < boundaryMicros) {
            return new EndWatch(false);
        }
        if (nowMillis - state.insertedMillis() >= WATCH_MAX.toMillis()) {
            return new EndWatch(
                    status == JoinResult.Status.PRIMARY_CAME
                            || status == JoinResult.Status.UPGRADED);
        }
        return switch (status) {
            case PRIMARY_CAME, UPGRADED -> new EndWatch(true);
            // Its output was lost, and it is joined without its primary event once more.
            case JOINED -> reason.isEmpty() ? new EndWatch(false) : nextLook(state, nowMillis);
            // A joiner of an older version has tried to join it once more; or its upgrade is done.
            case JOINED_ELSEWHERE, SKIPPED, REJECTED, OUTCOME_LOST, ID_TOO_OLD ->
                    new EndWatch(false);
            case RETRY_ALL, RESOURCE_EXHAUSTED, ABANDONED ->
                    state.resends() < RESENDS_MAX
                            ? new Resend(state.attemptOpen())
                            : later(state, nowMillis, WATCHED).afterFailure();
            case WAITING_FOR_PRIMARY -> nextLook(state, nowMillis);
            case ID_IN_FUTURE, RETRY_EVENT, STATUS_UNSPECIFIED, UNRECOGNIZED ->
                    later(state, nowMillis, WATCHED).afterFailure();
        };
    }

    /** Of one whose primary event has not come; one that has failed is tried again sooner. */
    private Retry nextLook(State state, long nowMillis) {
        Retry usual = later(state, nowMillis, WATCHED);
        long watchedMillis = Math.max(0, nowMillis - state.insertedMillis());
        return new Retry(
                usual.delayMillis() + watchedMillis / WATCH_LOOKS,
                usual.attempts(),
                usual.reason(),
                usual.attemptOpen(),
                usual.failed());
    }

    /** No {@link Retry} is given a longer delay, unless its event is watched or dated ahead. */
    public long delayMaxMillis() {
        return backoff.max().toMillis();
    }

    /** Whether this answer says that every event would be answered so now. */
    public static boolean meansEverybody(JoinResult.Status status) {
        return status == JoinResult.Status.RETRY_ALL
                || status == JoinResult.Status.RESOURCE_EXHAUSTED
                || status == JoinResult.Status.ABANDONED;
    }

    /** Whether the event store had not read to the logs' end when it was asked. */
    public static boolean meansBehind(JoinResult.Status status, String reason) {
        return status == JoinResult.Status.WAITING_FOR_PRIMARY && !reason.isEmpty();
    }

    /**
     * Below the boundary nothing is joined any more. If an earlier attempt was not answered, or its
     * output was lost, it may be held: then nobody can tell (docs/protocol.md section 3). What
     * becomes of an upgrade is nothing that becomes of its event, which is joined.
     */
    public Next tooOld(State state) {
        if (state.lostToken() != null && state.lostToken().isUpgrade()) {
            return new Finish(false);
        }
        return state.repair() || state.attemptOpen()
                ? new Enter(LedgerEntry.Kind.OUTCOME_LOST, "too old to find out")
                : new Enter(LedgerEntry.Kind.SKIPPED, TOO_OLD, true);
    }

    /** No error and no count: the age limit alone, judged by the replicated boundary. */
    private Next waiting(
            State state, long nowMillis, long boundaryMicros, boolean eventStoreBehind) {
        if (state.id().micros() < boundaryMicros) {
            return tooOld(state);
        }
        if (eventStoreBehind) {
            return later(
                    state,
                    Math.min(nowMillis, state.insertedMillis() + BEHIND_DELAY_MAX_MILLIS),
                    EVENT_STORE_BEHIND);
        }
        Retry usual = later(state, nowMillis, WAITING);
        // Not by the rows' clock: if that began days behind, every event is ahead of it for good.
        long latest = latestMillis.getAsLong();
        return aheadMillis(state, latest) > FAR_AHEAD.toMillis()
                ? untilItsTime(usual, state, latest)
                : usual;
    }

    /**
     * Of an event that is dated ahead: the further, the more seldom it is tried. A producer that
     * takes one unit of time for another makes many whose time never comes, and each try is taken
     * from what others need.
     */
    private static Retry untilItsTime(Retry usual, State state, long nowMillis) {
        long part = aheadMillis(state, nowMillis) / LOOKS_AHEAD;
        return new Retry(
                Math.max(usual.delayMillis(), Math.min(part, AHEAD_DELAY_MAX.toMillis())),
                usual.attempts(),
                usual.reason(),
                usual.attemptOpen(),
                usual.failed());
    }

    private static long aheadMillis(State state, long nowMillis) {
        return state.id().micros() / 1_000 - nowMillis;
    }

    private Retry later(State state, long nowMillis, String reason) {
        long waited = Math.max(0, nowMillis - state.insertedMillis());
        return new Retry(
                backoff.afterWaiting(Duration.ofMillis(waited)).toMillis(),
                state.attempts(),
                reason,
                state.attemptOpen(),
                false);
    }

    private Next failed(State state, JoinResult.Status status, String reason, long boundaryMicros) {
        if (state.repair() && state.id().micros() < boundaryMicros) {
            return tooOld(state);
        }
        int attempts = state.attempts() + 1;
        String said = said(reason, status.name());
        if (attempts > retriesMax && !state.repair()) {
            return new Enter(
                    LedgerEntry.Kind.DEAD_LETTER, "%s (tried %d times)".formatted(said, attempts));
        }
        return new Retry(
                backoff.afterFailures(attempts).toMillis(),
                attempts,
                said,
                state.attemptOpen(),
                true);
    }

    private Next everybodys(State state, String reason, long nowMillis, boolean attemptOpen) {
        boolean open = state.attemptOpen() || attemptOpen;
        if (state.resends() < RESENDS_MAX) {
            return new Resend(open);
        }
        Retry retry = later(state, nowMillis, said(reason, "the joiner is not ready"));
        return new Retry(retry.delayMillis(), state.attempts(), retry.reason(), open, true);
    }

    private static String said(String reason, String otherwise) {
        return reason.isEmpty() ? otherwise : reason;
    }
}
