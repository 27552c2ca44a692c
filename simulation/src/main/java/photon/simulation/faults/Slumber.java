package photon.simulation.faults;

import java.time.Duration;
import photon.simulation.kernel.Life;

/** A pause of a process that may be ended before its time. */
final class Slumber {
    private static final Duration RENEWED_EVERY = Duration.ofMillis(300);

    private final Tools tools;
    private final Life life;
    private final long untilNanos;
    private boolean over;

    /** It begins now. */
    Slumber(Tools tools, Life life, Duration most) {
        this.tools = tools;
        this.life = life;
        this.untilNanos = tools.scene.timeline().nowNanos() + most.toNanos();
        goOn();
    }

    private void goOn() {
        if (!over && life.alive() && tools.scene.timeline().nowNanos() < untilNanos) {
            life.pause(RENEWED_EVERY.plusMillis(1));
            tools.after(RENEWED_EVERY, this::goOn);
        }
    }

    void end() {
        over = true;
    }
}
