package photon.joiner.adapters.remote;

import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import photon.core.config.DurationText;
import photon.core.config.PipelineConfig;
import photon.core.error.ConfigException;
import photon.core.rpc.HostPort;
import photon.joiner.adapters.AdapterDecision;
import photon.joiner.adapters.AdapterFigure;
import photon.joiner.adapters.AdapterFingerprint;
import photon.joiner.adapters.AdapterHost;
import photon.joiner.adapters.PairAdapter;
import photon.proto.adapter.v1.Effect;
import photon.proto.adapter.v1.Hello;
import photon.proto.adapter.v1.Pair;
import photon.proto.adapter.v1.SourceEvent;
import photon.proto.adapter.v1.Welcome;
import photon.proto.v1.Event;

/**
 * Calls an adapter that is a process of its own. While it is away, hangs or breaks the protocol,
 * its pairs are to be tried again; it is connected anew by the next pairs.
 */
public final class RemoteAdapter implements PairAdapter {
    private static final Logger log = LoggerFactory.getLogger(RemoteAdapter.class);
    private static final int PROTOCOL = 1;
    private static final int MESSAGE_BYTES_MAX = 32 << 20;
    private static final Duration GREETING_MAX = Duration.ofSeconds(30);

    private final String name;
    private final Duration timeout;
    private final Hello hello;
    private final String optionsSha256;
    private final HostPort address;
    private final LongAdder sessions = new LongAdder();
    private final LongAdder lies = new LongAdder();
    private @Nullable RemoteSession session;
    private volatile AdapterFingerprint fingerprint;
    private boolean closed;

    private RemoteAdapter(PipelineConfig.Adapter config, HostPort address, AdapterHost host) {
        this.name = address.toString();
        this.timeout = config.timeout();
        this.optionsSha256 = AdapterFingerprint.optionsSha256(config.options());
        this.hello =
                Hello.newBuilder()
                        .setProtocolMin(PROTOCOL)
                        .setProtocolMax(PROTOCOL)
                        .setPipeline(host.pipeline())
                        .setDatacenter(host.datacenter())
                        .putAllOptions(config.options())
                        .build();
        this.fingerprint =
                new AdapterFingerprint(PipelineConfig.Adapter.REMOTE, "", optionsSha256, List.of());
        this.address = address;
    }

    /**
     * For one session: a channel that failed once waits before it connects again. It sends no
     * pings: a gRPC server with its usual settings ends a connection that pings more often than
     * every five minutes, and an adapter that falls silent is found by the time-out of its pairs.
     */
    private ManagedChannel channel() {
        return NettyChannelBuilder.forAddress(address.host(), address.port())
                .usePlaintext()
                .disableRetry()
                .directExecutor()
                .maxInboundMessageSize(MESSAGE_BYTES_MAX)
                .build();
    }

    /**
     * Connects. That nobody answers is no error: the adapter may start later.
     *
     * @throws ConfigException if it refuses the options, speaks another protocol, or is potent
     */
    public static RemoteAdapter connect(
            PipelineConfig.Adapter config, HostPort address, AdapterHost host) {
        RemoteAdapter adapter = new RemoteAdapter(config, address, host);
        try {
            adapter.session();
        } catch (AwayException e) {
            log.warn("The adapter {} is away, and events wait for it: {}", address, e.getMessage());
        } catch (RuntimeException e) {
            adapter.close();
            throw e;
        }
        return adapter;
    }

    @Override
    public AdapterDecision join(
            Event foreign, long foreignMicros, Event primary, long primaryMicros) {
        return joinAll(List.of(new PairOfEvents(foreign, foreignMicros, primary, primaryMicros)))
                .get(0);
    }

