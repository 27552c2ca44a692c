package photon.testbed.chaos;

import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import photon.core.id.Incarnation;
import photon.registry.api.IdRegistry;
import photon.server.lifecycle.Shutdown;
import photon.testbed.process.EndedEarlyException;
import photon.testbed.process.Fleet;

/** One run, from its first process to its verdict. Used in one thread. */
final class ChaosRun {
    private static final int CLIENTS = 4;
    private static final Duration PATIENCE = Duration.ofMinutes(4);
    private static final Duration LOOK_EVERY = Duration.ofMillis(100);

    /** Of load before the first thing happens, and after the last. */
    private static final Duration QUIET = Duration.ofSeconds(3);

    /** Alone, the compilers shall have done their work before anything is measured. */
    private static final Duration WARM_UP = Duration.ofSeconds(20);

    /** What has begun when the time is over ends within this: each wait in it has its own bound. */
    private static final Duration RUNNERS_END_WITHIN = Duration.ofMinutes(15);

    private static final Duration DRAINED_WITHIN = Duration.ofMinutes(4);

    private final ChaosOptions options;
    private final ChaosLayout layout;
    private final Shutdown shutdown;
    private final Consumer<String> progress;
    private final long beganNanos = System.nanoTime();
    private final ConcurrentLinkedQueue<ActionRecord> story = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<String> bugs = new ConcurrentLinkedQueue<>();
    private final List<Connection> connections = new ArrayList<>();
    private final List<IdRegistry> registries = new ArrayList<>();

    private ChaosRun(
            ChaosOptions options,
            ChaosLayout layout,
            Shutdown shutdown,
            Consumer<String> progress) {
        this.options = options;
        this.layout = layout;
        this.shutdown = shutdown;
        this.progress = progress;
    }

    /**
     * Runs in a directory that must be empty.
     *
     * @param progress told what happens; from any thread
     * @throws EndedEarlyException if a signal came
     */
    static ChaosResult run(
            ChaosOptions options, Path work, Shutdown shutdown, Consumer<String> progress)
            throws IOException, InterruptedException {
        ChaosLayout layout = new ChaosLayout(work, options.isRough(), new SecureRandom());
        layout.write();
        ChaosRun run = new ChaosRun(options, layout, shutdown, progress);
        try (ReplicaLinks links = ReplicaLinks.of(layout);
                Fleet fleet = new Fleet(layout::command, layout.logs())) {
            return run.run(links, new ChaosReplicas(fleet, layout));
        }
    }

    private ChaosResult run(ReplicaLinks links, ChaosReplicas replicas)
            throws IOException, InterruptedException {
        ChaosResult result = new ChaosResult(options);
        try {
            tell("starting %d replicas".formatted(replicas.size()));
            replicas.startAll();
            run(links, replicas, result);
        } catch (ChaosAction.TroubleException e) {
            result.trouble(String.valueOf(e.getMessage()));
            result.notJudged(List.copyOf(story));
        } finally {
            registries.forEach(registry -> registry.close(Duration.ZERO));
            connections.forEach(Connection::close);
        }
        return result;
    }

    private void tell(String text) {
        progress.accept("%6.1f s  %s".formatted((System.nanoTime() - beganNanos) / 1e9, text));
    }

    private Connection connect(String name, Random random) {
        Connection made = new Connection(name, layout, random, this::bug);
        connections.add(made);
        return made;
    }

    private void bug(String where, Throwable bug) {
        bugs.add(where + ": " + bug);
    }

