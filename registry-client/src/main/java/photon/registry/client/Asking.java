package photon.registry.client;

import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import photon.core.loop.EventLoop;
import photon.core.rpc.Caller;
import photon.core.rpc.HostPort;
import photon.core.time.Backoff;
import photon.proto.v1.Progress;
import photon.registry.api.PipelineDroppedException;

/**
 * Asks until the answer is definite. Only for requests that may be carried out twice. Used in its
 * loop; after {@link #close} nothing is sent and nobody is told anything.
 */
final class Asking {
    private static final Duration PAUSE_MIN = Duration.ofMillis(20);
    private static final Duration PAUSE_MAX = Duration.ofMillis(1_280);

    /** An election takes about a second: what is waited behind it is part of the gap. */
    private static final Duration HUNT_PAUSE_MAX = Duration.ofMillis(320);

    final EventLoop loop;
    final Backoff backoff;

    /** While a group has no leader that we know, which costs the servers next to nothing. */
    final Backoff hunting;

    private final RandomGenerator random;
    private final RegistryTransport transport;
    private final String actor;
    private boolean closed;

    /**
     * @param random for the jitter of pauses
     * @param actor as its owner calls itself to the registry
     */
    Asking(EventLoop loop, RegistryTransport transport, RandomGenerator random, String actor) {
        this.loop = loop;
        this.transport = transport;
        this.random = random;
        this.backoff = new Backoff(PAUSE_MIN, PAUSE_MAX, random);
        this.hunting = new Backoff(PAUSE_MIN, HUNT_PAUSE_MAX, random);
        this.actor = actor;
    }

    /** One for a client that is closed by itself. */
    Asking another() {
        return new Asking(loop, transport, random, actor);
    }

    String actor() {
        return actor;
    }

    RegistryTransport.Server at(HostPort server) {
        return transport.at(server);
    }

    void close() {
        closed = true;
    }

    /** Runs it in the loop, later, unless closed by then. */
    EventLoop.Cancellable later(Duration delay, Runnable task) {
        return loop.schedule(delay, unlessClosed(task));
    }

    /** Runs it in the loop, behind what is at hand, unless closed by then. */
    void soon(Runnable task) {
        loop.execute(unlessClosed(task));
    }

    private Runnable unlessClosed(Runnable task) {
        return () -> {
            if (!closed) {
                task.run();
            }
        };
    }

    /** Sends once, unless closed. */
    <Q, R> void once(
            Caller<Q, R> caller, Q request, Consumer<R> answered, Consumer<String> broken) {
        if (closed) {
            return;
        }
        caller.call(
                request,
                new Caller.Reply<>() {
                    @Override
                    public void answered(R answer) {
                        if (!closed) {
                            answered.accept(answer);
                        }
                    }

                    @Override
                    public void broken(String why) {
                        if (!closed) {
                            broken.accept(why);
                        }
                    }
                });
    }

    /** Asks the control group's leader, wherever it goes, until a server says DECIDED. */
    <Q, R> void leader(LeaderHunt hunt, Rpc<Q, R> rpc, Q request, Consumer<R> decided) {
        leader(
                hunt,
                rpc,
                request,
                decided,
                gone -> {
                    throw gone;
                },
                0);
    }

    /**
     * Asks a shard's leader, wherever it goes, until a server says DECIDED.
     *
     * @param gone told instead if its pipeline was dropped
     */
    <Q, R> void leader(
            LeaderHunt hunt,
            Rpc<Q, R> rpc,
            Q request,
            Consumer<R> decided,
            Consumer<PipelineDroppedException> gone) {
        leader(hunt, rpc, request, decided, gone, 0);
    }

    static PipelineDroppedException gone(String what) {
        return new PipelineDroppedException(
                "The registry has dropped the pipeline: " + what + " is no more");
    }

    private <Q, R> void leader(
            LeaderHunt hunt,
            Rpc<Q, R> rpc,
            Q request,
            Consumer<R> decided,
            Consumer<PipelineDroppedException> gone,
            int failures) {
        HostPort asked = hunt.guess();
        Runnable again =
                () ->
                        later(
                                hunting.afterFailures(failures + 1),
                                () -> leader(hunt, rpc, request, decided, gone, failures + 1));
        once(
                rpc.at().apply(at(asked)),
                request,
                answer -> {
                    Progress progress = rpc.progress().apply(answer);
                    if (progress == Progress.DECIDED) {
                        hunt.led(asked);
                        decided.accept(answer);
                    } else if (progress == Progress.PIPELINE_GONE) {
                        gone.accept(gone("what was asked for"));
                    } else if (progress == Progress.NOT_LEADER
                            && hunt.refused(asked, rpc.leader().apply(answer))) {
                        leader(hunt, rpc, request, decided, gone, failures);
                    } else {
                        if (progress == Progress.NO_SUCH_SHARD) {
                            hunt.lost(asked);
                        }
                        again.run();
                    }
                },
                why -> {
                    hunt.lost(asked);
                    again.run();
                });
    }

    /** Asks one server after another, nearest first, until an answer will do. */
    <Q, R> void any(
            List<HostPort> servers,
            Function<RegistryTransport.Server, Caller<Q, R>> rpc,
            Q request,
            Predicate<R> willDo,
            Consumer<R> answered) {
        any(servers, rpc, request, () -> false, willDo, answered);
    }

    /**
     * The same, until the one that asks has given up.
     *
     * @param over true: nobody waits for an answer, and none is asked for any more
     */
    <Q, R> void any(
            List<HostPort> servers,
            Function<RegistryTransport.Server, Caller<Q, R>> rpc,
            Q request,
            BooleanSupplier over,
            Predicate<R> willDo,
            Consumer<R> answered) {
        any(servers, rpc, request, over, willDo, answered, 0);
    }

    private <Q, R> void any(
            List<HostPort> servers,
            Function<RegistryTransport.Server, Caller<Q, R>> rpc,
            Q request,
            BooleanSupplier over,
            Predicate<R> willDo,
            Consumer<R> answered,
            int tried) {
        if (over.getAsBoolean()) {
            return;
        }
        HostPort asked = servers.get(tried % servers.size());
        Runnable next =
                () ->
                        later(
                                backoff.afterFailures(1 + tried / servers.size()),
                                () ->
                                        any(
                                                servers, rpc, request, over, willDo, answered,
                                                tried + 1));
        once(
                rpc.apply(at(asked)),
                request,
                answer -> {
                    if (willDo.test(answer)) {
                        answered.accept(answer);
                    } else {
                        next.run();
                    }
                },
                why -> next.run());
    }
}
