package photon.joiner.adapters.remote;

import com.google.protobuf.ByteString;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import photon.adapter.testing.CaseReport.Case;
import photon.adapter.testing.CaseReport.Verdict;
import photon.core.config.PipelineConfig;
import photon.joiner.adapters.remote.RawSession.BrokenException;
import photon.proto.adapter.v1.Answer;
import photon.proto.adapter.v1.Batch;
import photon.proto.adapter.v1.FromAdapter;
import photon.proto.adapter.v1.Hello;
import photon.proto.adapter.v1.Pair;
import photon.proto.adapter.v1.SourceEvent;

/**
 * Tries what an adapter in a process of its own does with sessions: versions of the protocol, many
 * batches at a time, large pairs, a session that breaks in the middle, its end.
 */
public final class SessionCases {
    private static final int NEWEST = 99;
    private static final int BATCHES = 4;
    private static final int PAIRS = 128;

    /** Of one event; an input log's line has 8 MiB at most. */
    private static final int LARGE_BYTES = (8 << 20) - 1_000;

    private final Endpoint endpoint;
    private final String suffix;
    private final Hello hello;
    private final Duration patience;
    private final Pair like;
    private final List<Case> cases = new ArrayList<>();

    private SessionCases(
            Endpoint endpoint, String suffix, Hello hello, Duration patience, Pair like) {
        this.endpoint = endpoint;
        this.suffix = suffix;
        this.hello = hello;
        this.patience = patience;
        this.like = like;
    }

    /**
     * What came of each case, for each process of the adapter.
     *
     * @param patience how long an answer may take
     * @param foreign an event as JSON, to be asked for
     */
    public static List<Case> run(
            PipelineConfig.Adapter config,
            PipelineConfig.Remote remote,
            Duration patience,
            byte[] foreign,
            byte[] primary) {
        Hello hello =
                Hello.newBuilder()
                        .setProtocolMin(RemoteInstance.PROTOCOL)
                        .setProtocolMax(RemoteInstance.PROTOCOL)
                        .setPipeline("test")
                        .setDatacenter("test")
                        .putAllOptions(config.options())
                        .build();
        Pair like =
                Pair.newBuilder()
                        .setForeign(event("foreign-", 2, ByteString.copyFrom(foreign)))
                        .setPrimary(event("primary-", 1, ByteString.copyFrom(primary)))
                        .build();
        List<Case> cases = new ArrayList<>();
        List<Endpoint> endpoints = RemoteAdapter.endpoints(remote);
        try {
            for (Endpoint endpoint : endpoints) {
                String suffix = endpoints.size() == 1 ? "" : " at " + endpoint.name();
                SessionCases one = new SessionCases(endpoint, suffix, hello, patience, like);
                one.all();
                cases.addAll(one.cases);
            }
        } finally {
            endpoints.forEach(Endpoint::close);
        }
        return cases;
    }

    private static SourceEvent event(String id, long micros, ByteString json) {
        return SourceEvent.newBuilder().setId(id).setTimestampMicros(micros).setJson(json).build();
    }

    private void all() {
        verdict("chooses the protocol's version that both speak", this::choosesTheVersion);
        refusesOtherVersions();
        Map<Long, Answer> answers = manyAtATime();
        verdict("an empty batch changes nothing", this::takesAnEmptyBatch);
        verdict("a pair of two events of 8 MiB", this::takesALargePair);
        verdict(
                "a session that breaks in the middle leaves nothing behind",
                () -> breaksInTheMiddle(answers));
        endsWithPhoton();
    }

    /** What is wrong; empty: nothing. */
    private interface Body {
        String problem() throws BrokenException;
    }

    private void verdict(String name, Body body) {
        String problem;
        try {
            problem = body.problem();
        } catch (BrokenException e) {
            problem = String.valueOf(e.getMessage());
        }
        add(name, problem.isEmpty() ? Verdict.PASSED : Verdict.FAILED, problem);
    }

    private void add(String name, Verdict verdict, String problem) {
        cases.add(new Case("session: " + name + suffix, verdict, "", problem));
    }

    private RawSession open() throws BrokenException {
        return RawSession.open(endpoint, patience);
    }

    private RawSession greeted() throws BrokenException {
        RawSession session = open();
        try {
            session.greet(hello);
            return session;
        } catch (BrokenException e) {
            session.close();
            throw e;
        }
    }

