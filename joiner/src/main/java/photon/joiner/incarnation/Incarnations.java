package photon.joiner.incarnation;

import static java.util.Objects.requireNonNull;
import static photon.core.error.Checks.check;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import photon.core.crash.CrashPoint;
import photon.core.id.Incarnation;
import photon.core.loop.EventLoop;
import photon.core.time.Backoff;
import photon.joiner.output.JoinerWorkArea;
import photon.joiner.output.OutputWriter;
import photon.joiner.rules.RollRule;
import photon.joiner.rules.TokenBook;
import photon.joiner.rules.TokenState;
import photon.joiner.task.JoinTask;
import photon.joiner.task.JoinTaskContext;
import photon.joiner.task.TaskEnd;
import photon.registry.api.ControlClient;
import photon.registry.api.RollRefusedException;

/**
 * Lives one incarnation after another: opens one, serves until it is time to roll on to the next
 * one, which opens meanwhile in the joiner's other slot, and drains the old one. When the one that
 * serves is fenced, or its output fails, it fences it and starts over; unless another process has
 * taken the slot, or it is told to close (docs/protocol.md sections 1 and 3). Owned by the main
 * loop.
 */
public final class Incarnations {
    private static final Logger log = LoggerFactory.getLogger(Incarnations.class);

    /** A drain after a roll is in nobody's way; what is not settled by then is repaired. */
    static final Duration DRAIN_MAX = Duration.ofMinutes(10);

    private final SlotIdentity slot;
    private final JoinTaskContext parts;
    private final EventLoop output;
    private final ControlClient control;
    private final OutputWriter.Rolling rolling;
    private final RandomGenerator random;
    private final Backoff backoff;
    private final LifeListener listener;
    private final Drains drains;
    private final Rolls rolls;

    private LifeState state = LifeState.NEW;
    private @Nullable LiveIncarnation serving;
    private @Nullable Opening opening;

    /** The last one in the first slot, where every process begins; null: there was none. */
    private @Nullable Incarnation lastInFirstSlot;

    /** Of the last one that was closed clean. */
    private @Nullable TokenBook closedTokens;

    private int restarts;
    private int rolled;
    private int endsInARow;
    private String lastTrouble = "";
    private boolean allClean = true;
    private @Nullable Consumer<Boolean> closed;
    private EventLoop.@Nullable Cancellable timer;

    public Incarnations(
            SlotIdentity slot,
            JoinTaskContext parts,
            EventLoop output,
            ControlClient control,
            OutputWriter.Rolling rolling,
            RollRule rule,
            RandomGenerator random,
            LifeListener listener) {
        this.slot = slot;
        this.parts = parts;
        this.output = output;
        this.control = control;
        this.rolling = rolling;
        this.random = random;
        this.backoff = new Backoff(slot.backoffMin(), slot.backoffMax(), random);
        this.listener = listener;
        this.drains = new Drains(slot, parts, control, this::drained);
        this.rolls = new Rolls(parts.main(), rule, backoff, new RollsOwner());
    }

    public void start() {
        check(state == LifeState.NEW, "Expected to start once, but it is %s", state);
        open();
    }

    public LifeState state() {
        return state;
    }

    /** Takes attempts; null while there is none to take them. */
    public @Nullable JoinTask admitting() {
        LiveIncarnation now = serving;
        return state == LifeState.SERVING && now != null ? now.task() : null;
    }

    /** One that drains publishes by itself. */
    public void publishNow() {
        if (serving != null) {
            serving.task().publishNow();
        }
    }

    /** The one that serves, also while the joiner closes. */
    public Optional<Incarnation> incarnation() {
        return Optional.ofNullable(serving).map(LiveIncarnation::incarnation);
    }

    /** The one that took new events before, and has not finished what it has. */
    public Optional<Incarnation> draining() {
        return drains.first().filter(one -> one != serving).map(LiveIncarnation::incarnation);
    }

    /** What became of a token of this joiner's present incarnations, or the one closed last. */
    public TokenState stateOf(int slotNumber, int generation, long sequence) {
        return books().stream()
                .map(book -> book.stateOf(slotNumber, generation, sequence))
                .filter(known -> known != TokenState.UNKNOWN)
                .findFirst()
                .orElse(TokenState.UNKNOWN);
    }

    /** What these books take of memory. */
    public long bookBytes() {
        return books().stream().mapToLong(TokenBook::bytes).sum();
    }

    private List<TokenBook> books() {
        List<TokenBook> books = new ArrayList<>();
        drains.all().forEach(live -> books.add(live.task().tokens()));
        // One that drains while the joiner closes serves, too.
        Stream.ofNullable(serving)
                .map(live -> live.task().tokens())
                .filter(book -> !books.contains(book))
                .forEach(books::add);
        Stream.ofNullable(closedTokens).forEach(books::add);
        return books;
    }

