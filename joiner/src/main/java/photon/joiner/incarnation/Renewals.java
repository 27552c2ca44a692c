package photon.joiner.incarnation;

import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import photon.core.loop.EventLoop;
import photon.joiner.task.JoinTask;
import photon.registry.api.ControlClient;
import photon.registry.api.ControlClient.Renewed;

/**
 * Tells the control group now and then what a live incarnation promises, so that the boundaries can
 * follow (docs/protocol.md section 5): often while they wait for it, else so that they need not
 * wait. Owned by the main loop.
 */
final class Renewals {
    private static final Logger log = LoggerFactory.getLogger(Renewals.class);
    static final Duration OFTEN = Duration.ofSeconds(5);
    static final Duration SELDOM = Duration.ofMinutes(5);

    private final EventLoop loop;
    private final ControlClient control;
    private final UUID pipeline;
    private final JoinTask task;

    /** The boundaries shall never wait for the next: well before they have come a step further. */
    private final Duration seldom;

    private Duration nowhere = OFTEN;
    private EventLoop.@Nullable Cancellable timer;
    private boolean stopped;

    Renewals(EventLoop loop, ControlClient control, UUID pipeline, JoinTask task) {
        this.loop = loop;
        this.control = control;
        this.pipeline = pipeline;
        this.task = task;
        Duration early = task.promise().step().multipliedBy(2).dividedBy(5);
        this.seldom = early.compareTo(SELDOM) < 0 ? early : SELDOM;
    }

    /**
     * @param first what was heard between the registration and the first commit
     */
    void start(Renewed first) {
        task.promise().begin(first.limitMicros());
        heard(first);
    }

    /**
     * Nothing is told from now on: the task's attempts are given up, and what it held may be there.
     */
    void stop() {
        stopped = true;
        if (timer != null) {
            timer.cancel();
        }
    }

    private void heard(Renewed now) {
        timer = loop.schedule(pause(now), () -> renew(now));
    }

    private Duration pause(Renewed now) {
        if (now.wantedMicros() == Long.MIN_VALUE) {
            // There is no retention, or nobody knows the time yet.
            Duration pause = nowhere;
            nowhere =
                    nowhere.multipliedBy(2).compareTo(seldom) < 0
                            ? nowhere.multipliedBy(2)
                            : seldom;
            return pause;
        }
        return now.wantedMicros() > task.promise().micros() ? OFTEN : seldom;
    }

    private void renew(Renewed last) {
        control.renew(pipeline, task.incarnation(), task.raisePromise(last))
                .whenComplete(
                        (now, failure) -> {
                            if (stopped) {
                                return;
                            }
                            if (failure != null) {
                                log.debug(
                                        "Incarnation {} not renewed", task.incarnation(), failure);
                            }
                            heard(failure == null ? now : last);
                        });
    }
}
