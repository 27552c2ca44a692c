package photon.dispatcher.flow;

import com.google.protobuf.ByteString;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import photon.core.time.IntervalClock;
import photon.dispatcher.rules.RetryPolicy;
import photon.dispatcher.rules.Stagger;
import photon.storage.journal.JournalRow;
import photon.storage.ledger.LedgerEntry;
import photon.storage.tail.TailBatch;

/**
 * Writes down what became of events, many at a time: while one settlement is made durable the next
 * is filled. An event is done only after what replaces it is durable (docs/protocol.md section 7).
 * Main loop.
 */
final class Settler {
    /** Repair rows first: what they repair was joined once already. */
    static final int REPAIR_PRIORITY = 0;

    static final int ORDINARY_PRIORITY = 1;

    /**
     * Of a process, for the sake of its memory: 26 MB of index. Events that are to be joined go
     * first.
     */
    static final int WATCHED_MAX = 1 << 18;

    private static final int STAGGERS_BEHIND = 5;
    private static final int HEAD_CHARS_MAX = 1_024;

    private final JournalWriter journal;
    private final IntervalClock clock;
    private final RowClock rowClock;
    private final Stagger stagger;
    private final Counters counters;
    private final int watchedMax;
    private final Consumer<JournalWriter.View> viewed;
    private Settlement filling = new Settlement();
    private boolean settling;

    /** As of the last settlement. */
    private int watchedRows;

    /**
     * @param watchedMax rows of events that were joined without their primary event
     * @param viewed told how the journal stands after each settlement, before its events are done
     */
    Settler(
            JournalWriter journal,
            IntervalClock clock,
            RowClock rowClock,
            Stagger stagger,
            Counters counters,
            int watchedMax,
            Consumer<JournalWriter.View> viewed) {
        this.journal = journal;
        this.clock = clock;
        this.rowClock = rowClock;
        this.stagger = stagger;
        this.counters = counters;
        this.watchedMax = watchedMax;
        this.viewed = viewed;
    }

    /** Joined. A row is deleted; an event of a log has nothing to be written. */
    void finish(PendingEvent pending, Runnable done) {
        if (pending.taken == null) {
            done.run();
        } else {
            filling.finished.add(pending.taken);
            filling.whenDurable.add(done);
        }
    }

    /** Its story ends in the ledger. */
    void enter(PendingEvent pending, RetryPolicy.Enter enter, Runnable done) {
        counters.entered(enter.kind());
        counters.tooLate += enter.tooOld() && !pending.waitedForPrimary() ? 1 : 0;
        filling.entries.add(
                new LedgerEntry(
                        enter.kind(),
                        pending.event.id(),
                        pending.event.idText(),
                        enter.reason(),
                        pending.path,
                        pending.offset,
                        pending.event.json().toStringUtf8(),
                        millis()));
        if (pending.taken != null) {
            filling.finished.add(pending.taken);
        }
        filling.whenDurable.add(done);
    }

    /** A row, due after the delay and, where another datacenter is preferred, the stagger. */
    void retry(PendingEvent pending, RetryPolicy.Retry retry, Runnable done) {
        long dueMillis =
                rowClock.millis()
                        + retry.delayMillis()
                        + (pending.isRepair() ? 0 : staggerMillis(pending, retry));
        if (pending.taken == null) {
            filling.puts.add(
                    new JournalRow(
                            pending.rowKey(),
                            pending.event,
                            pending.insertedMillis,
                            dueMillis,
                            retry.attempts(),
                            ORDINARY_PRIORITY,
                            retry.reason(),
                            retry.attemptOpen()));
        } else {
            filling.again.add(
                    new Settlement.Again(
                            pending.taken,
                            dueMillis,
                            retry.attempts(),
                            retry.reason(),
                            retry.attemptOpen()));
        }
        filling.whenDurable.add(done);
    }

