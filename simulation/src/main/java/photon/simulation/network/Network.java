package photon.simulation.network;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import photon.core.loop.EventLoop;
import photon.core.rpc.Caller;
import photon.core.rpc.Handler;
import photon.core.rpc.HostPort;
import photon.core.rpc.SessionCaller;
import photon.core.rpc.SessionHandler;
import photon.simulation.kernel.Life;
import photon.simulation.kernel.Timeline;
import photon.simulation.kernel.Trace;

/**
 * Calls and sessions between processes, as gRPC gives them: a call is delayed, lost, repeated or
 * overtaken by another; a session keeps its order and breaks. Each host name is one process's.
 */
public final class Network {
    /** Dead servers of one address that are kept in mind at most. */
    private static final int SERVED_MAX = 4;

    private final Timeline timeline;
    private final SimulatedLinks links;
    private final RandomGenerator random;

    /** Of one address several, where a process was replaced and goes on. */
    private final Map<String, List<Endpoint<?>>> endpoints = new HashMap<>();

    private long messages;
    private Observer observer = new Observer() {};

    /** Hears of calls, sessions apart. */
    public interface Observer {
        /** It has come, and the server has not begun with it. */
        default void called(Life server, String method) {}

        /** The answer is on its way. */
        default void answered(String method, String clientHost, Object answer) {}
    }

    public void observe(Observer all) {
        observer = all;
    }

    /** Who serves a method at an address. */
    private record Endpoint<H>(Life server, EventLoop loop, H handler) {}

    public Network(Timeline timeline) {
        this.timeline = timeline;
        this.links = new SimulatedLinks(timeline);
        this.random = timeline.random().split();
    }

    public SimulatedLinks links() {
        return links;
    }

    /** Messages sent so far. */
    public long messages() {
        return messages;
    }

    /** Counts a message, and puts it into words where they are kept. */
    void sent(String from, String to, String method, Object message) {
        messages++;
        Trace trace = timeline.trace();
        trace.mix(from, method);
        if (trace.kept()) {
            trace.note(from, "-> " + to + " " + method + " " + MessageText.of(message));
        }
    }

    Timeline timeline() {
        return timeline;
    }

    RandomGenerator random() {
        return random;
    }

    /** True if a message sent now, one way, would arrive. */
    public boolean reaches(String fromHost, String toHost) {
        return links.reaches(fromHost, toHost);
    }

    /** A fresh random delay of one message. */
    public long delayNanos(String fromHost, String toHost) {
        return links.delayNanos(fromHost, toHost);
    }

    /** From now until the server's life ends, while no later life of it serves there. */
    public <Q, R> void serve(
            Life server, EventLoop loop, HostPort at, String method, Handler<Q, R> handler) {
        add(at, method, new Endpoint<>(server, loop, new Calls<>(server, handler)));
    }

    /** From now until the server's life ends, while no later life of it serves there. */
    public <Q, R> void serveSession(
            Life server, EventLoop loop, HostPort at, String method, SessionHandler<Q, R> handler) {
        add(at, method, new Endpoint<>(server, loop, handler));
    }

    private void add(HostPort at, String method, Endpoint<?> endpoint) {
        endpoints.computeIfAbsent(key(at, method), key -> new ArrayList<>()).add(endpoint);
    }

    /** Of the latest life that serves there; null: nobody does. */
    private @Nullable Endpoint<?> find(HostPort at, String method) {
        List<Endpoint<?>> all = endpoints.getOrDefault(key(at, method), List.of());
        Endpoint<?> latest = null;
        for (Endpoint<?> one : all) {
            if (one.server.alive()
                    && (latest == null || one.server.number() > latest.server.number())) {
                latest = one;
            }
        }
        if (all.size() > SERVED_MAX) {
            all.removeIf(one -> !one.server.alive());
        }
        return latest;
    }

    private static String key(HostPort at, String method) {
        return at.host() + ':' + at.port() + '/' + method;
    }

    /**
     * Calls a method; each gets its answer, or is broken at the deadline or sooner.
     *
     * @param clientHost the name under which the client's links are known
     */
    public <Q, R> Caller<Q, R> caller(
            Life client,
            String clientHost,
            EventLoop loop,
            HostPort to,
            String method,
            Duration deadline) {
        return new SimCaller<>(client, clientHost, loop, to, method, deadline, true);
    }

    /**
     * The same, but what is sent once comes once: nothing below the caller sends it again. For
     * commits (docs/protocol.md section 3), whose sender must know how often it has sent.
     */
    public <Q, R> Caller<Q, R> callerOnce(
            Life client,
            String clientHost,
            EventLoop loop,
            HostPort to,
            String method,
            Duration deadline) {
        return new SimCaller<>(client, clientHost, loop, to, method, deadline, false);
    }

    public <Q, R> SessionCaller<Q, R> session(
            Life client, String clientHost, EventLoop loop, HostPort to, String method) {
        return new SimSessions<>(
                this, client, clientHost, loop, to.host(), method, () -> sessionServer(to, method));
    }

