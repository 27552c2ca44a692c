package photon.joiner.rules;

import static java.util.Objects.requireNonNull;
import static photon.core.error.Checks.check;

import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.proto.v1.Event;
import photon.proto.v1.JoinResult.Status;
import photon.registry.api.RegistryClient.Shard;
import photon.storage.output.WorkRecord.JoinedEvent;

/**
 * One attempt at one foreign event, from admission to answer. It has at most one token in its life
 * (docs/protocol.md section 1).
 */
public final class Attempt {
    private final Asker asker;
    private final long number;
    private final Event event;
    private final EventId id;
    private final @Nullable CommitToken lostToken;
    private final boolean firstTry;
    private final boolean watched;
    private final Kind kind;
    private int weight;

    private AttemptState state = AttemptState.ADMITTED;
    private @Nullable CommitToken token;
    private @Nullable Shard shard;
    private ByteString primaryId = ByteString.EMPTY;
    private boolean unmatched;
    private List<JoinedEvent> joined = List.of();
    private List<Attempt> twins = List.of();
    private @Nullable Ending ending;

    /** Event stores that were asked for its primary event, a bit each by place. */
    private long storesAsked;

    /** One of them has looked, and did not find it. */
    private boolean storeLooked;

    /** One of them says so that it may be joined without. */
    private boolean mayBeUnmatched;

    /** When it came to the stage that it is in; measures only. */
    private long stageNanos;

    /** Null: nobody traces it. */
    private @Nullable AttemptTimes times;

    /**
     * @param number the asker's number of the event
     * @param lostToken a repair item's: to be removed from the id before the commit. It also says
     *     what was lost: the event, the event without its primary event, or its upgrade
     * @param attemptOpen an earlier attempt at the event may have been accepted
     */
    public Attempt(
            Asker asker,
            long number,
            Event event,
            EventId id,
            @Nullable CommitToken lostToken,
            boolean attemptOpen) {
        this(
                asker,
                number,
                event,
                lostToken != null && lostToken.isUpgrade() ? id.upgrade() : id,
                lostToken,
                attemptOpen,
                false,
                Kind.of(lostToken));
    }

    private Attempt(
            Asker asker,
            long number,
            Event event,
            EventId id,
            @Nullable CommitToken lostToken,
            boolean attemptOpen,
            boolean watched,
            Kind kind) {
        this.asker = asker;
        this.number = number;
        this.event = event;
        this.id = id;
        this.lostToken = lostToken;
        this.firstTry = lostToken == null && !attemptOpen;
        this.watched = watched;
        this.kind = kind;
        this.weight = AdmissionControl.weight(event);
    }

    /** At an event that was joined without its primary event: looks whether that has come since. */
    public static Attempt watching(Asker asker, long number, Event event, EventId id) {
        return new Attempt(asker, number, event, id, null, true, true, Kind.ORDINARY);
    }

    /** What it joins, and under which id. */
    private enum Kind {
        ORDINARY,
        /** An event that is joined without its primary event once more, with it. */
        UPGRADE,
        /** An event that may be joined without its primary event only. */
        WITHOUT;

        /** A repair item's token says what was lost. */
        static Kind of(@Nullable CommitToken lost) {
            if (lost == null) {
                return ORDINARY;
            }
            return lost.isUpgrade() ? UPGRADE : lost.isUnmatched() ? WITHOUT : ORDINARY;
        }
    }

    /**
     * Ends this one without an answer.
     *
     * @return the attempt that joins the event under the key of its upgrade, and is answered in its
     *     place
     */
    public Attempt upgrade() {
        return followedBy(id.upgrade(), Kind.UPGRADE);
    }

    /**
     * Ends this one without an answer.
     *
     * @return the attempt that joins the event without its primary event, whether that has come or
     *     not, and is answered in its place
     */
    public Attempt withoutPrimary() {
        return followedBy(id, Kind.WITHOUT);
    }

    private Attempt followedBy(EventId key, Kind next) {
        Attempt follows =
                new Attempt(asker, number, event, key, lostToken, !firstTry, watched, next);
        follows.times = times;
        follows.twins = twins;
        twins = List.of();
        become(AttemptState.ANSWERED);
        return follows;
    }

    /** Gets the answers: one an attempt. */
    @FunctionalInterface
    public interface Asker {
        void answer(long number, Status status, String reason);
    }

    public Asker asker() {
        return asker;
    }

    public long number() {
        return number;
    }

    public Event event() {
        return event;
    }

    public EventId id() {
        return id;
    }

    public boolean isRepair() {
        return lostToken != null;
    }

    /** A repair item's. */
    public @Nullable CommitToken lostToken() {
        return lostToken;
    }

    /** Its event was joined without the primary event, by what the asker knows. */
    public boolean isWatched() {
        return watched;
    }

    /** It joins an event once more, which is joined without its primary event. */
    public boolean isUpgrade() {
        return kind == Kind.UPGRADE;
    }

    /**
     * Its asker would give it up if it failed too often, and the event with it, which is joined:
     * nobody asks the registry about an event whose earlier attempt is open.
     */
    public boolean isUpgradeOfOpenEvent() {
        return isUpgrade() && !firstTry && !watched && lostToken == null;
    }

    /** Its event is joined with its primary event or not at all, by this attempt. */
    public boolean needsPrimary() {
        return watched || kind == Kind.UPGRADE;
    }