    /** How often the one that served has ended and another begun. */
    public int restarts() {
        return restarts;
    }

    /** How often another one has followed while it served. */
    public int rolled() {
        return rolled;
    }

    /** Why the last one ended, or what keeps the next from beginning; for people. */
    public String lastTrouble() {
        return lastTrouble;
    }

    /**
     * Admits nothing more, finishes what is in flight, publishes, and says so to the control group.
     * Past the bound it leaves the rest to the repair. Safe to call again only after it is done.
     *
     * @param done told whether the close was clean
     */
    public void close(Duration drainMax, Consumer<Boolean> done) {
        check(closed == null, "Expected one close at a time");
        closed = done;
        LiveIncarnation last = serving;
        allClean = state == LifeState.SERVING && last != null;
        become(LifeState.CLOSING);
        cancelTimer();
        stopOpening();
        // It holds nothing: no need to wait until it is silent, and is repaired.
        rolls.stop().ifPresent(this::closeUnused);
        if (last != null) {
            drains.begin(last, drainMax);
        }
        drains.bound(drainMax);
        stoppedIfDrained();
    }

    private void stoppedIfDrained() {
        if (state == LifeState.CLOSING && drains.isEmpty()) {
            stopped(allClean);
        }
    }

    /** For good, and with nothing under way. */
    private void stop() {
        String why = lastTrouble;
        rolls.stop();
        stopOpening();
        for (LiveIncarnation live : drains.all()) {
            live.end(TaskEnd.CLOSED, "the joiner stops: " + why);
        }
        lastTrouble = why;
        stopped(false);
    }

    private void stopped(boolean clean) {
        cancelTimer();
        serving = null;
        become(LifeState.STOPPED);
        Consumer<Boolean> done = closed;
        closed = null;
        if (done != null) {
            done.accept(clean);
        }
    }

    /**
     * Beside one that drains it takes the other slot, as in a roll: registered afresh, it would
     * fence that.
     */
    private void open() {
        Optional<LiveIncarnation> beside = drains.first();
        Opening begun =
                new Opening(
                        slot,
                        beside.map(live -> slot.pair().other(live.slotName()))
                                .orElse(slot.pair().first()),
                        beside.map(LiveIncarnation::incarnation),
                        parts,
                        output,
                        control,
                        random,
                        backoff,
                        new Opened());
        opening = begun;
        begun.start();
    }

    private void serve(String slotName, Renewals telling, JoinerWorkArea.Work work) {
        Incarnation incarnation = telling.incarnation();
        issuedIn(slotName, incarnation);
        JoinTask begun =
                new JoinTask(
                        incarnation,
                        parts,
                        new TaskListener(),
                        heard ->
                                new OutputWriter(
                                        parts.main(),
                                        output,
                                        work,
                                        rolling,
                                        parts.delays(),
                                        parts.crashPoints(),
                                        heard));
        LiveIncarnation live =
                new LiveIncarnation(slotName, begun, telling, parts.main().nanoTime());
        serving = live;
        become(LifeState.SERVING);
        telling.promises(begun, () -> rolls.renewed(live));
        log.info("{} serves as incarnation {}", slotName, incarnation);
        rolls.serving(live);
        listener.serving(incarnation);
    }

    private void issuedIn(String slotName, Incarnation incarnation) {
        if (slotName.equals(slot.pair().first())) {
            lastInFirstSlot = incarnation;
        }
    }

    private void roll(String slotName, Renewals telling, JoinerWorkArea.Work work) {
        LiveIncarnation old = requireNonNull(serving, "serving");
        check(drains.isEmpty(), "Expected one to drain at a time, but %s does", draining());
        serve(slotName, telling, work);
        rolled++;
        lastTrouble = "";
        parts.crashPoints().passed(CrashPoint.ROLLED);
        drains.begin(old, DRAIN_MAX);
    }

    private void drained(LiveIncarnation live, boolean clean) {
        if (clean) {
            closedTokens = live.task().tokens();
            log.info("Incarnation {} is closed clean", live.incarnation());
        } else {
            allClean = false;
            log.warn("Incarnation {} may not be closed clean: repaired then", live.incarnation());
        }
        parts.books().changed();
        stoppedIfDrained();
        rolls.consider();
    }

    private void ended(JoinTask task, TaskEnd end, String reason) {
        Incarnation incarnation = task.incarnation();
        LiveIncarnation drainedSoFar = drains.ended(task);
        LiveIncarnation now = serving;
        if (drainedSoFar == null && (now == null || now.task() != task)) {
            return;
        }
        lastTrouble = reason;
        if (end != TaskEnd.FENCED) {
            // The new registration fences it too: this makes it sooner, in every shard.
            inBackground(incarnation, control.fence(slot.pipeline(), incarnation));
        }
        if (drainedSoFar != null) {
            allClean = false;
            log.warn("{} is not closed clean, repair does the rest: {}", incarnation, reason);
            parts.books().changed();
            stoppedIfDrained();
            rolls.consider();
            return;
        }
        requireNonNull(now).stopRenewals();
        serving = null;
        rolls.stop();
        startOver(incarnation, end, reason);
    }

