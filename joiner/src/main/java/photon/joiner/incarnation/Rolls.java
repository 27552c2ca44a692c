package photon.joiner.incarnation;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import photon.core.id.Incarnation;
import photon.core.loop.EventLoop;
import photon.core.time.Backoff;
import photon.joiner.output.JoinerWorkArea;
import photon.joiner.rules.RollRule;
import photon.joiner.task.TaskEnd;

/**
 * Makes the next incarnation in time, while the present one serves on. What fails is tried again
 * after a while: a joiner never pauses for a roll. Owned by the main loop.
 */
final class Rolls {
    private static final Logger log = LoggerFactory.getLogger(Rolls.class);

    private final EventLoop loop;
    private final RollRule rule;
    private final Backoff backoff;
    private final Owner owner;
    private @Nullable LiveIncarnation serving;
    private @Nullable Opening opening;
    private int failures;
    private boolean pausing;
    private EventLoop.@Nullable Cancellable timer;

    /** Whose incarnations roll. */
    interface Owner {
        /** False while another one drains: a process has two incarnations at most. */
        boolean mayRoll();

        /** In the other slot than this one's. */
        Opening opening(LiveIncarnation from, Opening.Listener listener);

        /** From now on this one is to serve. */
        void rolled(String slotName, Renewals renewals, JoinerWorkArea.Work work);

        /** It was issued, holds nothing, and is to be fenced. */
        void useless(Incarnation issued);

        /** For people. */
        void trouble(String why);
    }

    Rolls(EventLoop loop, RollRule rule, Backoff backoff, Owner owner) {
        this.loop = loop;
        this.rule = rule;
        this.backoff = backoff;
        this.owner = owner;
    }

    /** This one serves from now on. */
    void serving(LiveIncarnation now) {
        stop();
        serving = now;
        failures = 0;
        timer = loop.schedule(rule.every(), this::consider);
    }

    /** This one was renewed: what grows without a published file is looked at then. */
    void renewed(LiveIncarnation now) {
        if (now == serving) {
            consider();
        }
    }

    /**
     * Nothing rolls from now on.
     *
     * @return what was issued for a roll that is given up: it is open
     */
    Optional<Incarnation> stop() {
        serving = null;
        pausing = false;
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
        Opening left = opening;
        opening = null;
        if (left == null) {
            return Optional.empty();
        }
        left.stop();
        return left.issued();
    }

    /** Rolls if it is time and may be: to be asked whenever one of the two may have changed. */
    void consider() {
        LiveIncarnation from = serving;
        if (from == null
                || opening != null
                || pausing
                || !owner.mayRoll()
                || !rule.isDue(
                        from.served(loop.nanoTime()),
                        from.publishedFiles(),
                        from.task().tokens().bytes())) {
            return;
        }
        Opening begun = owner.opening(from, new Opened());
        opening = begun;
        begun.start();
    }

    private void failed(String why) {
        opening = null;
        failures++;
        log.warn("It does not roll yet, and serves on: {}", why);
        owner.trouble("does not roll yet: " + why);
        pausing = true;
        timer =
                loop.schedule(
                        backoff.afterFailures(failures),
                        () -> {
                            pausing = false;
                            consider();
                        });
    }

    private final class Opened implements Opening.Listener {
        @Override
        public void becomes(LifeState stage) {
            // It serves meanwhile.
        }

        @Override
        public void notYet(String trouble) {
            owner.trouble("does not roll yet: " + trouble);
        }

        @Override
        public void opened(String slotName, Renewals renewals, JoinerWorkArea.Work work) {
            opening = null;
            owner.rolled(slotName, renewals, work);
        }

        @Override
        public void failed(String slotName, Incarnation issued, TaskEnd end, String reason) {
            if (end != TaskEnd.FENCED) {
                owner.useless(issued);
            }
            Rolls.this.failed(reason);
        }

        @Override
        public void refused(RuntimeException why) {
            Rolls.this.failed(String.valueOf(why.getMessage()));
        }
    }
}
