package photon.joiner.incarnation;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import photon.core.id.Incarnation;
import photon.core.loop.EventLoop;
import photon.core.loop.UnansweredCalls;
import photon.joiner.task.JoinTask;
import photon.joiner.task.TaskEnd;
import photon.registry.api.ControlClient;
import photon.registry.api.ControlClient.Renewed;

/**
 * Tells the control group again and again that an incarnation lives, and what it promises: often
 * enough that nobody takes it for silent (docs/protocol.md section 1) and that no boundary waits
 * for it (section 5). Owned by the main loop.
 */
final class Renewals {
    private static final Logger log = LoggerFactory.getLogger(Renewals.class);
    static final Duration OFTEN = Duration.ofSeconds(5);

    /** Why an incarnation ends that hears so from its renewal: what it holds is being repaired. */
    static final String FENCED =
            "fenced: it did not renew in time, or a person has fenced its slot, or another process"
                    + " has registered in it";

    private final EventLoop loop;
    private final UnansweredCalls unanswered;
    private final ControlClient control;
    private final SlotIdentity slot;
    private final Incarnation incarnation;
    private final Runnable fenced;

    /** Null: it holds nothing yet, and promises nothing. */
    private @Nullable JoinTask task;

    private Runnable renewed = () -> {};

    private Duration nowhere = OFTEN;
    private Renewed last = new Renewed(Long.MIN_VALUE, Long.MIN_VALUE);

    private EventLoop.@Nullable Cancellable timer;
    private boolean stopped;

    /**
     * @param unanswered told of renewals and their answers
     * @param fenced told once if the incarnation is not live any more and has no task yet, which
     *     would be ended
     */
    Renewals(
            EventLoop loop,
            UnansweredCalls unanswered,
            ControlClient control,
            SlotIdentity slot,
            Incarnation incarnation,
            Runnable fenced) {
        this.loop = loop;
        this.unanswered = unanswered;
        this.control = control;
        this.slot = slot;
        this.incarnation = incarnation;
        this.fenced = fenced;
    }

    Incarnation incarnation() {
        return incarnation;
    }

    /**
     * @param first what was heard between the registration and the first commit
     */
    void start(Renewed first) {
        heard(first);
    }

    /**
     * From now on it tells what this promises, which was given no event yet. At once: a joiner that
     * rolls often would otherwise always have one incarnation that has promised nothing.
     *
     * @param live told of each renewal that says that it is
     */
    void promises(JoinTask begun, Runnable live) {
        renewed = live;
        begun.promise().begin(last.limitMicros());
        task = begun;
        cancelTimer();
        renew();
    }

    /**
     * Nothing is told from now on: the task's attempts are given up, and what it held may be there.
     */
    void stop() {
        stopped = true;
        cancelTimer();
    }

    private void cancelTimer() {
        if (timer != null) {
            timer.cancel();
        }
    }

    private void heard(Renewed now) {
        last = now;
        if (now.fenced()) {
            stop();
            if (task == null) {
                fenced.run();
            } else {
                task.end(TaskEnd.FENCED, FENCED);
            }
        } else {
            again(now);
            renewed.run();
        }
    }

    private void again(Renewed now) {
        cancelTimer();
        timer = loop.schedule(pause(now), this::renew);
    }

    private Duration pause(Renewed now) {
        if (task == null) {
            return slot.renewEvery();
        }
        // The boundaries shall never wait for the next: well before they have come a step further.
        Duration seldom =
                shorter(slot.renewEvery(), task.promise().step().multipliedBy(2).dividedBy(5));
        if (now.wantedMicros() == Long.MIN_VALUE) {
            // There is no retention, or nobody knows the time yet.
            Duration pause = shorter(nowhere, seldom);
            nowhere = shorter(nowhere.multipliedBy(2), seldom);
            return pause;
        }
        return now.wantedMicros() > task.promise().micros() ? shorter(OFTEN, seldom) : seldom;
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    private void renew() {
        long hold = task == null ? Long.MIN_VALUE : task.raisePromise(last);
        UnansweredCalls.Call call = unanswered.sent(1, loop.nanoTime());
        control.renew(slot.pipeline(), incarnation, hold, slot.renewEvery())
                .whenComplete(
                        (now, failure) -> {
                            call.answered();
                            if (stopped) {
                                return;
                            }
                            if (failure != null) {
                                log.debug("Incarnation {} not renewed", incarnation, failure);
                            }
                            heard(failure == null ? now : last);
                        });
    }
}