    private void startOver(Incarnation incarnation, TaskEnd end, String reason) {
        restarts++;
        endsInARow++;
        log.warn("{} ends incarnation {}: {}", slot.pair().joiner(), incarnation, reason);
        listener.startsOver(incarnation, end, reason, endsInARow);
        lookRound();
    }

    /** It has committed nothing: a repair would look through all ids to find that out. */
    private void closeUnused(Incarnation incarnation) {
        inBackground(incarnation, control.closeClean(slot.pipeline(), incarnation));
    }

    private static void inBackground(Incarnation incarnation, CompletableFuture<?> end) {
        end.whenComplete(
                (done, failure) -> log.debug("Incarnation {} ended", incarnation, failure));
    }

    /**
     * Before every new registration: it would fence whoever has the slots now, and a second process
     * in them would do the same to us. Each process begins in the first slot.
     */
    private void lookRound() {
        become(LifeState.LOOKING_ROUND);
        control.incarnations(slot.pipeline(), slot.pair().first())
                .whenComplete(
                        (known, failure) -> {
                            if (state != LifeState.LOOKING_ROUND) {
                                return;
                            }
                            if (failure != null) {
                                backOff(this::lookRound);
                                return;
                            }
                            Optional<String> takenOver =
                                    Optional.ofNullable(lastInFirstSlot)
                                            .flatMap(last -> slot.takeover().judge(known, last));
                            if (takenOver.isPresent()) {
                                lastTrouble = takenOver.get();
                                log.error("{}", takenOver.get());
                                stop();
                                listener.slotTakenOver(takenOver.get());
                            } else {
                                backOff(this::open);
                            }
                        });
    }

    private void backOff(Runnable next) {
        become(LifeState.BACKING_OFF);
        timer = parts.main().schedule(backoff.afterFailures(endsInARow), next);
    }

    private void become(LifeState next) {
        state = next;
        parts.books().changed();
    }

    private void stopOpening() {
        if (opening != null) {
            opening.stop();
            opening = null;
        }
    }

    private void cancelTimer() {
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
    }

    /** While none serves. */
    private final class Opened implements Opening.Listener {
        @Override
        public void becomes(LifeState stage) {
            become(stage);
        }

        @Override
        public void notYet(String trouble) {
            lastTrouble = trouble;
        }

        @Override
        public void opened(String slotName, Renewals renewals, JoinerWorkArea.Work work) {
            opening = null;
            serve(slotName, renewals, work);
        }

        @Override
        public void failed(String slotName, Incarnation issued, TaskEnd end, String reason) {
            opening = null;
            issuedIn(slotName, issued);
            lastTrouble = reason;
            if (end != TaskEnd.FENCED) {
                closeUnused(issued);
            }
            startOver(issued, end, reason);
        }

        @Override
        public void refused(RuntimeException why) {
            opening = null;
            if (why instanceof RollRefusedException) {
                // What drains is not live any more, and will hear so.
                endsInARow++;
                lookRound();
            } else {
                stop();
                listener.refused(requireNonNull(why.getMessage()));
            }
        }
    }

    private final class RollsOwner implements Rolls.Owner {
        @Override
        public boolean mayRoll() {
            return state == LifeState.SERVING && drains.isEmpty();
        }

        @Override
        public Opening opening(LiveIncarnation from, Opening.Listener heard) {
            return new Opening(
                    slot,
                    slot.pair().other(from.slotName()),
                    Optional.of(from.incarnation()),
                    parts,
                    output,
                    control,
                    random,
                    backoff,
                    heard);
        }

        @Override
        public void rolled(String slotName, Renewals renewals, JoinerWorkArea.Work work) {
            roll(slotName, renewals, work);
        }

        @Override
        public void useless(Incarnation issued) {
            closeUnused(issued);
        }

        @Override
        public void trouble(String why) {
            lastTrouble = why;
            parts.books().changed();
        }
    }

    private final class TaskListener implements JoinTask.Owner {
        @Override
        public void ended(JoinTask ended, TaskEnd end, String reason) {
            Incarnations.this.ended(ended, end, reason);
        }

        @Override
        public void published(JoinTask task) {
            endsInARow = 0;
            LiveIncarnation now = serving;
            if (now != null && now.task() == task) {
                now.published();
                rolls.consider();
            }
        }

        @Override
        public void adapterDoesNotEnd(String message) {
            lastTrouble = message;
            listener.adapterDoesNotEnd(message);
        }
    }
}
