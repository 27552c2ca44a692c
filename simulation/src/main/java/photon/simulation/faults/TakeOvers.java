package photon.simulation.faults;

import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;
import photon.simulation.faults.Victim.Role;
import photon.simulation.kernel.Life;
import photon.simulation.kernel.Timeline;
import photon.storage.files.MemoryFileStore.Operation;

/**
 * Where several dispatchers share a state: one that works falls asleep in the midst of its files,
 * often for longer than its lease, so that another one takes over before it wakes.
 */
public final class TakeOvers {
    private static final List<String> FILES =
            List.of("/journal", "/journal", "/checkpoint", "/leases", "/nodes");
    private static final List<Operation> OPERATIONS =
            List.of(
                    Operation.CREATE,
                    Operation.WRITE,
                    Operation.WRITE,
                    Operation.SYNC,
                    Operation.SYNC,
                    Operation.PUBLISH,
                    Operation.PUBLISH,
                    Operation.PUBLISH_UNLINK,
                    Operation.SYNC_DIRECTORY,
                    Operation.DELETE,
                    Operation.RECOVER);

    private final Timeline timeline;
    private final List<Victim> dispatchers;
    private final Triggers triggers;
    private final RandomGenerator random;
    private final Duration term;
    private int slept;
    private long endNanos;
    private boolean over;

    /**
     * @param random its own: other worlds keep what their seeds have shown
     * @param term of a lease
     */
    public TakeOvers(
            Timeline timeline,
            List<Victim> victims,
            Triggers triggers,
            RandomGenerator random,
            Duration term) {
        this.timeline = timeline;
        this.dispatchers = victims.stream().filter(v -> v.role() == Role.DISPATCHER).toList();
        this.triggers = triggers;
        this.random = random;
        this.term = term;
    }

    /**
     * From now on.
     *
     * @param endNanos nobody falls asleep from then on, even if those who sleep keep the world from
     *     coming to {@link #stop}: within a sleep the others go on, and may fall asleep, too
     */
    public void begin(long endNanos) {
        this.endNanos = endNanos;
        later();
    }

    private void later() {
        timeline.after(Duration.ofMillis(random.nextLong(1_000, 30_000)), this::next);
    }

    /** Nothing more happens. */
    public void stop() {
        over = true;
    }

    /** How often one fell asleep. */
    public int slept() {
        return slept;
    }

    private void next() {
        if (ended()) {
            return;
        }
        Victim dispatcher = dispatchers.get(random.nextInt(dispatchers.size()));
        Operation operation = OPERATIONS.get(random.nextInt(OPERATIONS.size()));
        String path = FILES.get(random.nextInt(FILES.size()));
        long millis = random.nextLong(term.toMillis() / 2, term.toMillis() * 4);
        triggers.atOperation(
                dispatcher.name(),
                operation,
                path,
                life -> fallAsleep(life, Duration.ofMillis(millis)));
        later();
    }

    private boolean ended() {
        return over || timeline.nowNanos() >= endNanos;
    }

    private void fallAsleep(Life life, Duration length) {
        if (!ended()) {
            slept++;
            life.pause(length);
            life.awaitPause();
        }
    }
}
