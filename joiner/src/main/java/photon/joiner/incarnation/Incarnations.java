package photon.joiner.incarnation;

import static java.util.Objects.requireNonNull;
import static photon.core.error.Checks.check;

import java.io.IOException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import photon.core.error.Failures;
import photon.core.id.Incarnation;
import photon.core.loop.EventLoop;
import photon.core.time.Backoff;
import photon.joiner.output.JoinerWorkArea;
import photon.joiner.output.OutputWriter;
import photon.joiner.task.JoinTask;
import photon.joiner.task.JoinTaskContext;
import photon.joiner.task.TaskEnd;
import photon.registry.api.ControlClient;
import photon.registry.api.ControlClient.IncarnationState;
import photon.registry.api.ControlClient.Registration;
import photon.registry.api.ControlClient.Renewed;
import photon.registry.api.RegistrationRefusedException;

/**
 * Lives one incarnation after another: registers, makes the work directory, serves until it is
 * fenced or its output fails, fences itself, and starts over; unless another process has taken the
 * slot, or it is told to close (docs/protocol.md sections 1 and 3). Owned by the main loop; makes
 * work directories in the output loop.
 */
public final class Incarnations {
    private static final Logger log = LoggerFactory.getLogger(Incarnations.class);
    private static final int NONCE_BYTES = 16;

    private final SlotIdentity slot;
    private final JoinTaskContext parts;
    private final EventLoop output;
    private final ControlClient control;
    private final OutputWriter.Rolling rolling;
    private final RandomGenerator random;
    private final Backoff backoff;
    private final LifeListener listener;

    private LifeState state = LifeState.NEW;
    private @Nullable JoinTask task;
    private @Nullable Renewals renewals;
    private int restarts;
    private int endsInARow;
    private int registrationsFailed;
    private String lastTrouble = "";
    private @Nullable Consumer<Boolean> closed;
    private EventLoop.@Nullable Cancellable timer;

    public Incarnations(
            SlotIdentity slot,
            JoinTaskContext parts,
            EventLoop output,
            ControlClient control,
            OutputWriter.Rolling rolling,
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
    }

    public void start() {
        check(state == LifeState.NEW, "Expected to start once, but it is %s", state);
        register();
    }

    public LifeState state() {
        return state;
    }

    /** Takes attempts; null while there is none to take them. */
    public @Nullable JoinTask admitting() {
        return state == LifeState.SERVING ? task : null;
    }

    /** The live incarnation, also while it closes. */
    public @Nullable JoinTask task() {
        return task;
    }

    /** How often an incarnation has ended and another begun. */
    public int restarts() {
        return restarts;
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
        JoinTask closing = task;
        if (state != LifeState.SERVING || closing == null) {
            stop();
            done.accept(false);
            return;
        }
        closed = done;
        become(LifeState.CLOSING);
        timer =
                parts.main()
                        .schedule(
                                drainMax,
                                () -> closing.end(TaskEnd.CLOSED, "not drained in " + drainMax));
        closing.drain(() -> drained(closing));
    }

    private void drained(JoinTask closing) {
        if (closing != task || state != LifeState.CLOSING) {
            return;
        }
        control.closeClean(slot.pipeline(), closing.incarnation())
                .whenComplete(
                        (now, failure) -> {
                            if (closing == task && state == LifeState.CLOSING) {
                                task = null;
                                stopped(now == IncarnationState.CLEAN);
                            }
                        });
    }

    private void stop() {
        task = null;
        stopped(false);
    }

    private void stopped(boolean clean) {
        cancelTimer();
        stopRenewals();
        become(LifeState.STOPPED);
        Consumer<Boolean> done = closed;
        closed = null;
        if (done != null) {
            done.accept(clean);
        }
    }

    private void register() {
        byte[] nonce = new byte[NONCE_BYTES];
        random.nextBytes(nonce);
        register(
                new Registration(
                        slot.pipeline(),
                        slot.slotName(),
                        HexFormat.of().formatHex(nonce),
                        slot.address(),
                        slot.processId(),
                        slot.startedMicros(),
                        slot.identityFingerprint(),
                        parts.area().outputId()));
    }

    private void register(Registration registration) {
        become(LifeState.REGISTERING);
        control.register(registration)
                .whenComplete(
                        (incarnation, failure) -> {
                            if (state != LifeState.REGISTERING) {
                                return;
                            }
                            if (failure != null) {
                                notRegistered(registration, Failures.cause(failure));
                            } else {
                                hearLimit(registration, incarnation);
                            }
                        });
    }

    /**
     * Before it commits anything: no boundary is beyond the limit, and nothing is committed below.
     */
    private void hearLimit(Registration registration, Incarnation incarnation) {
        control.renew(slot.pipeline(), incarnation, Long.MIN_VALUE, slot.renewEvery())
                .whenComplete(
                        (heard, failure) -> {
                            if (state != LifeState.REGISTERING) {
                                return;
                            }
                            if (failure != null) {
                                notRegistered(registration, Failures.cause(failure));
                            } else {
                                registrationsFailed = 0;
                                openOutput(incarnation, heard);
                            }
                        });
    }

