package photon.registry.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import photon.core.loop.ManualLoop;
import photon.core.rpc.Caller;
import photon.core.rpc.HostPort;

/** Keeps every request that was sent until the test answers it. */
public final class FakeRegistryTransport implements RegistryTransport {
    private final ManualLoop loop;
    private final Map<HostPort, Server> servers = new HashMap<>();
    private final List<Sent> unanswered = new ArrayList<>();

    /** Every request ever sent, answered or not. */
    final List<Sent> sent = new ArrayList<>();

    public FakeRegistryTransport(ManualLoop loop) {
        this.loop = loop;
    }

    /** A request on its way. */
    public final class Sent {
        final HostPort server;
        final Object request;
        private final Caller.Reply<Object> reply;

        Sent(HostPort server, Object request, Caller.Reply<Object> reply) {
            this.server = server;
            this.request = request;
            this.reply = reply;
        }

        /** The request, which must be of this type. */
        public <Q> Q as(Class<Q> type) {
            return type.cast(request);
        }

        public void answer(Object answer) {
            answerBehindOthers(answer);
            loop.runUntilIdle();
        }

        /** The answer is there, and not looked at yet. */
        void answerBehindOthers(Object answer) {
            unanswered.remove(this);
            loop.execute(() -> reply.answered(answer));
        }

        public void lose() {
            unanswered.remove(this);
            loop.execute(() -> reply.broken("lost"));
            loop.runUntilIdle();
        }
    }

    /** The one request that waits for an answer. */
    Sent only() {
        assertThat(unanswered).hasSize(1);
        return unanswered.get(0);
    }

    public List<Sent> unanswered() {
        return List.copyOf(unanswered);
    }

    @Override
    public Server at(HostPort server) {
        return servers.computeIfAbsent(server, s -> server(() -> caller(s)));
    }

    /** One whose calls are all of this kind. */
    static Server server(Supplier<Caller<Object, Object>> caller) {
        return new Server(
                of(caller),
                of(caller),
                of(caller),
                of(caller),
                of(caller),
                of(caller),
                of(caller),
                of(caller),
                of(caller),
                of(caller),
                of(caller),
                of(caller),
                of(caller),
                of(caller),
                of(caller),
                of(caller),
                of(caller),
                of(caller),
                of(caller),
                of(caller),
                of(caller),
                of(caller));
    }

    @SuppressWarnings("unchecked") // What is asked and answered is the test's affair.
    private static <Q, R> Caller<Q, R> of(Supplier<Caller<Object, Object>> caller) {
        return (Caller<Q, R>) caller.get();
    }

    private Caller<Object, Object> caller(HostPort server) {
        return new Caller<>() {
            @Override
            public void call(Object request, Reply<Object> reply) {
                Sent one = new Sent(server, request, reply);
                sent.add(one);
                unanswered.add(one);
            }

            @Override
            public void close() {}
        };
    }

    @Override
    public void close() {}
}
