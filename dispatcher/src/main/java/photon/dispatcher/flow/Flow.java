package photon.dispatcher.flow;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import photon.core.crash.CrashPoints;
import photon.core.error.BugHandler;
import photon.core.loop.EventLoop;
import photon.core.metrics.StageDelays;
import photon.core.rpc.SessionCaller;
import photon.dispatcher.rules.RetryPolicy;
import photon.dispatcher.state.DispatcherHealth;
import photon.dispatcher.state.DispatcherStatus;
import photon.proto.v1.JoinRequest;
import photon.proto.v1.JoinResponse;
import photon.proto.v1.JoinResult;
import photon.proto.v1.LogsResponse;
import photon.registry.api.RegistryClient;
import photon.storage.journal.JournalRow;
import photon.storage.tail.LogTail;

/**
 * The way of an event through a dispatcher: intake (and hold) - lookup - a joiner - settled. Each
 * part moves on when the pump comes round; it comes round once for all that has happened meanwhile,
 * so that work gathers into batches by itself. Main loop, but for {@link #status}.
 */
public final class Flow {
    private static final Duration DRAIN_LOOK = Duration.ofMillis(10);

    private final FlowSettings settings;
    private final EventLoop loop;
    private final RegistryClient registry;
    private final LogReader reader;
    private final JournalWriter journal;
    private final Counters counters = new Counters();
    private final RetryPolicy policy;
    private final RowClock rowClock;
    private final Settler settler;
    private final Intake intake;
    private final FrontierWatch frontier;
    private final WakeUps wakeUps;
    private final LookupStage lookups;
    private final JoinerLinks links;
    private final DispatchTraces traces;
    private final DueRows dueRows;
    private final Checkpoints checkpoints;
    private int liveInFlight;
    private int rowsInFlight;
    private long rowsWeight;
    private boolean pumpComing;
    private boolean stopping;
    private boolean stopped;
    private boolean closed;
    private final List<Runnable> whenClosed = new ArrayList<>();

    /** The files cannot be written any more: nothing becomes durable, so nothing is waited for. */
    private boolean stateLost;

    private EventLoop.@Nullable Cancellable timer;
    private volatile DispatcherStatus status = DispatcherStatus.NOTHING;

    /**
     * @param state claimed; the flow closes it
     * @param tail made from {@link StateFiles#resume()}; the flow closes it
     * @param joiners this datacenter's; at least one
     * @param eventStores this datacenter's
     * @param failures told when the state cannot be written, or belongs to somebody else by now:
     *     the flow does nothing more then
     */
    public Flow(
            FlowSettings settings,
            Loops loops,
            StateFiles state,
            LogTail tail,
            List<SessionCaller<JoinRequest, JoinResponse>> joiners,
            EventStoreCallers eventStores,
            RegistryClient registry,
            CrashPoints crashPoints,
            BugHandler failures) {
        this.settings = settings;
        this.loop = loops.main();
        this.registry = registry;
        this.reader = new LogReader(loops.reader(), loop, tail);
        this.journal =
                new JournalWriter(
                        loops.journal(),
                        loop,
                        state,
                        crashPoints,
                        () -> settings.clock().now().latestMicros() / 1_000,
                        (where, failure) -> {
                            loop.execute(() -> stateLost = true);
                            failures.onBug(where, failure);
                        });
        this.policy = settings.retryPolicy();
        this.rowClock = new RowClock(settings.clock(), loop);
        this.dueRows = new DueRows(journal, loop, rowClock, this::taken, this::wake);
        this.settler =
                new Settler(
                        journal,
                        settings.clock(),
                        rowClock,
                        settings.stagger(),
                        counters,
                        settings.watchedMax(),
                        this::viewed);
        this.lookups = new LookupStage(registry, loop, new AfterLookup());
        this.links = new JoinerLinks(joiners, loop, settings, counters, new AfterAttempt());
        this.traces = new DispatchTraces(settings.tracer(), loop);
        this.intake = new Intake(reader, loop, rowClock, settings, settler, counters, this::wake);
        this.frontier = new FrontierWatch(eventStores, loop, intake::heard);
        this.wakeUps = new WakeUps(eventStores, loop, settings.awaitedMax(), this::woken);
        this.checkpoints =
                new Checkpoints(
                        reader,
                        journal,
                        state.claimed(),
                        settings.clock(),
                        registry::boundaryMicros,
                        settings.limits().keepLedgers(),
                        settings.positionsMovedMax());
    }

    public void start() {
        counters.lastNewEventNanos = loop.nanoTime();
        long delayMaxMillis = Settler.delayMaxMillis(policy.delayMaxMillis(), settings.stagger());
        journal.begin(
                rowClock.millis(),
                delayMaxMillis,
                view -> {
                    viewed(view);
                    wake();
                });
        frontier.begin();
        loop.schedule(settings.checkpointEvery(), this::checkpointDue);
    }

    // ---- the pump

    private void wake() {
        if (!pumpComing && !stopped) {
            pumpComing = true;
            loop.execute(this::pump);
        }
    }

