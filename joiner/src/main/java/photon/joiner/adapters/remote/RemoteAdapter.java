package photon.joiner.adapters.remote;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import photon.adapter.AdapterContext.Capability;
import photon.core.config.DurationText;
import photon.core.config.PipelineConfig;
import photon.core.error.ConfigException;
import photon.core.rpc.RpcSecurity;
import photon.joiner.adapters.AdapterDecision;
import photon.joiner.adapters.AdapterFigure;
import photon.joiner.adapters.AdapterFingerprint;
import photon.joiner.adapters.AdapterHost;
import photon.joiner.adapters.PairAdapter;
import photon.proto.adapter.v1.Hello;
import photon.proto.adapter.v1.Pair;
import photon.proto.adapter.v1.SourceEvent;
import photon.proto.adapter.v1.Welcome;
import photon.proto.v1.Event;

/**
 * Calls an adapter that is a process of its own, or several such processes in turn. The pairs of
 * one that dies, hangs or breaks the protocol are to be tried again, and so are pairs of which none
 * could be asked since all are away; they are connected anew by later pairs.
 */
public final class RemoteAdapter implements PairAdapter {
    /** Timeouts that a batch is waited for while there are answers, of one adapter that is slow. */
    private static final int WAITS_MAX = 10;

    private static final Logger log = LoggerFactory.getLogger(RemoteAdapter.class);

    private final Duration timeout;
    private final String optionsSha256;
    private final List<RemoteInstance> instances;
    private final AtomicInteger turn = new AtomicInteger();
    private volatile AdapterFingerprint fingerprint;
    private volatile @Nullable Welcome welcome;

    private RemoteAdapter(
            PipelineConfig.Adapter config,
            List<Endpoint> endpoints,
            boolean unmatched,
            AdapterHost host) {
        this.timeout = config.timeout();
        this.optionsSha256 = AdapterFingerprint.optionsSha256(config.options());
        this.fingerprint =
                new AdapterFingerprint(PipelineConfig.Adapter.REMOTE, "", optionsSha256, List.of());
        Hello hello =
                Hello.newBuilder()
                        .setProtocolMin(RemoteInstance.PROTOCOL)
                        .setProtocolMax(RemoteInstance.PROTOCOL)
                        .setPipeline(host.pipeline())
                        .setDatacenter(host.datacenter())
                        .putAllOptions(config.options())
                        .setUnmatched(unmatched)
                        .build();
        this.instances =
                endpoints.stream()
                        .map(endpoint -> new RemoteInstance(endpoint, hello, this::greeted))
                        .toList();
    }

    /**
     * Connects. That nobody answers is no error: the adapter may start later.
     *
     * @param unmatched it must take foreign events without a primary event, too
     * @throws ConfigException if it refuses the options, speaks another protocol, is potent, or
     *     joins pairs only
     */
    public static RemoteAdapter connect(
            PipelineConfig.Adapter config,
            PipelineConfig.Remote remote,
            boolean unmatched,
            AdapterHost host) {
        RemoteAdapter adapter = new RemoteAdapter(config, endpoints(remote), unmatched, host);
        try {
            for (RemoteInstance instance : adapter.instances) {
                connect(instance);
                if (host.capabilities().contains(Capability.RETRY)) {
                    warnIfAway(instance);
                }
            }
        } catch (RuntimeException e) {
            adapter.close();
            throw e;
        }
        return adapter;
    }

    static List<Endpoint> endpoints(PipelineConfig.Remote remote) {
        List<Endpoint> endpoints = new ArrayList<>();
        if (!remote.command().isEmpty()) {
            endpoints.add(ChildProcess.start(remote.command(), remote.directory()));
        }
        RpcSecurity security =
                remote.addresses().isEmpty()
                        ? RpcSecurity.PLAINTEXT
                        : RpcSecurity.of(remote.security(), Map.of(), Clock.systemUTC());
        remote.addresses()
                .forEach(address -> endpoints.add(new AddressEndpoint(address, security)));
        return endpoints;
    }

    private static void connect(RemoteInstance instance) {
        while (instance.session(false).isEmpty()) {
            Optional<CompletableFuture<?>> pending = instance.pending();
            if (pending.isEmpty() || !await(List.of(pending.get()))) {
                break;
            }
        }
        instance.refusal()
                .ifPresent(
                        refusal -> {
                            throw refusal;
                        });
    }

    private static void warnIfAway(RemoteInstance instance) {
        if (instance.session(false).isEmpty()) {
            log.warn(
                    "The adapter {} is away, and events wait for it: {}",
                    instance.name(),
                    instance.away());
        }
    }

    @Override
    public AdapterDecision join(
            Event foreign, long foreignMicros, Event primary, long primaryMicros) {
        return joinAll(List.of(new PairOfEvents(foreign, foreignMicros, primary, primaryMicros)))
                .get(0);
    }

    @Override
    public AdapterDecision upgrade(
            Event foreign, long foreignMicros, Event primary, long primaryMicros) {
        return joinAll(
                        List.of(
                                new PairOfEvents(
                                        foreign, foreignMicros, primary, primaryMicros, true)))
                .get(0);
    }

    @Override
    public AdapterDecision unmatched(Event foreign, long foreignMicros) {
        return joinAll(List.of(PairOfEvents.unmatched(foreign, foreignMicros))).get(0);
    }

    /** A process that joins pairs only is not greeted where more is asked for. */
    @Override
    public boolean takesUnmatched() {
        return welcome().map(Welcome::getTakesUnmatched).orElse(true);
    }

