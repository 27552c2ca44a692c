package photon.bench.registry;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import photon.core.error.FailedException;
import photon.registry.api.IdRegistry;

/** The commits of a run: what is there before, the warm-up, and what is measured. */
final class CommitPhase {
    private static final Duration DRAIN_MAX = Duration.ofMinutes(5);
    private static final Duration DROPPED_WITHIN = Duration.ofMinutes(3);
    private static final Duration LOOK_EVERY = Duration.ofSeconds(1);
    private static final CommitLoad.Shape PRELOAD_SHAPE =
            new CommitLoad.Shape(32, 1, 1_024, OptionalLong.empty());
    private static final Duration PRELOADED_SPAN = Duration.ofDays(3);

    /** Preloaded ids end so much before now. */
    private static final Duration PRELOADED_AGE = Duration.ofMinutes(1);

    private final RegistryBenchOptions options;
    private final BenchReplicas replicas;
    private final BenchLayout layout;
    private final List<IdRegistry> registries;
    private final BenchIds ids;
    private final Referee referee;
    private final RegistryBench.Progress progress;
    private long preloadedFromMicros;
    private long preloadedToMicros;
    private long preloaded;

    /**
     * @param registries one a connection
     */
    CommitPhase(
            RegistryBenchOptions options,
            BenchReplicas replicas,
            BenchLayout layout,
            List<IdRegistry> registries,
            BenchIds ids,
            Referee referee,
            RegistryBench.Progress progress) {
        this.options = options;
        this.replicas = replicas;
        this.layout = layout;
        this.registries = registries;
        this.ids = ids;
        this.referee = referee;
        this.progress = progress;
    }

    /** Commits so many ids, in order of time, spread evenly over three days. */
    void preload(BenchResult result) {
        long blocks = options.preload() / BenchIds.BLOCK + 1;
        long span = micros(PRELOADED_SPAN);
        long first = nowMicros() - micros(PRELOADED_AGE) - span;
        AtomicLong block = new AtomicLong();
        LongSupplier times =
                () -> first + (long) ((double) block.getAndIncrement() / blocks * span);
        long began = System.nanoTime();
        List<CommitLoad> loads = new ArrayList<>();
        for (int i = 0; i < registries.size(); i++) {
            loads.add(load(i, PRELOAD_SHAPE, times, share(options.preload(), i)));
        }
        loads.forEach(CommitLoad::start);
        while (!loads.stream().allMatch(load -> load.ended().isDone())) {
            progress.at("preloading, %,d of %,d".formatted(referee.accepted(), options.preload()));
            replicas.look();
        }
        preloadedFromMicros = first;
        preloadedToMicros = first + span;
        preloaded = referee.accepted();
        result.preloaded(referee.accepted(), System.nanoTime() - began);
    }

    private static long micros(Duration duration) {
        return duration.toNanos() / 1_000;
    }