    /**
     * Joined without its primary event: a row of its own stays, whatever row it came from, unless
     * there are too many such rows.
     *
     * @param watched hears of that row, and for which primary key, when it is durable
     */
    void watch(
            PendingEvent pending,
            RetryPolicy.Watch watch,
            Runnable done,
            BiConsumer<ByteString, JournalRow.Key> watched) {
        if (watchedRows + filling.follow.size() >= watchedMax) {
            counters.unwatched++;
            finish(pending, done);
            return;
        }
        if (pending.taken != null) {
            filling.finished.add(pending.taken);
        }
        long nowMillis = rowClock.millis();
        JournalRow.Key key = new JournalRow.Key(pending.event.id(), null);
        filling.follow.add(
                new JournalRow(
                        key,
                        pending.event,
                        nowMillis,
                        nowMillis + watch.delayMillis(),
                        0,
                        JournalRow.WATCHED_PRIORITY,
                        RetryPolicy.WATCHED,
                        false));
        filling.whenDurable.add(done);
        filling.whenDurable.add(() -> watched.accept(pending.event.primaryKey(), key));
    }

    /**
     * The longest time that a row is given until it is due, unless it is watched, or dated ahead.
     * At a start all of these may be looked for at once.
     *
     * @param policyMillis what the policy gives at the most
     */
    static long delayMaxMillis(long policyMillis, Stagger stagger) {
        return policyMillis + stagger.delay().toMillis() * STAGGERS_BEHIND;
    }

    /**
     * Where event stores are behind, both datacenters retry often, and an event's primary is found
     * in both at about the same time: then the one that is not preferred keeps further away, or
     * both would try it at once.
     */
    private long staggerMillis(PendingEvent pending, RetryPolicy.Retry retry) {
        long once = stagger.delayOf(pending.event.id()).toMillis();
        return retry.reason().equals(RetryPolicy.EVENT_STORE_BEHIND)
                ? once * STAGGERS_BEHIND
                : once;
    }

    void bad(TailBatch.Item item, TailBatch.BadRecord bad, Runnable done) {
        filling.entries.add(badEntry(item, bad, millis()));
        filling.whenDurable.add(done);
    }

    static LedgerEntry badEntry(TailBatch.Item item, TailBatch.BadRecord bad, long atMillis) {
        String head = new String(bad.head(), StandardCharsets.UTF_8);
        return new LedgerEntry(
                LedgerEntry.Kind.BAD_RECORD,
                null,
                "",
                bad.reason(),
                item.path(),
                item.offset(),
                head.substring(0, Math.min(head.length(), HEAD_CHARS_MAX)),
                atMillis);
    }

    /** Events whose output was lost, to be joined anew; the same row twice is one row. */
    void repair(List<RepairRow> repairs, Runnable durable) {
        long nowMillis = rowClock.millis();
        for (RepairRow repair : repairs) {
            counters.repairRows++;
            filling.puts.add(
                    new JournalRow(
                            new JournalRow.Key(repair.event().id(), repair.lostToken()),
                            repair.event(),
                            nowMillis,
                            nowMillis,
                            0,
                            REPAIR_PRIORITY,
                            "its output was lost",
                            true));
        }
        filling.whenDurable.add(durable);
    }

    /** These may well be joined now; elsewhere too, so that the stagger stands. */
    void due(List<JournalRow.Key> rows) {
        long nowMillis = rowClock.millis();
        List<JournalWriter.Due> due = new ArrayList<>(rows.size());
        for (JournalRow.Key row : rows) {
            long staggerMillis = row.lostToken() == null ? stagger.delayOf(row.id()).toMillis() : 0;
            due.add(new JournalWriter.Due(row, nowMillis + staggerMillis));
        }
        journal.due(due, viewed);
    }

    private long millis() {
        return clock.now().latestMicros() / 1_000;
    }

    /** Hands what is filled to the journal, unless it is still at work on the one before. */
    void flush() {
        if (settling || filling.isEmpty()) {
            return;
        }
        settling = true;
        Settlement settlement = filling;
        filling = new Settlement();
        journal.settle(
                settlement,
                view -> {
                    settling = false;
                    watchedRows = view.watched();
                    viewed.accept(view);
                    settlement.whenDurable.forEach(Runnable::run);
                });
    }

    /** Nothing waits to become durable. */
    boolean idle() {
        return !settling && filling.isEmpty();
    }
}