    @Override
    public List<AdapterDecision> joinAll(List<PairOfEvents> pairs) {
        return ask(pairs).decisions();
    }

    /**
     * The decision about one pair, for a test of the adapter.
     *
     * @throws UnansweredException if it gave none
     */
    public AdapterDecision decide(PairOfEvents pair) {
        RemoteBatch batch = ask(List.of(pair));
        if (batch.unanswered() > 0) {
            throw new UnansweredException(batch.trouble());
        }
        return batch.decisions().get(0);
    }

    private RemoteBatch ask(List<PairOfEvents> pairs) {
        RemoteBatch batch = new RemoteBatch(pairs.size());
        try {
            ask(live(), messages(pairs), batch);
        } catch (AwayException e) {
            batch.notAsked(e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            batch.fail("interrupted while the adapter was asked");
        }
        return batch;
    }

    /** One that can be asked now, with its session. */
    private record Live(RemoteInstance instance, RemoteSession session) {}

    private void ask(Live live, List<Pair.Builder> pairs, RemoteBatch batch)
            throws InterruptedException {
        boolean hangs = false;
        live.session().ask(pairs, batch, timeout);
        for (int waits = 1; !batch.await(timeout); waits++) {
            // What is given up is done for nothing, and asked for again.
            if (!live.session().goesOn(batch) || waits == WAITS_MAX) {
                hangs =
                        live.session()
                                .giveUp(
                                        batch,
                                        "it gave no answer within adapter.timeout, "
                                                + DurationText.of(timeout));
            }
        }
        live.instance().asked(live.session(), pairs.size(), batch.unanswered(), hangs);
    }

    private static List<Pair.Builder> messages(List<PairOfEvents> pairs) {
        List<Pair.Builder> messages = new ArrayList<>(pairs.size());
        for (PairOfEvents pair : pairs) {
            Pair.Builder message =
                    Pair.newBuilder().setForeign(event(pair.foreign(), pair.foreignMicros()));
            Event primary = pair.primary();
            if (primary != null) {
                message.setPrimary(event(primary, pair.primaryMicros())).setUpgrade(pair.upgrade());
            }
            messages.add(message);
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

    /** The next one in turn; waits for one to come only if there is none. */
    private Live live() throws InterruptedException {
        List<Live> live = allLive(false);
        if (live.isEmpty()) {
            live = allLive(true);
        }
        while (live.isEmpty()) {
            List<CompletableFuture<?>> pending =
                    instances.stream()
                            .map(RemoteInstance::pending)
                            .flatMap(Optional::stream)
                            .toList();
            if (pending.isEmpty() || !awaitOne(pending)) {
                live = allLive(false);
                break;
            }
            live = allLive(false);
        }
        if (live.isEmpty()) {
            throw new AwayException(
                    instances.stream()
                            .map(
                                    one ->
                                            "the adapter %s is away: %s"
                                                    .formatted(one.name(), one.away()))
                            .collect(Collectors.joining("; ")));
        }
        return live.get(Math.floorMod(turn.getAndIncrement(), live.size()));
    }

    private List<Live> allLive(boolean unrested) {
        List<Live> live = new ArrayList<>(instances.size());
        for (RemoteInstance instance : instances) {
            instance.session(unrested).ifPresent(open -> live.add(new Live(instance, open)));
        }
        return live;
    }

    private static boolean await(List<CompletableFuture<?>> pending) {
        try {
            return awaitOne(pending);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** False: none is completed within the time for a greeting. */
    private static boolean awaitOne(List<CompletableFuture<?>> pending)
            throws InterruptedException {
        try {
            CompletableFuture.anyOf(pending.toArray(CompletableFuture[]::new))
                    .get(RemoteInstance.GREETING_MAX.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (ExecutionException e) {
            return true;
        } catch (TimeoutException e) {
            return false;
        }
    }

    private synchronized void greeted(String name, Welcome greeting) {
        AdapterFingerprint before = fingerprint;
        welcome = greeting;
        fingerprint =
                new AdapterFingerprint(
                        "remote " + greeting.getName(),
                        greeting.getVersion(),
                        optionsSha256,
                        List.of());
        if (!before.isUnknown() && !fingerprint.equals(before)) {
            log.warn(
                    "The adapter at {} is another: the last one that was connected was {}, and this is {}",
                    name,
                    before.text(),
                    fingerprint.text());
        } else {
            log.info("Connected to the adapter {} at {}", fingerprint.text(), name);
        }
    }

    /** Of the process that was connected last; empty: there was none. */
    public Optional<Welcome> welcome() {
        return Optional.ofNullable(welcome);
    }

    /** Why each process without a session has none. */
    public List<String> away() {
        return instances.stream()
                .filter(one -> one.session(false).isEmpty())
                .map(one -> one.name() + ": " + one.away())
                .toList();
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
        return instances.stream().flatMap(one -> one.figures().stream()).toList();
    }

    @Override
    public void close() {
        instances.forEach(RemoteInstance::close);
    }

    /** The adapter did not decide about a pair. */
    public static final class UnansweredException extends RuntimeException {
        private static final long serialVersionUID = 1;

        UnansweredException(String why) {
            super(why);
        }
    }

    /** Nothing can be asked now. */
    private static final class AwayException extends RuntimeException {
        private static final long serialVersionUID = 1;

        AwayException(String why) {
            super(why);
        }

        @Override
        public String getMessage() {
            return String.valueOf(super.getMessage());
        }
    }
}
