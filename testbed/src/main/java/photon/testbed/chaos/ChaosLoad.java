package photon.testbed.chaos;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import photon.core.id.EventId;
import photon.registry.api.IdRegistry;
import photon.registry.api.RegistryClient.Commit;

/**
 * Commits at a steady rate, whatever the registry does, of ids with timestamps of now: most by one
 * client, the others by several, at once or up to a minute later; and lookups of ids of any age.
 * What is due while too much is open already is left out. Its thread is its own; {@link #stop} and
 * the figures are for any.
 */
final class ChaosLoad {
    private static final long TICK_MILLIS = 40;

    /**
     * So that five replicas on two processors are not busy all the time: what is measured is a
     * registry that has room.
     */
    private static final long MEASURED_TICK_MILLIS = 100;

    private static final int LOOK_UP_EVERY_TICKS = 3;
    private static final int LOOKED_UP = 16;
    private static final int AGAIN_MAX = 1_024;
    private static final int REMEMBERED = 1 << 14;

    /** Seconds of commits that may be open, of all clients together. */
    private static final int OPEN_SECONDS_MAX = 5;

    private static final long JITTER_MICROS = 200_000;
    private static final int LATE_MILLIS_MAX = 60_000;
    private static final int SOON_MILLIS_MAX = 3_000;

    /** Servers of this network log. */
    private static final long NETWORK = 0x2001_0db8_0000_0003L;

    private final List<Client> clients;
    private final Random random;
    private final int rate;
    private final PriorityQueue<Rival> rivals =
            new PriorityQueue<>((a, b) -> Long.compare(a.dueNanos(), b.dueNanos()));
    private final EventId[] remembered = new EventId[REMEMBERED];
    private final List<List<EventId>> batches = new ArrayList<>();
    private final ScheduledExecutorService ticker =
            Executors.newSingleThreadScheduledExecutor(
                    task -> {
                        Thread thread = new Thread(task, "chaos-load");
                        thread.setDaemon(true);
                        return thread;
                    });
    private final BiConsumer<String, Throwable> bugs;
    private final long tickMillis;
    private volatile boolean stopping;
    private long beganNanos;
    private long attempts;
    private long ids;
    private long ticks;

    /** Who wants an id that another client asks for, too. */
    private record Rival(long dueNanos, EventId id, int client) {}

    /**
     * @param measured true: fewer and larger commits, for gaps that are the registry's own
     * @param bugs told if it ends by itself
     */
    ChaosLoad(
            List<Client> clients,
            Random random,
            int rate,
            boolean measured,
            BiConsumer<String, Throwable> bugs) {
        this.clients = List.copyOf(clients);
        this.random = random;
        this.rate = rate;
        this.tickMillis = measured ? MEASURED_TICK_MILLIS : TICK_MILLIS;
        this.bugs = bugs;
        clients.forEach(client -> batches.add(new ArrayList<>()));
    }

    void start() {
        beganNanos = System.nanoTime();
        ticker.scheduleAtFixedRate(this::guarded, 0, tickMillis, TimeUnit.MILLISECONDS);
    }

    private void guarded() {
        try {
            tick();
        } catch (RuntimeException e) {
            bugs.accept("load", e);
            throw e;
        }
    }

    /** No new attempts; those that are open are asked until they are answered. */
    void stop() {
        stopping = true;
    }

    /** Attempts that have no definite answer. */
    long open() {
        return clients.stream().mapToLong(Client::open).sum();
    }

    /**
     * Waits for the last answers.
     *
     * @return false if there are attempts without one for so long
     */
    boolean drain(Duration patience) throws InterruptedException {
        long end = System.nanoTime() + patience.toNanos();
        while (open() > 0) {
            if (System.nanoTime() - end > 0) {
                return false;
            }
            Thread.sleep(tickMillis);
        }
        return true;
    }

    void close() {
        ticker.shutdownNow();
    }

    private void tick() {
        clients.forEach(client -> client.askAgain(AGAIN_MAX));
        if (stopping) {
            return;
        }
        long now = System.nanoTime();
        long due = (long) ((now - beganNanos) / 1e9 * rate);
        if (open() > (long) OPEN_SECONDS_MAX * rate) {
            attempts = due;
        }
        while (attempts < due) {
            attempts++;
            Rival rival = rivals.peek();
            if (rival != null && rival.dueNanos() - now <= 0) {
                rivals.remove();
                batches.get(rival.client()).add(rival.id());
            } else {
                newId(now);
            }
        }
        for (int i = 0; i < clients.size(); i++) {
            clients.get(i).attempt(batches.get(i));
            batches.set(i, new ArrayList<>());
        }
        if (++ticks % LOOK_UP_EVERY_TICKS == 0) {
            lookUp();
        }
    }

    private void newId(long now) {
        long number = ids++;
        long micros =
                ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now())
                        + random.nextLong(2 * JITTER_MICROS)
                        - JITTER_MICROS;
        EventId id =
                new EventId(micros, NETWORK, number * 0x9E3779B97F4A7C15L, (int) number & 0xFFFF);
        int first = random.nextInt(clients.size());
        batches.get(first).add(id);
        remembered[random.nextInt(REMEMBERED)] = id;
        if (random.nextInt(100) < ChaosOptions.CONTESTED_PERCENT) {
            int others = 1 + random.nextInt(clients.size() - 1);
            for (int i = 1; i <= others; i++) {
                rivals.add(
                        new Rival(
                                now + TimeUnit.MILLISECONDS.toNanos(laterMillis()),
                                id,
                                (first + i) % clients.size()));
            }
        }
    }

    /** At once mostly; late enough for another epoch, or for the boundary, sometimes. */
    private int laterMillis() {
        int when = random.nextInt(10);
        return when < 6
                ? 0
                : when < 9 ? random.nextInt(SOON_MILLIS_MAX) : random.nextInt(LATE_MILLIS_MAX);
    }

    private void lookUp() {
        List<EventId> asked = new ArrayList<>();
        for (int i = 0; i < LOOKED_UP; i++) {
            EventId id = remembered[random.nextInt(REMEMBERED)];
            if (id != null) {
                asked.add(id);
            }
        }
        if (!asked.isEmpty()) {
            clients.get(random.nextInt(clients.size()))
                    .lookUp(
                            asked,
                            random.nextBoolean()
                                    ? IdRegistry.Freshness.LINEARIZABLE
                                    : IdRegistry.Freshness.LOCAL);
        }
    }

    /** Ids that were accepted lately, of one client. Thread-safe. */
    static final class Lately {
        private static final int KEPT = 256;
        private final ArrayDeque<Commit> kept = new ArrayDeque<>();

        synchronized void add(Commit commit) {
            kept.add(commit);
            if (kept.size() > KEPT) {
                kept.remove();
            }
        }

        synchronized List<Commit> take() {
            List<Commit> all = List.copyOf(kept);
            kept.clear();
            return all;
        }
    }
}
