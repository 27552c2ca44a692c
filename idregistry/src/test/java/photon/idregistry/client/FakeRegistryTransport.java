package photon.idregistry.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
    final class Sent {
        final HostPort server;
        final Object request;
        private final Caller.Reply<Object> reply;

        Sent(HostPort server, Object request, Caller.Reply<Object> reply) {
            this.server = server;
            this.request = request;
            this.reply = reply;
        }

        /** The request, which must be of this type. */
        <Q> Q as(Class<Q> type) {
            return type.cast(request);
        }

        void answer(Object answer) {
            unanswered.remove(this);
            loop.execute(() -> reply.answered(answer));
            loop.runUntilIdle();
        }

        void lose() {
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

    List<Sent> unanswered() {
        return List.copyOf(unanswered);
    }

    @Override
    public Server at(HostPort server) {
        return servers.computeIfAbsent(
                server,
                s ->
                        new Server(
                                caller(s), caller(s), caller(s), caller(s), caller(s), caller(s),
                                caller(s), caller(s), caller(s), caller(s), caller(s), caller(s),
                                caller(s), caller(s), caller(s), caller(s)));
    }

    private <Q, R> Caller<Q, R> caller(HostPort server) {
        return new Caller<>() {
            @Override
            public void call(Q request, Reply<R> reply) {
                Sent one =
                        new Sent(
                                server,
                                request,
                                new Reply<>() {
                                    @Override
                                    @SuppressWarnings("unchecked")
                                    public void answered(Object answer) {
                                        reply.answered((R) answer);
                                    }

                                    @Override
                                    public void broken(String why) {
                                        reply.broken(why);
                                    }
                                });
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
