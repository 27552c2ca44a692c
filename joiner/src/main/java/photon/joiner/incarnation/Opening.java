package photon.joiner.incarnation;

import java.io.IOException;
import java.util.HexFormat;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import photon.core.error.Failures;
import photon.core.error.IoText;
import photon.core.id.Incarnation;
import photon.core.loop.EventLoop;
import photon.core.time.Backoff;
import photon.joiner.output.JoinerWorkArea;
import photon.joiner.task.JoinTaskContext;
import photon.joiner.task.TaskEnd;
import photon.registry.api.ControlClient;
import photon.registry.api.ControlClient.Registration;
import photon.registry.api.ControlClient.Renewed;
import photon.registry.api.RegistrationRefusedException;
import photon.registry.api.RollRefusedException;

/**
 * Makes one incarnation that can serve: registers it, hears the boundaries' limit, and makes its
 * work directory. Asks again, with one nonce, while the registry does not answer. Owned by the main
 * loop; makes the directory in the output loop.
 */
final class Opening {
    private static final Logger log = LoggerFactory.getLogger(Opening.class);
    private static final int NONCE_BYTES = 16;

    private final SlotIdentity slot;
    private final JoinTaskContext parts;
    private final EventLoop output;
    private final ControlClient control;
    private final Backoff backoff;
    private final Registration registration;
    private final Listener listener;
    private @Nullable Renewals renewals;
    private @Nullable Incarnation issued;
    private int failures;
    private boolean ended;
    private EventLoop.@Nullable Cancellable timer;

    /**
     * @param slotName either of the joiner's two
     * @param rollsFrom lives on in the other slot; empty: it must not
     */
    Opening(
            SlotIdentity slot,
            String slotName,
            Optional<Incarnation> rollsFrom,
            JoinTaskContext parts,
            EventLoop output,
            ControlClient control,
            RandomGenerator random,
            Backoff backoff,
            Listener listener) {
        this.slot = slot;
        this.parts = parts;
        this.output = output;
        this.control = control;
        this.backoff = backoff;
        this.listener = listener;
        byte[] nonce = new byte[NONCE_BYTES];
        random.nextBytes(nonce);
        this.registration =
                new Registration(
                        slot.pipeline(),
                        slotName,
                        HexFormat.of().formatHex(nonce),
                        slot.address(),
                        slot.processId(),
                        slot.startedMicros(),
                        slot.identityFingerprint(),
                        parts.area().outputId(),
                        rollsFrom,
                        parts.unmatched().upgrades());
    }

    /** Hears how it goes, in the main loop. */
    interface Listener {
        /** It has come to this. */
        void becomes(LifeState stage);

        /** Nothing is registered yet; it asks again. */
        void notYet(String trouble);

        /** The last call: it may serve. */
        void opened(String slotName, Renewals renewals, JoinerWorkArea.Work work);

        /** The last call: the incarnation was issued, and is of no use. */
        void failed(String slotName, Incarnation issued, TaskEnd end, String reason);

        /** The last call: nothing was issued, and asking again is of no use. */
        void refused(RuntimeException why);
    }

    void start() {
        listener.becomes(LifeState.REGISTERING);
        control.register(registration)
                .whenComplete(
                        (incarnation, failure) -> {
                            if (ended) {
                                return;
                            }
                            if (failure != null) {
                                notRegistered(Failures.cause(failure));
                            } else {
                                issued = incarnation;
                                hearLimit(incarnation);
                            }
                        });
    }

    /** As far as it is known. */
    Optional<Incarnation> issued() {
        return Optional.ofNullable(issued);
    }

    /** Nothing is told from now on. What was issued is open, and nobody renews it. */
    void stop() {
        ended = true;
        if (timer != null) {
            timer.cancel();
        }
        if (renewals != null) {
            renewals.stop();
        }
    }

    /**
     * Before it commits anything: no boundary is beyond the limit, and nothing is committed below.
     */
    private void hearLimit(Incarnation incarnation) {
        control.renew(slot.pipeline(), incarnation, Long.MIN_VALUE, slot.renewEvery())
                .whenComplete(
                        (heard, failure) -> {
                            if (ended) {
                                return;
                            }
                            if (failure != null) {
                                notRegistered(Failures.cause(failure));
                            } else {
                                openOutput(incarnation, heard);
                            }
                        });
    }

    private void notRegistered(Throwable failure) {
        listener.notYet("not registered: " + failure.getMessage());
        if (ended) {
            return;
        }
        if (failure instanceof RegistrationRefusedException
                || failure instanceof RollRefusedException) {
            ended = true;
            listener.refused((RuntimeException) failure);
            return;
        }
        log.warn("{} is not registered yet: {}", registration.slotName(), failure.toString());
        failures++;
        listener.becomes(LifeState.BACKING_OFF);
        // The same nonce: if the lost answer was a generation, it is ours.
        timer = parts.main().schedule(backoff.afterFailures(failures), this::start);
    }

    private void openOutput(Incarnation incarnation, Renewed heard) {
        listener.becomes(LifeState.OPENING_OUTPUT);
        // From now on: the file system may take its time.
        Renewals telling =
                new Renewals(
                        parts.main(),
                        parts.books().renewals(),
                        control,
                        slot,
                        incarnation,
                        () -> fenced(incarnation));
        renewals = telling;
        telling.start(heard);
        output.execute(
                () -> {
                    try {
                        JoinerWorkArea.Work work = parts.area().create(incarnation);
                        parts.main().execute(() -> opened(telling, work));
                    } catch (IOException e) {
                        parts.main()
                                .execute(
                                        () ->
                                                failed(
                                                        incarnation,
                                                        TaskEnd.OUTPUT_FAILED,
                                                        "work directory not made: "
                                                                + IoText.of(e)));
                    }
                });
    }

    private void opened(Renewals telling, JoinerWorkArea.Work work) {
        if (!ended) {
            ended = true;
            listener.opened(registration.slotName(), telling, work);
        }
    }

    private void fenced(Incarnation incarnation) {
        failed(incarnation, TaskEnd.FENCED, Renewals.FENCED);
    }

    private void failed(Incarnation incarnation, TaskEnd end, String reason) {
        if (!ended) {
            stop();
            listener.failed(registration.slotName(), incarnation, end, reason);
        }
    }
}