    /** Its event may be joined without its primary event only, whatever the configuration says. */
    public boolean isForcedUnmatched() {
        return kind == Kind.WITHOUT;
    }

    /** Nothing can have been accepted for the event before, as far as the asker knows. */
    public boolean isFirstTry() {
        return firstTry;
    }

    /** Bytes that count against the admission bound. */
    public int weight() {
        return weight;
    }

    /** By how much it is heavier with these than was counted when it came. */
    public int heavierWith(List<JoinedEvent> events) {
        long joinedBytes = 0;
        for (JoinedEvent one : events) {
            joinedBytes += one.bytes().size();
        }
        return Math.toIntExact(Math.max(0, joinedBytes - event.getSerializedSize()));
    }

    public AttemptState state() {
        return state;
    }

    public boolean isAnswered() {
        return state == AttemptState.ANSWERED;
    }

    /** From {@link AttemptState#COMMIT_SENT} on. */
    public CommitToken token() {
        return requireNonNull(token, "token");
    }

    /** The shard whose cap counts it, from {@link AttemptState#COMMIT_SENT} on. */
    public Shard shard() {
        return requireNonNull(shard, "shard");
    }

    /**
     * Packed, the primary event's, from {@link AttemptState#ADAPTING} on; empty if it is joined
     * without.
     */
    public ByteString primaryId() {
        return primaryId;
    }

    /** What the adapter emitted. */
    public List<JoinedEvent> joined() {
        return joined;
    }

    /** Attempts that are answered as this one is. */
    public List<Attempt> twins() {
        return twins;
    }

    /** It may be traced. */
    public void measure(AttemptTimes into) {
        times = into;
    }

    /** Null: nobody traces it. */
    public @Nullable AttemptTimes times() {
        return times;
    }

    /** It goes on to another stage. */
    public void nextStage(long nanoTime) {
        stageNanos = nanoTime;
    }

    /** How long it has been in the stage that it is in. */
    public long stageMicros(long nanoTime) {
        return (nanoTime - stageNanos) / 1_000;
    }

    /** Event stores that were asked for its primary event, a bit each by place. */
    public long storesAsked() {
        return storesAsked;
    }

    public void askedStore(int store) {
        storesAsked |= 1L << store;
    }

    /** Whether an event store has looked for its primary event, and did not find it. */
    public boolean hasStoreLooked() {
        return storeLooked;
    }

    /**
     * An event store did not find its primary event, and others may be asked.
     *
     * @param permitted it is old enough to be joined without, by what this one says
     */
    public void storeLooked(boolean permitted) {
        storeLooked = true;
        mayBeUnmatched |= permitted;
    }

    /** Whether an event store has said that it may be joined without its primary event. */
    public boolean mayBeUnmatched() {
        return mayBeUnmatched;
    }

    /**
     * @param primary packed id of the primary event
     */
    public void primaryFound(ByteString primary) {
        primaryId = primary;
        become(AttemptState.ADAPTING);
    }

    /** It is joined without its primary event. */
    public void primaryMissed() {
        unmatched = true;
        become(AttemptState.ADAPTING);
    }

    /** It is joined without its primary event, which did not come in time. */
    public boolean isUnmatched() {
        return unmatched;
    }

    /**
     * The adapter's work is done; a repair item goes to the removal of its lost token.
     *
     * @param heavier bytes by which it counts more from now on
     */
    public void emitted(List<JoinedEvent> events, int heavier) {
        check(!events.isEmpty(), "Expected joined events for %s, but got none", id);
        joined = events;
        weight += heavier;
        become(isRepair() ? AttemptState.REMOVING : AttemptState.WAITING_FOR_ROOM);
    }

    /** How an attempt that joins nothing is answered. */
    public record Ending(Status status, String reason) {}

    /** A repair item's event is not to be joined: answered so once its lost token is removed. */
    public void givenUp(Ending as) {
        check(isRepair(), "Expected a repair item, but %s is none", id);
        ending = as;
        become(AttemptState.REMOVING);
    }

    /** Null: it is to be joined. */
    public @Nullable Ending ending() {
        return ending;
    }

    public void lostTokenRemoved() {
        check(isRepair(), "Expected a repair item, but %s is none", id);
        become(AttemptState.WAITING_FOR_ROOM);
    }

    public void commitSent(CommitToken made, Shard countedIn) {
        become(AttemptState.COMMIT_SENT);
        token = made;
        shard = countedIn;
    }

    /** No copy of its commit is sent any more. */
    public void cancelling() {
        become(AttemptState.CANCELLING);
    }

    public void accepted() {
        become(AttemptState.ACCEPTED);
    }

    /** Its id is held by another attempt of this incarnation that is not flushed yet. */
    public void waitFor(Attempt holder) {
        check(
                holder.state == AttemptState.COMMIT_SENT
                        || holder.state == AttemptState.CANCELLING
                        || holder.state == AttemptState.ACCEPTED,
                "Expected the holder of %s at the registry or accepted, but it is %s",
                id,
                holder.state);
        become(AttemptState.WAITING_FOR_TWIN);
        if (holder.twins.isEmpty()) {
            holder.twins = new ArrayList<>(2);
        }
        holder.twins.add(this);
    }

    public void answered() {
        become(AttemptState.ANSWERED);
    }

    private void become(AttemptState next) {
        check(state.mayBecome(next), "Expected %s to become %s, but it is %s", id, next, state);
        state = next;
    }
}