    private void notRegistered(Registration registration, Throwable failure) {
        lastTrouble = "not registered: " + failure.getMessage();
        if (failure instanceof RegistrationRefusedException) {
            stop();
            listener.refused(requireNonNull(failure.getMessage()));
            return;
        }
        log.warn("{} is not registered yet: {}", slot.slotName(), failure.toString());
        registrationsFailed++;
        // The same nonce: if the lost answer was a generation, it is ours.
        backOff(() -> register(registration));
    }

    private void openOutput(Incarnation incarnation, Renewed heard) {
        become(LifeState.OPENING_OUTPUT);
        // From now on: the file system may take its time.
        Renewals telling =
                new Renewals(parts.main(), control, slot, incarnation, () -> fenced(incarnation));
        renewals = telling;
        telling.start(heard);
        output.execute(
                () -> {
                    try {
                        JoinerWorkArea.Work work = parts.area().create(incarnation);
                        parts.main().execute(() -> serve(telling, work));
                    } catch (IOException e) {
                        parts.main().execute(() -> notOpened(telling, e));
                    }
                });
    }

    private void notOpened(Renewals telling, IOException why) {
        if (telling == renewals) {
            ended(telling.incarnation(), TaskEnd.OUTPUT_FAILED, "work directory not made: " + why);
        }
    }

    /** It was silent for too long, or a person has fenced it: what it holds is being repaired. */
    private void fenced(Incarnation incarnation) {
        String reason = "fenced: it did not renew in time, or a person has fenced its slot";
        JoinTask live = task;
        if (live != null) {
            live.end(TaskEnd.FENCED, reason);
        } else {
            ended(incarnation, TaskEnd.FENCED, reason);
        }
    }

    private void serve(Renewals telling, JoinerWorkArea.Work work) {
        if (telling != renewals) {
            return;
        }
        Incarnation incarnation = telling.incarnation();
        become(LifeState.SERVING);
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
        task = begun;
        telling.promises(begun);
        log.info("{} serves as incarnation {}", slot.slotName(), incarnation);
        listener.serving(incarnation);
    }

    private void ended(Incarnation incarnation, TaskEnd end, String reason) {
        task = null;
        stopRenewals();
        lastTrouble = reason;
        if (end != TaskEnd.FENCED) {
            fenceInBackground(incarnation);
        }
        if (state == LifeState.CLOSING) {
            log.warn("{} closed uncleanly, repair does the rest: {}", slot.slotName(), reason);
            stopped(false);
            return;
        }
        restarts++;
        endsInARow++;
        log.warn("{} ends incarnation {}: {}", slot.slotName(), incarnation, reason);
        listener.startsOver(incarnation, end, reason, endsInARow);
        lookRound(incarnation);
    }

    /** The new registration fences it too: this only makes it sooner, in every shard. */
    private void fenceInBackground(Incarnation incarnation) {
        control.fence(slot.pipeline(), incarnation)
                .whenComplete(
                        (fenced, failure) -> {
                            if (failure != null) {
                                log.debug("Incarnation {} not fenced", incarnation, failure);
                            }
                        });
    }

    /**
     * Before every new registration: it would fence whoever has the slot now, and a second process
     * in one slot would do the same to us.
     */
    private void lookRound(Incarnation last) {
        become(LifeState.LOOKING_ROUND);
        control.incarnations(slot.pipeline(), slot.slotName())
                .whenComplete(
                        (known, failure) -> {
                            if (state != LifeState.LOOKING_ROUND) {
                                return;
                            }
                            if (failure != null) {
                                backOff(() -> lookRound(last));
                                return;
                            }
                            Optional<String> takenOver = slot.takeover().judge(known, last);
                            if (takenOver.isPresent()) {
                                lastTrouble = takenOver.get();
                                log.error("{}", takenOver.get());
                                stop();
                                listener.slotTakenOver(takenOver.get());
                            } else {
                                backOff(this::register);
                            }
                        });
    }

    private void backOff(Runnable next) {
        become(LifeState.BACKING_OFF);
        int failures = Math.max(endsInARow, registrationsFailed);
        timer = parts.main().schedule(backoff.afterFailures(failures), next);
    }

    private void become(LifeState next) {
        state = next;
        parts.books().changed();
    }

    private void stopRenewals() {
        if (renewals != null) {
            renewals.stop();
            renewals = null;
        }
    }

    private void cancelTimer() {
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
    }

    private final class TaskListener implements JoinTask.Owner {
        @Override
        public void ended(JoinTask ended, TaskEnd end, String reason) {
            if (ended == task) {
                Incarnations.this.ended(ended.incarnation(), end, reason);
            }
        }

        @Override
        public void published() {
            endsInARow = 0;
        }

        @Override
        public void adapterDoesNotEnd(String message) {
            lastTrouble = message;
            listener.adapterDoesNotEnd(message);
        }
    }
}
