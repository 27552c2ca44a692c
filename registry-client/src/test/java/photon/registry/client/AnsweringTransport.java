package photon.registry.client;

import java.util.HashMap;
import java.util.Map;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import photon.core.loop.EventLoop;
import photon.core.rpc.Caller;
import photon.core.rpc.HostPort;

/** Answers every request a moment later, as the test says; null: it breaks. */
public final class AnsweringTransport implements RegistryTransport {
    private final EventLoop loop;
    private final BiFunction<HostPort, Object, @Nullable Object> answers;
    private final Map<HostPort, Server> servers = new HashMap<>();
    private long asked;

    public AnsweringTransport(
            EventLoop loop, BiFunction<HostPort, Object, @Nullable Object> answers) {
        this.loop = loop;
        this.answers = answers;
    }

    /** Requests so far. */
    public long asked() {
        return asked;
    }

    @Override
    public Server at(HostPort server) {
        return servers.computeIfAbsent(server, s -> FakeRegistryTransport.server(() -> caller(s)));
    }

    private Caller<Object, Object> caller(HostPort server) {
        return new Caller<>() {
            @Override
            public void call(Object request, Reply<Object> reply) {
                asked++;
                loop.execute(
                        () -> {
                            Object answer = answers.apply(server, request);
                            if (answer == null) {
                                reply.broken("no answer");
                            } else {
                                reply.answered(answer);
                            }
                        });
            }

            @Override
            public void close() {}
        };
    }

    @Override
    public void close() {}
}