    private String choosesTheVersion() throws BrokenException {
        try (RawSession session = open()) {
            FromAdapter answer = session.answerTo(hello.toBuilder().setProtocolMax(NEWEST).build());
            int chosen = answer.getWelcome().getProtocol();
            return chosen == RemoteInstance.PROTOCOL
                    ? ""
                    : "Photon offers the versions %s to %s, and it answers %s: expected a Welcome with version %s, the newest that it can know. A newer Photon could not use it"
                            .formatted(
                                    RemoteInstance.PROTOCOL,
                                    NEWEST,
                                    answer.hasWelcome() ? chosen : "no Welcome",
                                    RemoteInstance.PROTOCOL);
        }
    }

    private void refusesOtherVersions() {
        String name = "refuses versions of the protocol that it does not speak";
        try (RawSession session = open()) {
            FromAdapter answer =
                    session.answerTo(
                            hello.toBuilder()
                                    .setProtocolMin(NEWEST - 1)
                                    .setProtocolMax(NEWEST)
                                    .build());
            if (answer.hasRefusal()) {
                add(name, Verdict.PASSED, "");
            } else {
                add(
                        name,
                        Verdict.WARNING,
                        "Photon offers only the versions %s and %s, and it answers with a Welcome: answer a Refusal that says which you speak"
                                .formatted(NEWEST - 1, NEWEST));
            }
        } catch (BrokenException e) {
            add(
                    name,
                    Verdict.WARNING,
                    "expected a Refusal that says which versions it speaks, but " + e.getMessage());
        }
    }

    private Map<Long, Answer> manyAtATime() {
        String name = "%s batches of %s pairs without a wait".formatted(BATCHES, PAIRS);
        try (RawSession session = greeted()) {
            for (int batch = 0; batch < BATCHES; batch++) {
                session.send(batch(batch * PAIRS, PAIRS));
            }
            Map<Long, Answer> answers = session.answers(BATCHES * PAIRS);
            add(name, Verdict.PASSED, "");
            return answers;
        } catch (BrokenException e) {
            add(name, Verdict.FAILED, String.valueOf(e.getMessage()));
            return Map.of();
        }
    }

    private Batch batch(int from, int pairs) {
        Batch.Builder batch = Batch.newBuilder().setTimeoutMillis((int) patience.toMillis());
        for (int i = from; i < from + pairs; i++) {
            Pair.Builder pair = like.toBuilder().setId(i + 1L);
            pair.getForeignBuilder().setId("foreign-" + i).setTimestampMicros(i + 2L);
            pair.getPrimaryBuilder().setId("primary-" + i).setTimestampMicros(i + 1L);
            batch.addPairs(pair);
        }
        return batch.build();
    }

    private String takesAnEmptyBatch() throws BrokenException {
        try (RawSession session = greeted()) {
            session.send(Batch.getDefaultInstance());
            session.send(batch(0, 1));
            session.answers(1);
            return "";
        }
    }

    private String takesALargePair() throws BrokenException {
        ByteString large =
                ByteString.copyFrom(
                        "{\"further\":\"%s\"}".formatted("x".repeat(LARGE_BYTES)),
                        StandardCharsets.UTF_8);
        Pair pair =
                Pair.newBuilder()
                        .setId(1)
                        .setForeign(event("foreign-1", 2, large))
                        .setPrimary(event("primary-1", 1, large))
                        .build();
        try (RawSession session = greeted()) {
            session.send(Batch.newBuilder().addPairs(pair).build());
            session.answers(1);
            return "";
        } catch (BrokenException e) {
            return e.getMessage()
                    + ". Let your server take and send messages of 32 MiB: gRPC's usual bound is 4 MiB";
        }
    }

    private String breaksInTheMiddle(Map<Long, Answer> before) throws BrokenException {
        try (RawSession session = greeted()) {
            session.send(batch(0, PAIRS));
        }
        try (RawSession session = greeted()) {
            session.send(batch(0, PAIRS));
            for (Answer answer : session.answers(PAIRS).values()) {
                if (!answer.equals(before.getOrDefault(answer.getId(), answer))) {
                    return "every session must give the same answer to one pair, but '%s' got another one in a second session"
                            .formatted("foreign-" + (answer.getId() - 1));
                }
            }
            return "";
        }
    }

    private void endsWithPhoton() {
        String name = "ends a session that Photon ends";
        try (RawSession session = greeted()) {
            boolean ends = session.endsAfterEnd();
            add(
                    name,
                    ends ? Verdict.PASSED : Verdict.WARNING,
                    ends
                            ? ""
                            : "Photon has ended its side, and the adapter has not ended its own: sessions would pile up");
        } catch (BrokenException e) {
            add(name, Verdict.FAILED, String.valueOf(e.getMessage()));
        }
    }
}