    private static long nowMicros() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
    }

    /** A connection's part of so many; all parts together are the whole. */
    private long share(long whole, int connection) {
        int count = registries.size();
        return whole * (connection + 1) / count - whole * connection / count;
    }

    private CommitLoad load(
            int connection, CommitLoad.Shape shape, LongSupplier blockTimes, long idsMax) {
        return new CommitLoad(
                registries.get(connection),
                ids,
                referee,
                shape,
                new Attempts(ids, referee, blockTimes, idsMax));
    }

    /** Warms up, measures, and waits for the last answer. */
    void run(BenchResult result) throws IOException {
        ids.contest(options.contestedPercent());
        List<CommitLoad> loads = new ArrayList<>();
        for (int i = 0; i < registries.size(); i++) {
            int callers = (int) share(options.callers(), i);
            OptionalLong rate =
                    options.rate().isPresent()
                            ? OptionalLong.of(share(options.rate().getAsLong(), i))
                            : OptionalLong.empty();
            if (callers > 0 && rate.orElse(1) > 0) {
                loads.add(
                        load(
                                i,
                                new CommitLoad.Shape(
                                        callers, options.inFlight(), options.batch(), rate),
                                CommitPhase::nowMicros,
                                Long.MAX_VALUE));
            }
        }
        progress.at("warming up for %d s".formatted(options.warmUp().toSeconds()));
        loads.forEach(CommitLoad::start);
        Recordings recordings = new Recordings(replicas, layout.recordings(), options.profile());
        recordings.begin();
        if (options.drop()) {
            DropPhase.warmUp(layout.services(0));
        }
        replicas.pass(options.warmUp());
        measure(loads, recordings, result);
        result.recorded(recordings.end());
    }

    private void measure(List<CommitLoad> loads, Recordings recordings, BenchResult result)
            throws IOException {
        progress.at("measuring for %d s".formatted(options.seconds()));
        recordings.from();
        Map<String, ProcessFigures> before = replicas.figures();
        BenchReplicas.Entries entriesBefore = replicas.entries();
        long acceptedBefore = referee.accepted();
        long began = System.nanoTime();
        SnapshotWatch snapshots =
                new SnapshotWatch(layout.replicas().stream().map(layout::data).toList(), began);
        List<Latencies> latencies = new ArrayList<>();
        for (CommitLoad load : loads) {
            Latencies own = new Latencies(began, options.seconds());
            latencies.add(own);
            load.measure(own);
        }

        Duration length = Duration.ofSeconds(options.seconds());
        Optional<DropPhase> drop =
                options.drop()
                        ? Optional.of(
                                new DropPhase(
                                        layout.services(0),
                                        preloadedFromMicros,
                                        preloadedToMicros,
                                        began,
                                        length))
                        : Optional.empty();
        replicas.pass(
                length,
                () -> {
                    snapshots.look();
                    drop.ifPresent(DropPhase::look);
                });
        long accepted = referee.accepted() - acceptedBefore;
        long nanos = System.nanoTime() - began;
        Map<String, ProcessFigures> used = used(before, replicas.figures());
        BenchReplicas.Entries entries = replicas.entries().since(entriesBefore);
        recordings.to();
        drop.ifPresent(this::awaitDropped);

        progress.at("waiting for the last answers");
        drain(loads);
        String leader = layout.replicas().get(replicas.leader()).name();
        result.measured(accepted, nanos, used, entries, leader);
        result.commits(latencies, snapshots);
        if (drop.isPresent()) {
            long held = drop.get().check(registries.get(0), ids, referee, preloaded);
            result.dropped(latencies, drop.get(), held);
        }
        result.threads(recordings.threadTimes());
    }

    /** Clocks may have been asked late: what comes now is not measured, but judged. */
    private void awaitDropped(DropPhase drop) {
        long end = System.nanoTime() + DROPPED_WITHIN.toNanos();
        while (!drop.hasEnded() && System.nanoTime() - end < 0) {
            replicas.pass(LOOK_EVERY, drop::look);
        }
    }

    private static Map<String, ProcessFigures> used(
            Map<String, ProcessFigures> before, Map<String, ProcessFigures> after) {
        Map<String, ProcessFigures> used = new LinkedHashMap<>();
        after.forEach(
                (name, figures) ->
                        used.put(
                                name,
                                figures.since(before.getOrDefault(name, ProcessFigures.NONE))));
        return used;
    }

    private void drain(List<CommitLoad> loads) {
        long began = System.nanoTime();
        loads.forEach(CommitLoad::stop);
        while (!loads.stream().allMatch(load -> load.ended().isDone())) {
            replicas.look();
            if (System.nanoTime() - began > DRAIN_MAX.toNanos()) {
                throw new FailedException(
                        "Expected all commits to be answered within %s s of the end"
                                .formatted(DRAIN_MAX.toSeconds()));
            }
        }
    }
}
