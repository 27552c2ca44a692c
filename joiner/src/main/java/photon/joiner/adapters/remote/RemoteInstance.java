package photon.joiner.adapters.remote;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import photon.core.config.DurationText;
import photon.core.error.ConfigException;
import photon.core.error.Failures;
import photon.joiner.adapters.AdapterFigure;
import photon.proto.adapter.v1.Effect;
import photon.proto.adapter.v1.Hello;
import photon.proto.adapter.v1.Welcome;

/**
 * One process of the adapter: connects to it when asked for its session, without waiting, and
 * counts what became of its pairs. Thread-safe.
 */
final class RemoteInstance implements AutoCloseable {
    static final int PROTOCOL = 1;
    static final Duration GREETING_MAX = Duration.ofSeconds(30);

    /** While others are live: so long it is left alone after a failure. */
    private static final Duration REST = Duration.ofSeconds(1);

    private final Endpoint endpoint;
    private final Hello hello;
    private final Listener listener;
    private final LongAdder pairs = new LongAdder();
    private final LongAdder unanswered = new LongAdder();
    private final LongAdder lies = new LongAdder();
    private @Nullable RemoteSession session;
    private boolean greeted;
    private boolean rests;
    private boolean closed;
    private long sessions;
    private String away = "it was not connected yet";
    private @Nullable ConfigException refusal;

    RemoteInstance(Endpoint endpoint, Hello hello, Listener listener) {
        this.endpoint = endpoint;
        this.hello = hello;
        this.listener = listener;
    }

    /** Hears of every greeting. */
    interface Listener {
        void greeted(String name, Welcome welcome);
    }

    String name() {
        return endpoint.name();
    }

    /**
     * Open and greeted. Empty: there is none now; a connection is begun, unless one failed a moment
     * ago.
     *
     * @param unrested then, too
     */
    synchronized Optional<RemoteSession> session(boolean unrested) {
        settle();
        if (session == null && !closed && (unrested || !rests)) {
            begin();
        }
        return greeted ? Optional.ofNullable(session) : Optional.empty();
    }

    private void begin() {
        CompletableFuture<Void> ready = endpoint.ready();
        if (ready.isCompletedExceptionally()) {
            away = why(ready);
        } else if (ready.isDone()) {
            RemoteSession next = new RemoteSession(endpoint.channel(), name(), hello);
            next.welcome().orTimeout(GREETING_MAX.toMillis(), TimeUnit.MILLISECONDS);
            session = next;
            settle();
        }
    }

    /** Takes down what has happened to the session since. */
    private void settle() {
        RemoteSession now = session;
        if (now == null) {
            return;
        }
        if (!greeted && now.welcome().isDone()) {
            greet(now);
        }
        now.ended().ifPresent(this::lose);
    }

    private void greet(RemoteSession now) {
        if (now.welcome().isCompletedExceptionally()) {
            now.end(why(now.welcome()));
            return;
        }
        Welcome welcome = now.welcome().join();
        String problem = problem(welcome);
        if (problem.isEmpty()) {
            greeted = true;
            refusal = null;
            sessions++;
            listener.greeted(name(), welcome);
        } else {
            refusal = new ConfigException("%s: %s %s".formatted(endpoint.key(), name(), problem));
            now.end(problem);
        }
    }

    private String problem(Welcome welcome) {
        if (welcome.getProtocol() != PROTOCOL) {
            return "speaks version %s of the adapter protocol: expected %s"
                    .formatted(welcome.getProtocol(), PROTOCOL);
        }
        if (welcome.getEffect() == Effect.EFFECT_POTENT) {
            return "is potent, but an adapter may be called several times for one event. Expected a safe or idempotent one: what may happen only once belongs behind the published output";
        }
        return hello.getUnmatched() && !welcome.getTakesUnmatched()
                ? "joins pairs only, but the configuration has unmatched. Expected Welcome.takes_unmatched: decide what becomes of an event whose primary event does not come, or take unmatched out of the configuration"
                : "";
    }

    private String why(CompletableFuture<?> failed) {
        try {
            failed.join();
            return "";
        } catch (CompletionException e) {
            Throwable cause = Failures.cause(e);
            if (cause instanceof ConfigException refused) {
                refusal = refused;
            }
            if (cause instanceof TimeoutException) {
                endpoint.hangs();
                return "it did not greet within " + DurationText.of(GREETING_MAX);
            }
            return String.valueOf(cause.getMessage());
        }
    }

    private void lose(String why) {
        session = null;
        greeted = false;
        away = why;
        rests = true;
        CompletableFuture.delayedExecutor(REST.toMillis(), TimeUnit.MILLISECONDS)
                .execute(this::rested);
    }

    private synchronized void rested() {
        rests = false;
    }

    /** Completed, in whatever way, when it is worth while to ask for the session again. */
    synchronized Optional<CompletableFuture<?>> pending() {
        if (session != null) {
            return greeted ? Optional.empty() : Optional.of(session.welcome());
        }
        CompletableFuture<Void> ready = endpoint.ready();
        return closed || ready.isDone() ? Optional.empty() : Optional.of(ready);
    }

    /** Why there is no session. */
    synchronized String away() {
        return away;
    }

    /** What the adapter said against this configuration when it was connected last. */
    synchronized Optional<ConfigException> refusal() {
        return Optional.ofNullable(refusal);
    }

    /**
     * A batch of this session is done.
     *
     * @param without how many of its pairs had no answer
     */
    void asked(RemoteSession by, int all, long without, boolean hangs) {
        pairs.add(all);
        unanswered.add(without);
        if (by.lied()) {
            lies.increment();
        }
        if (hangs) {
            endpoint.hangs();
        }
    }

    synchronized List<AdapterFigure> figures() {
        settle();
        List<AdapterFigure> figures = new ArrayList<>();
        figures.add(
                new AdapterFigure.Level(
                        "remote_live",
                        "1: this process of the remote adapter has an open session.",
                        greeted ? 1 : 0,
                        label()));
        count(figures, "sessions", "Sessions with the remote adapter that were greeted.", sessions);
        count(figures, "pairs", "Pairs that the remote adapter was asked for.", pairs.sum());
        count(
                figures,
                "unanswered",
                "Pairs without an answer of the remote adapter: they are tried again.",
                unanswered.sum());
        count(
                figures,
                "faults",
                "Batches that met a breach of the protocol by the remote adapter.",
                lies.sum());
        if (endpoint.starts() > 0) {
            count(
                    figures,
                    "starts",
                    "How often Photon has started the adapter's process.",
                    endpoint.starts());
        }
        return figures;
    }

    private void count(List<AdapterFigure> figures, String name, String help, long value) {
        figures.add(new AdapterFigure.Count("remote_" + name, help, value, label()));
    }

    private List<String> label() {
        return List.of("address", name());
    }

    @Override
    public void close() {
        RemoteSession last;
        synchronized (this) {
            closed = true;
            last = session;
        }
        if (last != null) {
            last.end("the joiner ends");
        }
        endpoint.close();
    }
}
