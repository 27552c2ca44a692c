package photon.registry.client;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import photon.core.rpc.Caller;
import photon.core.rpc.HostPort;

/**
 * Asks the nearest server that answers. One that did not is passed over for a while, so that a dead
 * neighbour does not slow down every question. Used in the loop.
 */
final class Nearest {
    private static final Duration SUSPECT_FOR = Duration.ofSeconds(2);

    private final Asking asking;
    private final List<HostPort> servers;
    private final Map<HostPort, Long> suspectUntilNanos = new HashMap<>();

    /**
     * @param servers nearest first
     */
    Nearest(Asking asking, List<HostPort> servers) {
        this.asking = asking;
        this.servers = servers;
    }

    /**
     * A question that changes nothing.
     *
     * @param pointless true: nobody waits for it any more, so it is not asked again
     * @param willDo whether an answer is one
     */
    record Question<Q, R>(
            Function<RegistryTransport.Server, Caller<Q, R>> rpc,
            Q request,
            BooleanSupplier pointless,
            Predicate<R> willDo,
            Consumer<R> answered) {}

    /** Asks one server after another, round after round, until an answer will do. */
    <Q, R> void ask(Question<Q, R> question) {
        ask(question, nearestFirst(), 0, 1);
    }

    private List<HostPort> nearestFirst() {
        long now = asking.loop.nanoTime();
        suspectUntilNanos.values().removeIf(until -> until - now <= 0);
        List<HostPort> order = new ArrayList<>(servers);
        order.removeIf(suspectUntilNanos::containsKey);
        servers.stream().filter(suspectUntilNanos::containsKey).forEach(order::add);
        return order;
    }

    private <Q, R> void ask(Question<Q, R> question, List<HostPort> order, int tried, int round) {
        if (question.pointless.getAsBoolean()) {
            return;
        }
        if (tried == order.size()) {
            asking.later(
                    asking.backoff.afterFailures(round),
                    () -> ask(question, nearestFirst(), 0, round + 1));
            return;
        }
        HostPort asked = order.get(tried);
        asking.once(
                question.rpc.apply(asking.at(asked)),
                question.request,
                answer -> {
                    if (!question.willDo.test(answer)) {
                        ask(question, order, tried + 1, round);
                    } else if (!question.pointless.getAsBoolean()) {
                        question.answered.accept(answer);
                    }
                },
                why -> {
                    suspectUntilNanos.put(asked, asking.loop.nanoTime() + SUSPECT_FOR.toNanos());
                    ask(question, order, tried + 1, round);
                });
    }
}