    private void pump() {
        pumpComing = false;
        if (stopped) {
            return;
        }
        intake.release();
        admit();
        dueRows.pump(rowsRoom());
        lookups.flush();
        links.flush();
        settler.flush();
        wakeUps.flush();
        if (intake.waitsForCheckpoint() && !stopping) {
            storeOffsets();
        }
        intake.poll();
        publishStatus();
        setTimer();
    }

    private void admit() {
        while (!stopping && liveInFlight < settings.liveInFlightMax()) {
            PendingEvent next = intake.next();
            if (next == null) {
                return;
            }
            liveInFlight++;
            next.admitted(loop.nanoTime());
            lookups.add(next);
        }
    }

    /** How many more rows may be on their way. */
    private int rowsRoom() {
        return rowsWeight >= settings.rowBytesMax() ? 0 : settings.rowsInFlightMax() - rowsInFlight;
    }

    private void taken(PendingEvent row) {
        rowsInFlight++;
        rowsWeight += row.event.weight();
        traces.takenUp(row);
        lookups.add(row);
    }

    /** Comes back at the next moment at which something is to be done without an input. */
    private void setTimer() {
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
        long next = Long.MAX_VALUE;
        if (liveInFlight < settings.liveInFlightMax()) {
            next = Intake.sooner(next, intake.holdNanos());
            next = Intake.sooner(next, intake.gateNanos());
        }
        if (rowsRoom() > 0) {
            next = Intake.sooner(next, dueRows.waitNanos());
        }
        next = Intake.sooner(next, links.pauseNanos());
        if (next != Long.MAX_VALUE) {
            Duration delay = Duration.ofNanos(Math.max(next, DRAIN_LOOK.toNanos()));
            timer = loop.schedule(delay, this::wake);
        }
    }

    // ---- what comes of a lookup, and of an attempt

    private final class AfterLookup implements LookupStage.Ways {
        @Override
        public void send(PendingEvent pending) {
            pending.lookedUp(loop.nanoTime());
            links.add(pending);
        }

        @Override
        public void alreadyJoined(PendingEvent pending) {
            Flow.this.alreadyJoined(pending);
        }

        @Override
        public void tooOld(PendingEvent pending) {
            carryOut(pending, policy.tooOld(pending.state()));
        }

        @Override
        public void answered() {
            wake();
        }
    }

    private final class AfterAttempt implements JoinerLink.Answers {
        @Override
        public void answered(
                JoinerLink by, PendingEvent pending, JoinResult.Status answer, String reason) {
            if (RetryPolicy.meansBehind(answer, reason)) {
                frontier.begin();
            }
            RetryPolicy.Next next =
                    policy.answered(
                            pending.state(),
                            answer,
                            reason,
                            rowClock.millis(),
                            registry.boundaryMicros());
            if (RetryPolicy.meansEverybody(answer)) {
                by.slowDown();
            } else {
                by.good();
            }
            carryOut(pending, next);
        }

        @Override
        public void afterAnswers() {
            wake();
        }
    }

    private void carryOut(PendingEvent pending, RetryPolicy.Next next) {
        if (next instanceof RetryPolicy.Finish finish) {
            if (finish.joinedHere()) {
                joinedHere(pending);
                settler.finish(pending, () -> done(pending));
            } else {
                alreadyJoined(pending);
            }
        } else if (next instanceof RetryPolicy.Enter enter) {
            traces.entered(pending, enter);
            settler.enter(pending, enter, () -> done(pending));
        } else if (next instanceof RetryPolicy.Retry retry) {
            traces.waits(pending, retry);
            settler.retry(pending, retry, () -> waits(pending, retry));
        } else if (next instanceof RetryPolicy.Watch watch) {
            joinedHere(pending);
            settler.watch(pending, watch, () -> done(pending), wakeUps::await);
        } else if (next instanceof RetryPolicy.EndWatch end) {
            traces.watchEnded(pending, end.primaryCame());
            settler.finish(
                    pending,
                    () -> {
                        counters.latePrimaries += end.primaryCame() ? 1 : 0;
                        done(pending);
                    });
        } else if (next instanceof RetryPolicy.Resend resend) {
            pending.attemptOpen = resend.attemptOpen();
            // Another joiner that can take it at once costs it nothing but the way there.
            pending.resends += links.anyReady() ? 0 : 1;
            links.add(pending);
        }
    }

    private void alreadyJoined(PendingEvent pending) {
        counters.alreadyJoined++;
        traces.alreadyJoined(pending);
        if (pending.joinedWithout) {
            RetryPolicy.Watch watch = policy.watch(pending.state(), rowClock.millis());
            settler.watch(pending, watch, () -> done(pending), wakeUps::await);
        } else {
            settler.finish(pending, () -> done(pending));
        }
    }

    private void joinedHere(PendingEvent pending) {
        pending.joined(counters.stages, loop.nanoTime());
        counters.joinedHere(pending.event.id(), settings.stagger());
        traces.joined(pending);
    }

