package photon.server.roles;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import photon.core.config.DeploymentConfig;
import photon.core.loop.EventLoop;
import photon.core.loop.LoopProbe;
import photon.core.loop.ThreadLoop;
import photon.core.rpc.HostPort;
import photon.dispatcher.DispatcherServer;
import photon.dispatcher.state.DispatcherHealth;
import photon.eventstore.server.EventStoreServer;
import photon.eventstore.tail.TailHealth;
import photon.idregistry.server.RegistryServer;
import photon.joiner.JoinerHealth;
import photon.joiner.JoinerServer;
import photon.server.health.Check;
import photon.server.health.Conditions;
import photon.server.health.DaemonChecks;
import photon.server.health.Failure;
import photon.server.health.HealthMonitor;
import photon.server.health.Peers;
import photon.server.health.RegistryProbe;

/** What each role needs in order to be ready. Thread-safe. */
final class DaemonHealth implements AutoCloseable {
    private final EventLoop loop;
    private final HealthMonitor monitor;
    private final String registry;
    private final String dispatcher;

    private DaemonHealth(
            EventLoop loop, HealthMonitor monitor, String registry, String dispatcher) {
        this.loop = loop;
        this.monitor = monitor;
        this.registry = registry;
        this.dispatcher = dispatcher;
    }

    /**
     * Looks from now on, and warns also while the daemon starts.
     *
     * @param registry its servers, nearest first
     */
    static DaemonHealth begin(
            DaemonRun.Role role,
            String pipeline,
            DeploymentConfig deployment,
            List<HostPort> registry,
            Environment environment) {
        EventLoop loop = new ThreadLoop("health", 16, environment.bugs());
        Peers peers = new Peers(loop, environment.rpcs());
        switch (role) {
            case REGISTRY, EVENTSTORE -> {}
            case DISPATCHER ->
                    peers.registry(
                                    registry,
                                    pipeline,
                                    "this dispatcher cannot drop what is joined already, and sends"
                                            + " everything on")
                            .joiners(
                                    deployment.joiners().stream()
                                            .map(DeploymentConfig.Joiner::address)
                                            .toList(),
                                    "events wait in the logs and in the retry journal, and none is"
                                            + " lost")
                            .eventStores(
                                    deployment.eventStores(),
                                    "events are sent on before their primary events are known, and"
                                            + " are tried again");
            case JOINER ->
                    peers.registry(
                                    registry,
                                    pipeline,
                                    "this joiner commits nothing: events wait, and none is lost")
                            .eventStores(
                                    deployment.eventStores(),
                                    "this joiner finds no primary events: events wait, and none is"
                                            + " lost");
            case VERIFIER ->
                    peers.registry(
                            registry,
                            pipeline,
                            "no joiner that dies is fenced, and nothing is repaired");
        }
        String names =
                registry.stream()
                        .map(HostPort::toString)
                        .collect(Collectors.joining(", ", "the registry (", ")"));
        return new DaemonHealth(
                loop,
                HealthMonitor.start(loop, peers),
                names,
                "the dispatcher (%s)".formatted(deployment.dispatcher()));
    }

    HealthMonitor monitor() {
        return monitor;
    }

    void serving(DaemonChecks checks) {
        monitor.serving(checks);
    }

    void ending() {
        monitor.ending();
    }

    DaemonChecks of(JoinerServer joiner) {
        LoopProbe<JoinerHealth> health = joiner.health();
        List<Check> work =
                List.of(
                        new Check(
                                "slot",
                                "this joiner takes no events",
                                known(health, (last, now) -> slot(last))),
                        new Check(
                                "adapter",
                                "events wait, and none is dead-lettered",
                                known(health, (last, now) -> adapter(last))),
                        new Check(
                                "commit",
                                "events wait, and none is lost",
                                known(
                                        health,
                                        (last, now) ->
                                                Conditions.answered(
                                                        "the oldest commit",
                                                        last.oldestCommitNanos(),
                                                        registry,
                                                        now))),
                        new Check(
                                "renewal",
                                "a registry that does not hear from this joiner fences it in the"
                                        + " end",
                                known(
                                        health,
                                        (last, now) ->
                                                Conditions.answered(
                                                        "the renewal of the slot",
                                                        last.oldestRenewalNanos(),
                                                        registry,
                                                        now))));
        return DaemonChecks.of(work, List.of(health, joiner.output()));
    }

    private static Optional<Failure> slot(JoinerHealth health) {
        return JoinerTrouble.of(health.status()).map(Failure::seen);
    }

    private static Optional<Failure> adapter(JoinerHealth health) {
        return health.status().adapterBraked()
                ? Optional.of(Failure.seen("the adapter fails for most events"))
                : Optional.empty();
    }

    DaemonChecks of(DispatcherServer dispatcher) {
        LoopProbe<DispatcherHealth> health = dispatcher.health();
        List<LoopProbe<?>> loops = new ArrayList<>(dispatcher.fileLoops());
        loops.add(health);
        return DaemonChecks.of(
                List.of(
                        new Check(
                                "logs",
                                "foreign events stay unread",
                                known(
                                        health,
                                        (last, now) ->
                                                Conditions.logsRead(
                                                        "foreign",
                                                        last.readingNanos(),
                                                        last.trouble(),
                                                        now)))),
                loops);
    }

    DaemonChecks of(EventStoreServer store) {
        LoopProbe<TailHealth> health = store.health();
        List<LoopProbe<?>> loops = new ArrayList<>(store.loops());
        loops.add(health);
        return DaemonChecks.of(
                        List.of(
                                new Check(
                                        "logs",
                                        "new primary events are not found",
                                        known(
                                                health,
                                                (last, now) ->
                                                        Conditions.logsRead(
                                                                "primary",
                                                                last.failingNanos(),
                                                                last.trouble(),
                                                                now)))),
                        loops)
                .withReaders(store.readers(), "primary events are not looked up, and events wait");
    }

    DaemonChecks of(VerifierRole verifier) {
        LoopProbe<VerifierRole.Waits> health = verifier.health();
        return DaemonChecks.of(
                List.of(
                        new Check(
                                "incarnations",
                                "nothing is repaired",
                                known(
                                        health,
                                        (last, now) ->
                                                Conditions.answered(
                                                        "the list of incarnations",
                                                        last.listingNanos(),
                                                        registry,
                                                        now))),
                        new Check(
                                "silence",
                                "dead joiners are not found",
                                known(
                                        verifier.silenceHealth(),
                                        (last, now) ->
                                                Conditions.answered(
                                                        "the list of incarnations by which dead joiners are found",
                                                        last,
                                                        registry,
                                                        now))),
                        new Check(
                                "repair_rows",
                                "what dead joiners had taken and not written is not joined anew,"
                                        + " and none is lost",
                                known(
                                        health,
                                        (last, now) ->
                                                Conditions.answered(
                                                        "the handing over of repair rows",
                                                        last.rowsNanos(),
                                                        dispatcher,
                                                        now)))),
                List.of(health, verifier.silenceHealth()));
    }

    DaemonChecks of(RegistryServer server) {
        return new RegistryProbe(server::describe, loop, loop::nanoTime).checks();
    }

    /** What a loop has said of itself. */
    @FunctionalInterface
    private interface Judge<T> {
        Optional<Failure> look(T last, long nowNanos);
    }

    private static <T> Check.Condition known(LoopProbe<T> probe, Judge<T> judge) {
        return now -> {
            T last = probe.last();
            return last == null
                    ? Optional.of(Failure.seen("not known yet"))
                    : judge.look(last, now);
        };
    }

    @Override
    public void close() {
        monitor.close();
    }
}
