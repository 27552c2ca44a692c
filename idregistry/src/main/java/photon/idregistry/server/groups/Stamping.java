package photon.idregistry.server.groups;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import photon.core.time.IntervalClock;
import photon.idregistry.replicated.Stamps;
import photon.proto.v1.Stamp;

/** Puts who and when into an entry, as this server takes it. */
public final class Stamping {
    /** Characters: it is kept for long. */
    private static final int ACTOR_MAX = 128;

    private final IntervalClock clock;

    public Stamping(IntervalClock clock) {
        this.clock = clock;
    }

    /** True of a time that comes later than so long after now, by this server's clock. */
    public boolean isFurtherAhead(long micros, Duration most) {
        return micros > clock.now().latestMicros() + TimeUnit.NANOSECONDS.toMicros(most.toNanos());
    }

    /** No longer than is kept. */
    public static String cut(String actor) {
        return actor.substring(0, Math.min(actor.length(), ACTOR_MAX));
    }

    /**
     * @param actor as whoever asked calls himself
     */
    public byte[] stamped(String actor, byte[] entry) {
        IntervalClock.Interval now = clock.now();
        return Stamps.stamped(
                Stamp.newBuilder()
                        .setActor(cut(actor))
                        .setEarliestMicros(now.earliestMicros())
                        .setLatestMicros(now.latestMicros())
                        .build(),
                entry);
    }
}