    private void run(ReplicaLinks links, ChaosReplicas replicas, ChaosResult result)
            throws IOException, InterruptedException {
        Random random = new Random(options.seed());
        Connection operator = connect("operator", random);
        UUID pipeline = newPipeline(operator);
        History history = new History();
        List<ChaosTarget.Joiner> joiners = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            joiners.add(joiner(i, pipeline, history, random));
        }
        ChaosTarget site =
                new ChaosTarget(
                        replicas,
                        links,
                        operator,
                        pipeline,
                        history,
                        joiners,
                        options.only().isPresent());
        ChaosLoad load =
                new ChaosLoad(
                        joiners.stream().map(ChaosTarget.Joiner::client).toList(),
                        new Random(random.nextLong()),
                        options.rate(),
                        options.only().isPresent(),
                        this::bug);
        try {
            load.start();
            pass(options.only().isPresent() ? WARM_UP : QUIET);
            happen(site, result);
            long before = history.accepted();
            pass(QUIET);
            awaitAccepted(history, before);
            long after = history.accepted() - before;
            tell("nothing more happens: waiting for the last answers");
            load.stop();
            load.drain(DRAINED_WITHIN);
            tell("comparing replicas, and searching the history for what cannot be");
            Judge.Verdict verdict = new Judge(layout, site).judge();
            bugs.forEach(result::trouble);
            result.judged(
                    options,
                    List.copyOf(story),
                    new ChaosResult.Loaded(
                            load.open(),
                            joiners.stream().mapToLong(j -> j.client().unknown()).sum(),
                            after),
                    verdict);
        } finally {
            load.close();
        }
    }

    private UUID newPipeline(Connection operator) throws InterruptedException {
        return operator.ask(
                        "a new pipeline",
                        PATIENCE,
                        known ->
                                known.control()
                                        .openPipeline(
                                                ChaosLayout.PIPELINE,
                                                UUID.randomUUID(),
                                                ChaosLayout.PIPELINE,
                                                options.shards()))
                .uuid();
    }

    private ChaosTarget.Joiner joiner(int number, UUID pipeline, History history, Random random)
            throws InterruptedException {
        String slot = "chaos/joiner-" + number;
        Connection connection = connect("client-" + number, random);
        Incarnation incarnation = StartOver.register(connection, pipeline, slot, number);
        IdRegistry registry = connection.registry(PATIENCE);
        registries.add(registry);
        ChaosLoad.Lately lately = new ChaosLoad.Lately();
        return new ChaosTarget.Joiner(
                slot,
                new Client(
                        registry,
                        incarnation,
                        history,
                        Duration.ofSeconds(5L + 5L * number),
                        lately::add),
                lately);
    }

    /** Lets time go by. */
    private void pass(Duration time) {
        long end = System.nanoTime() + time.toNanos();
        while (System.nanoTime() - end < 0) {
            look();
        }
    }

    /** The last thing may have been the death of a leader, and its successor takes a while. */
    private void awaitAccepted(History history, long before) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (history.accepted() == before && System.nanoTime() - end < 0) {
            look();
        }
    }

    private void look() {
        EndedEarlyException.pause(shutdown, LOOK_EVERY);
        if (!bugs.isEmpty()) {
            throw new ChaosAction.TroubleException("a bug: " + bugs);
        }
    }

    private void happen(ChaosTarget site, ChaosResult result) {
        Map<ActionKind, ChaosAction> actions = ChaosActions.of(site);
        long deadline = System.nanoTime() + options.time().toNanos();
        List<ScheduleRunner> runners = new ArrayList<>();
        Random seeds = new Random(options.seed());
        for (ActionKind.Category category : ActionKind.Category.values()) {
            long seed = seeds.nextLong();
            List<ActionKind> kinds = options.kinds(category);
            if (!kinds.isEmpty()) {
                runners.add(
                        new ScheduleRunner(
                                "chaos-" + category.name().toLowerCase(Locale.ROOT),
                                new Schedule(seed, kinds),
                                actions,
                                deadline,
                                options.count().isPresent() ? options.count() : OptionalInt.empty(),
                                this::happened));
            }
        }
        try {
            runners.forEach(ScheduleRunner::start);
            while (!runners.stream().allMatch(ScheduleRunner::isDone)) {
                look();
                if (System.nanoTime() - deadline > RUNNERS_END_WITHIN.toNanos()) {
                    throw new ChaosAction.TroubleException("What has begun does not end");
                }
                if (runners.stream().anyMatch(category -> category.failure() != null)) {
                    break;
                }
            }
        } finally {
            runners.forEach(ScheduleRunner::close);
        }
        for (Throwable failure : ScheduleRunner.failures(runners)) {
            if (failure instanceof MajorityLost.ForbiddenException forbidden) {
                result.forbidden(String.valueOf(forbidden.getMessage()));
            } else if (failure instanceof ChaosAction.TroubleException trouble) {
                throw trouble;
            } else {
                throw new IllegalStateException("A category has failed", failure);
            }
        }
    }

    private void happened(ActionRecord one) {
        story.add(one);
        tell(
                "%s, %s: %s after %d ms"
                        .formatted(
                                one.kind().label(),
                                one.what(),
                                one.outcome(),
                                (one.endNanos() - one.startNanos()) / 1_000_000));
    }
}
