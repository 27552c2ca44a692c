package photon.testbed.history;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import photon.core.id.EventId;
import photon.core.id.Incarnation;
import photon.core.loop.EventLoop;
import photon.registry.api.RegistryClient.Commit;
import photon.registry.api.RegistryClient.Shard;

/**
 * Callers, each with one request under way, that ask as a seed says, and one that fences. Used in
 * its loop.
 */
final class Workload {
    private static final int BATCH_MAX = 8;
    private static final Duration PAUSE = Duration.ofMillis(30);
    private static final Duration FENCE_EVERY = Duration.ofMillis(250);
    private static final long LATE_NANOS = TimeUnit.SECONDS.toNanos(61);

    private final EventLoop loop;
    private final Random random;
    private final Keys keys;
    private final List<ShardCalls> callers;
    private final List<Shard> shards;
    private final Recorder recorder;
    private final double operationsASecond;
    private final long startNanos = System.nanoTime();
    private final CompletableFuture<Void> quiet = new CompletableFuture<>();
    private final Tally tally = new Tally();
    private int busy;
    private boolean stopped;

    /** Repetitions of an attempt with its own token, by what had happened since its first. */
    static final class Tally {
        long repetitions;
        long after61Seconds;
        long afterLeaderChange;
        long afterInstallation;
        volatile long installedNanos = Long.MAX_VALUE;

        @Override
        public String toString() {
            return "%d repetitions, %d after another leader came, %d after 61 s, %d after a snapshot was installed"
                    .formatted(repetitions, afterLeaderChange, after61Seconds, afterInstallation);
        }
    }

    /**
     * @param callers of several connections; each caller uses one
     * @param operationsASecond no more than these
     */
    Workload(
            EventLoop loop,
            Random random,
            Keys keys,
            List<ShardCalls> callers,
            List<Shard> shards,
            Recorder recorder,
            double operationsASecond) {
        this.loop = loop;
        this.random = random;
        this.keys = keys;
        this.callers = callers;
        this.shards = shards;
        this.recorder = recorder;
        this.operationsASecond = operationsASecond;
    }

    Tally tally() {
        return tally;
    }

    void start(int callerCount) {
        for (int i = 0; i < callerCount; i++) {
            ShardCalls calls = callers.get(i % callers.size());
            busy++;
            loop.execute(() -> next(calls));
        }
        busy++;
        loop.execute(this::fence);
    }

    /** Completes when the last request that is under way has ended. */
    CompletableFuture<Void> stop() {
        stopped = true;
        return quiet;
    }

    private boolean ends() {
        if (stopped && --busy == 0) {
            quiet.complete(null);
        }
        return stopped;
    }

    private void next(ShardCalls calls) {
        if (ends()) {
            return;
        }
        Shard shard = shards.get(random.nextInt(shards.size()));
        int count = 1 + random.nextInt(BATCH_MAX);
        int kind = random.nextInt(100);
        Consumer<Boolean> done = decided -> again(calls, decided);
        if (kind < 50) {
            calls.commit(shard, attempts(shard, count, calls), done);
        } else if (kind < 70) {
            calls.commit(shard, repetitions(shard, count, calls), done);
        } else if (kind < 80) {
            calls.remove(shard, removals(shard, count), done);
        } else {
            List<EventId> ids = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                Keys.Key key = random.nextInt(3) > 0 ? keys.hot(shard) : keys.old(shard);
                ids.add(key.id);
            }
            calls.lookup(shard, ids, kind < 92, done);
        }
    }

    private void again(ShardCalls calls, boolean decided) {
        double behindSeconds =
                recorder.count() / operationsASecond - (System.nanoTime() - startNanos) / 1e9;
        long pauseMillis = Math.max(decided ? 0 : PAUSE.toMillis(), (long) (behindSeconds * 1e3));
        loop.schedule(Duration.ofMillis(Math.min(1_000, pauseMillis)), () -> next(calls));
    }

    private List<Commit> attempts(Shard shard, int count, ShardCalls calls) {
        List<Commit> batch = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Keys.Key key = random.nextInt(10) < 4 ? keys.hot(shard) : keys.fresh(shard);
            batch.add(attempt(key, shard, calls));
        }
        return batch;
    }

    private Commit attempt(Keys.Key key, Shard shard, ShardCalls calls) {
        Keys.Attempt attempt =
                new Keys.Attempt(keys.token(), System.nanoTime(), calls.leader(shard).changes());
        key.attempts.add(attempt);
        return new Commit(key.id, attempt.token());
    }

    private List<Commit> repetitions(Shard shard, int count, ShardCalls calls) {
        List<Commit> batch = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Keys.Key key = random.nextBoolean() ? keys.hot(shard) : keys.old(shard);
            if (key.attempts.isEmpty()) {
                batch.add(attempt(key, shard, calls));
            } else {
                Keys.Attempt attempt = key.attempts.get(random.nextInt(key.attempts.size()));
                count(attempt, calls.leader(shard).changes());
                batch.add(new Commit(key.id, attempt.token()));
            }
        }
        return batch;
    }

    private void count(Keys.Attempt attempt, int leaderChanges) {
        long now = System.nanoTime();
        tally.repetitions++;
        tally.after61Seconds += now - attempt.sentNanos() > LATE_NANOS ? 1 : 0;
        tally.afterLeaderChange += attempt.leaderChanges() < leaderChanges ? 1 : 0;
        tally.afterInstallation +=
                attempt.sentNanos() < tally.installedNanos && tally.installedNanos < now ? 1 : 0;
    }

    private List<Commit> removals(Shard shard, int count) {
        List<Commit> batch = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Keys.Key key = random.nextBoolean() ? keys.hot(shard) : keys.old(shard);
            batch.add(
                    key.attempts.isEmpty()
                            ? new Commit(key.id, keys.token())
                            : new Commit(
                                    key.id,
                                    key.attempts.get(random.nextInt(key.attempts.size())).token()));
        }
        return batch;
    }

    /** Fences a generation in all shards, asking each until it answers. */
    private void fence() {
        if (ends()) {
            return;
        }
        Incarnation lowestLive = keys.nextGeneration();
        ShardCalls calls = callers.get(random.nextInt(callers.size()));
        fence(calls, lowestLive, 0);
    }

    private void fence(ShardCalls calls, Incarnation lowestLive, int at) {
        if (at == shards.size() || stopped) {
            loop.schedule(FENCE_EVERY, this::fence);
            return;
        }
        calls.fence(
                shards.get(at),
                lowestLive.slot(),
                lowestLive.generation(),
                index -> {},
                decided ->
                        loop.schedule(
                                decided ? Duration.ZERO : PAUSE,
                                () -> fence(calls, lowestLive, decided ? at + 1 : at)));
    }
}
