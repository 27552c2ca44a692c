package photon.server.adaptertest;

import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import photon.adapter.Adapter;
import photon.adapter.AdapterContext;
import photon.adapter.SourceEvent;
import photon.adapter.testing.AdapterCases;
import photon.adapter.testing.AdapterCases.Pair;
import photon.adapter.testing.CaseReport;
import photon.adapter.testing.CaseReport.Case;
import photon.core.config.PipelineConfig;
import photon.core.error.ConfigException;
import photon.joiner.adapters.AdapterDecision;
import photon.joiner.adapters.AdapterFingerprint;
import photon.joiner.adapters.AdapterHost;
import photon.joiner.adapters.PairAdapter.PairOfEvents;
import photon.joiner.adapters.remote.RemoteAdapter;
import photon.joiner.adapters.remote.SessionCases;
import photon.proto.v1.Event;
import photon.storage.output.WorkRecord.JoinedEvent;

/** Shows the kit for authors an adapter in a process of its own as if it ran here. */
final class RemoteUnderTest implements Adapter {
    private static final byte[] FOREIGN = json("{\"id\":\"c1\",\"key\":\"q1\"}");
    private static final byte[] PRIMARY = json("{\"id\":\"q1\",\"text\":\"red shoes\"}");

    private final PipelineConfig.Adapter config;
    private final boolean unmatched;
    private @Nullable RemoteAdapter remote;

    private RemoteUnderTest(PipelineConfig.Adapter config, boolean unmatched) {
        this.unmatched = unmatched;
        // The kit is to find first that an answer takes too long: then it stops.
        this.config =
                new PipelineConfig.Adapter(
                        config.type(),
                        config.jars(),
                        config.remote(),
                        config.options(),
                        config.timeout().multipliedBy(2),
                        config.failuresMaxPercent(),
                        config.failuresWindow());
    }

    private static byte[] json(String text) {
        return text.getBytes(java.nio.charset.StandardCharsets.UTF_8);
    }

    /**
     * All cases of the kit, and those of sessions.
     *
     * @throws ConfigException if it is away, or cannot be used at all
     */
    static AdapterTest.Result test(
            PipelineConfig.Adapter config, PipelineConfig.Remote remote, List<Pair> sample) {
        AdapterFingerprint fingerprint;
        boolean unmatched;
        try (RemoteAdapter adapter = greeted(config)) {
            fingerprint = adapter.fingerprint();
            unmatched = adapter.takesUnmatched();
        }
        CaseReport pairs =
                new AdapterCases(() -> new RemoteUnderTest(config, unmatched), config.options())
                        .unmatched(unmatched)
                        .timeout(config.timeout())
                        .sample(sample)
                        .run();
        List<Case> cases = new ArrayList<>(pairs.cases());
        cases.addAll(
                SessionCases.run(
                        config,
                        remote,
                        config.timeout(),
                        sample.isEmpty() ? FOREIGN : sample.get(0).foreign().json(),
                        sample.isEmpty() ? PRIMARY : sample.get(0).primary().json()));
        CaseReport report =
                new CaseReport(cases, pairs.calls(), pairs.meanNanos(), pairs.slowestNanos());
        return new AdapterTest.Result(fingerprint, report, sample.size());
    }

    /**
     * Every process of it has an open session.
     *
     * @throws ConfigException if one has none
     */
    static RemoteAdapter greeted(PipelineConfig.Adapter config) {
        return greeted(config, false);
    }

    private static RemoteAdapter greeted(PipelineConfig.Adapter config, boolean unmatched) {
        RemoteAdapter adapter =
                RemoteAdapter.connect(
                        config,
                        config.remote().orElseThrow(),
                        unmatched,
                        AdapterHost.trial("test"));
        List<String> away = adapter.away();
        if (away.isEmpty()) {
            return adapter;
        }
        adapter.close();
        throw new ConfigException(
                "The adapter is away: expected an answer of %s".formatted(String.join("; ", away)));
    }

    /** As it has declared in its greeting. */
    static Effect effect(RemoteAdapter adapter) {
        return switch (adapter.welcome().orElseThrow().getEffect()) {
            case EFFECT_IDEMPOTENT -> Effect.IDEMPOTENT;
            case EFFECT_POTENT -> Effect.POTENT;
            default -> Effect.SAFE;
        };
    }

    @Override
    public void start(AdapterContext context) {
        context.options().asMap(); // The adapter itself refuses what it does not know.
        remote = greeted(config, unmatched);
    }

    @Override
    public Effect effect() {
        return effect(started());
    }

    private RemoteAdapter started() {
        return java.util.Objects.requireNonNull(remote, "it is not started");
    }

    @Override
    public void join(SourceEvent foreign, SourceEvent primary, Result result) {
        decide(pair(foreign, primary, false), result);
    }

    @Override
    public void upgrade(SourceEvent foreign, SourceEvent primary, Result result) {
        decide(pair(foreign, primary, true), result);
    }

    private static PairOfEvents pair(SourceEvent foreign, SourceEvent primary, boolean upgrade) {
        return new PairOfEvents(
                event(foreign),
                foreign.timestampMicros(),
                event(primary),
                primary.timestampMicros(),
                upgrade);
    }

    @Override
    public void unmatched(SourceEvent foreign, Result result) {
        decide(PairOfEvents.unmatched(event(foreign), foreign.timestampMicros()), result);
    }

    private void decide(PairOfEvents pair, Result result) {
        AdapterDecision decision = started().decide(pair);
        if (decision instanceof AdapterDecision.Emit emit) {
            for (JoinedEvent event : emit.events()) {
                byte[] bytes = event.bytes().toByteArray();
                if (event.output().isEmpty()) {
                    result.emit(bytes);
                } else {
                    result.emit(event.output(), bytes);
                }
            }
        } else if (decision instanceof AdapterDecision.Skip skip) {
            result.skip(skip.reason());
        } else if (decision instanceof AdapterDecision.Retry retry) {
            result.retry(retry.reason());
        } else if (decision instanceof AdapterDecision.Reject reject) {
            result.reject(reject.reason());
        }
    }

    private static Event event(SourceEvent event) {
        return Event.newBuilder()
                .setIdText(event.id())
                .setJson(ByteString.copyFrom(event.json()))
                .build();
    }

    @Override
    public void close() {
        started().close();
    }
}