    @Override
    public List<AdapterDecision> joinAll(List<PairOfEvents> pairs) {
        RemoteBatch batch = new RemoteBatch(pairs.size());
        try {
            RemoteSession open = session();
            open.ask(messages(pairs), batch, timeout);
            if (!batch.await(timeout)) {
                open.giveUp(
                        batch,
                        "it gave no answer within adapter.timeout, " + DurationText.of(timeout));
            }
            if (open.lied()) {
                lies.increment();
            }
        } catch (AwayException | ConfigException e) {
            batch.fail("the adapter " + name + " is away: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            batch.fail("interrupted while the adapter " + name + " was asked");
        }
        return batch.decisions();
    }

    private static List<Pair.Builder> messages(List<PairOfEvents> pairs) {
        List<Pair.Builder> messages = new ArrayList<>(pairs.size());
        for (PairOfEvents pair : pairs) {
            messages.add(
                    Pair.newBuilder()
                            .setForeign(event(pair.foreign(), pair.foreignMicros()))
                            .setPrimary(event(pair.primary(), pair.primaryMicros())));
        }
        return messages;
    }

    private static SourceEvent event(Event event, long micros) {
        return SourceEvent.newBuilder()
                .setIdBytes(event.getIdTextBytes())
                .setTimestampMicros(micros)
                .setJson(event.getJson())
                .build();
    }

    /** Open and greeted; one thread connects, the others wait for it. */
    private synchronized RemoteSession session() {
        RemoteSession last = session;
        if (last != null && last.isOpen()) {
            return last;
        }
        if (closed) {
            throw new AwayException("it is closed");
        }
        RemoteSession next = new RemoteSession(channel(), name, hello);
        try {
            greeted(next.welcome().get(GREETING_MAX.toMillis(), TimeUnit.MILLISECONDS));
            session = next;
            return next;
        } catch (ExecutionException e) {
            next.end("it was not greeted");
            @Nullable Throwable cause = e.getCause();
            if (cause instanceof ConfigException refused) {
                throw refused;
            }
            throw new AwayException(
                    cause == null ? e.toString() : String.valueOf(cause.getMessage()));
        } catch (TimeoutException e) {
            next.end("it did not greet");
            throw new AwayException("it did not greet within " + DurationText.of(GREETING_MAX));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            next.end("interrupted");
            throw new AwayException("interrupted while it was connected");
        } catch (ConfigException e) {
            next.end("refused");
            throw e;
        }
    }

    private void greeted(Welcome welcome) {
        if (welcome.getProtocol() != PROTOCOL) {
            throw new ConfigException(
                    "adapter.address: %s speaks version %s of the adapter protocol: expected %s"
                            .formatted(name, welcome.getProtocol(), PROTOCOL));
        }
        if (welcome.getEffect() == Effect.EFFECT_POTENT) {
            throw new ConfigException(
                    "adapter.address: %s is potent, but an adapter may be called several times for one event. Expected a safe or idempotent one: what may happen only once belongs behind the published output"
                            .formatted(name));
        }
        sessions.increment();
        AdapterFingerprint before = fingerprint;
        fingerprint =
                new AdapterFingerprint(
                        "remote " + welcome.getName(),
                        welcome.getVersion(),
                        optionsSha256,
                        List.of());
        if (sessions.sum() > 1 && !fingerprint.equals(before)) {
            log.warn(
                    "The adapter at {} has changed: it was {}, and is {}",
                    name,
                    before.text(),
                    fingerprint.text());
        } else {
            log.info("Connected to the adapter {} at {}", fingerprint.text(), name);
        }
    }

    @Override
    public boolean runsInline() {
        return false;
    }

    @Override
    public boolean bounds() {
        return true;
    }

    @Override
    public AdapterFingerprint fingerprint() {
        return fingerprint;
    }

    @Override
    public List<AdapterFigure> figures() {
        return List.of(
                new AdapterFigure.Count(
                        "remote_sessions",
                        "Sessions with the remote adapter that were greeted.",
                        sessions.sum()),
                new AdapterFigure.Count(
                        "remote_faults",
                        "Batches that met a breach of the protocol by the remote adapter.",
                        lies.sum()));
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
    }

    /** Nothing can be asked now. */
    private static final class AwayException extends RuntimeException {
        private static final long serialVersionUID = 1;

        AwayException(String why) {
            super(why);
        }
    }
}