    @SuppressWarnings("unchecked")
    private <Q, R> SimSessions.@Nullable Server<Q, R> sessionServer(HostPort to, String method) {
        Endpoint<?> endpoint = find(to, method);
        if (endpoint == null) {
            return null;
        }
        return new SimSessions.Server<>(
                endpoint.server, endpoint.loop, (SessionHandler<Q, R>) endpoint.handler);
    }

    /** What a server has under way: broken when it ends. */
    private static final class Calls<Q, R> {
        private final Handler<Q, R> handler;
        private final Set<Runnable> open = new LinkedHashSet<>();

        Calls(Life server, Handler<Q, R> handler) {
            this.handler = handler;
            server.onEnd(
                    () -> {
                        Set<Runnable> broken = new LinkedHashSet<>(open);
                        open.clear();
                        broken.forEach(Runnable::run);
                    });
        }
    }

    private final class SimCaller<Q, R> implements Caller<Q, R> {
        private final Life client;
        private final String clientHost;
        private final EventLoop loop;
        private final HostPort to;
        private final String method;
        private final Duration deadline;
        private final boolean repeats;
        private final Set<Waiting<R>> waiting = new LinkedHashSet<>();

        SimCaller(
                Life client,
                String clientHost,
                EventLoop loop,
                HostPort to,
                String method,
                Duration deadline,
                boolean repeats) {
            this.client = client;
            this.clientHost = clientHost;
            this.loop = loop;
            this.to = to;
            this.method = method;
            this.deadline = deadline;
            this.repeats = repeats;
        }

        @Override
        public void call(Q request, Reply<R> reply) {
            client.checkAlive();
            Waiting<R> call = new Waiting<>(reply);
            waiting.add(call);
            call.deadline = loop.schedule(deadline, () -> broken(call, "no answer in time"));
            sent(clientHost, to.host(), method, request);
            int arriving = links.copies(clientHost, to.host());
            int copies = repeats ? arriving : Math.min(1, arriving);
            for (int copy = 0; copy < copies; copy++) {
                long delay =
                        links.delayNanos(clientHost, to.host())
                                + links.lateNanos(clientHost, to.host())
                                + links.delayedNanos(method, clientHost);
                if (copy > 0 && random.nextInt(3) == 0) {
                    // A copy that was stuck on its way for long.
                    delay += random.nextLong(120_000_000_000L);
                }
                if (repeats || !links.hold(clientHost, () -> arrive(request, call))) {
                    timeline.at(timeline.nowNanos() + delay, () -> arrive(request, call));
                }
            }
        }

        @SuppressWarnings("unchecked")
        private void arrive(Q request, Waiting<R> call) {
            Endpoint<?> endpoint = find(to, method);
            if (endpoint == null) {
                breakSoon(call, "connection refused");
                return;
            }
            Calls<Q, R> calls = (Calls<Q, R>) endpoint.handler;
            Runnable reset = () -> breakSoon(call, "connection reset");
            calls.open.add(reset);
            Consumer<R> respond =
                    answer -> {
                        if (endpoint.server.alive() && calls.open.remove(reset)) {
                            answer(answer, call);
                        }
                    };
            observer.called(endpoint.server, method);
            boolean taken = endpoint.loop.offer(() -> calls.handler.handle(request, respond));
            if (!taken) {
                calls.open.remove(reset);
                breakSoon(call, "the server has no room");
            }
        }

        private void answer(R answer, Waiting<R> call) {
            sent(to.host(), clientHost, method, answer);
            observer.answered(method, clientHost, answer);
            if (!links.losesAnswer(method) && links.copies(to.host(), clientHost) > 0) {
                back(
                        () -> {
                            if (waiting.remove(call)) {
                                call.over();
                                call.reply.answered(answer);
                            }
                        });
            }
        }

        private void breakSoon(Waiting<R> call, String why) {
            if (links.reaches(to.host(), clientHost)) {
                back(() -> broken(call, why));
            }
        }

        private void back(Runnable task) {
            timeline.at(
                    timeline.nowNanos() + links.delayNanos(to.host(), clientHost),
                    () -> loop.execute(task));
        }

        private void broken(Waiting<R> call, String why) {
            if (waiting.remove(call)) {
                call.over();
                call.reply.broken(why);
            }
        }

        @Override
        public void close() {
            Set<Waiting<R>> left = new LinkedHashSet<>(waiting);
            loop.execute(() -> left.forEach(call -> broken(call, "closed")));
        }
    }

    private static final class Waiting<R> {
        final Caller.Reply<R> reply;
        EventLoop.@Nullable Cancellable deadline;

        void over() {
            if (deadline != null) {
                deadline.cancel();
            }
        }

        Waiting(Caller.Reply<R> reply) {
            this.reply = reply;
        }
    }
}