    /** It is a row, durable and not on its way. */
    private void waits(PendingEvent pending, RetryPolicy.Retry retry) {
        done(pending);
        if (retry.forPrimary()) {
            wakeUps.await(pending.event.primaryKey(), pending.rowKey());
        }
    }

    private void woken(List<JournalRow.Key> rows) {
        counters.woken += rows.size();
        settler.due(rows);
    }

    /** Joined, or durable elsewhere. */
    private void done(PendingEvent pending) {
        if (pending.range != null) {
            liveInFlight--;
            intake.done(pending, pending.range);
        } else {
            rowsWeight -= pending.event.weight();
            rowsInFlight--;
        }
    }

    private void viewed(JournalWriter.View view) {
        dueRows.viewed(view);
        wake();
    }

    // ---- from outside, in the main loop

    /** {@code durable} is run once all rows are durable in the retry journal. Repeatable. */
    public void addRepairRows(List<RepairRow> repairs, Runnable durable) {
        settler.repair(repairs, durable);
        wake();
    }

    /**
     * Every row that is in the journal now is tried once more, however far off its due date.
     *
     * @param done completed in the main loop once each was: finished, or waiting again
     */
    public void retryAllWaiting(CompletableFuture<@Nullable Void> done) {
        dueRows.sweep(done);
    }

    /**
     * Tries now what would be tried later although it may be settled at once: events that wait for
     * another datacenter's turn, and rows that wait since the event store was behind. Worth it when
     * the other datacenters have seen their own events through, and the event store has read
     * everything. Repeatable.
     */
    public void tryDeferred() {
        intake.releaseHeld();
        journal.allDue(RetryPolicy.EVENT_STORE_BEHIND, rowClock.millis(), this::viewed);
        wake();
    }

    // ---- checkpoints and the end

    private void checkpointDue() {
        if (stopping) {
            return;
        }
        storeOffsets();
        loop.schedule(settings.checkpointEvery(), this::checkpointDue);
    }

    private void storeOffsets() {
        if (checkpoints.writing()) {
            return;
        }
        Map<Integer, Long> moved = intake.movedOffsets();
        if (!moved.isEmpty()) {
            checkpoints.store(
                    moved,
                    intake::retired,
                    () -> {
                        intake.named(moved.keySet());
                        wake();
                    });
        }
    }

    /**
     * Reads no more, waits for what is on its way, no longer than {@code drain}, stores the offsets
     * and closes the files. What was not done by then is read again in another life.
     */
    public void stop(Duration drain, Runnable done) {
        if (closed) {
            done.run();
            return;
        }
        whenClosed.add(done);
        if (stopping) {
            return;
        }
        stopping = true;
        intake.stop();
        frontier.stop();
        wakeUps.stop();
        dueRows.stop();
        long endNanos = loop.nanoTime() + drain.toNanos();
        lookDrained(endNanos);
    }

    private void lookDrained(long endNanos) {
        boolean onItsWay = liveInFlight > 0 || rowsInFlight > 0 || !dueRows.idle();
        boolean writing = checkpoints.writing() || !settler.idle();
        boolean late = loop.nanoTime() - endNanos >= 0;
        if (late) {
            links.close();
        }
        if (((onItsWay && !late) || writing) && !stateLost) {
            wake();
            loop.schedule(DRAIN_LOOK, () -> lookDrained(endNanos));
            return;
        }
        links.close();
        Map<Integer, Long> moved = intake.movedOffsets();
        if (moved.isEmpty() || stateLost) {
            closeFiles();
        } else {
            checkpoints.store(moved, intake::retired, this::closeFiles);
        }
    }

    private void closeFiles() {
        publishStatus();
        stopped = true;
        reader.close();
        journal.close(
                () -> {
                    closed = true;
                    whenClosed.forEach(Runnable::run);
                });
    }

    /** As of the last time something happened. Thread-safe. */
    public DispatcherStatus status() {
        return status;
    }

    /** How far the logs are read, for people. Answers in the main loop. */
    void tellOfLogs(int filesMax, Consumer<LogsResponse.Builder> answer) {
        reader.tell(filesMax, answer);
    }

    /** How long events took, as {@link StageDelays#counts}. Thread-safe. */
    public Map<String, SortedMap<Long, Long>> stages() {
        return counters.stages.counts();
    }

    /** How old the rows of the retry journal are that something holds up. Thread-safe. */
    public HeldUp.Rows heldUp() {
        return journal.heldUp();
    }

    /** Whether its reading gets through. Main loop. */
    public DispatcherHealth health() {
        OptionalLong since = reader.outage().sinceNanos();
        return new DispatcherHealth(
                since.isPresent() ? since : intake.readingNanos(), reader.outage().trouble());
    }

    private void publishStatus() {
        status =
                counters.status(
                        liveInFlight + rowsInFlight,
                        liveInFlight,
                        intake,
                        dueRows.view(),
                        checkpoints.files(),
                        journal.ledger());
    }
}
