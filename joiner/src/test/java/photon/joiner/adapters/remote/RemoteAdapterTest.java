package photon.joiner.adapters.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import photon.core.config.PipelineConfig;
import photon.core.error.ConfigException;
import photon.core.rpc.HostPort;
import photon.core.security.SecurityConfig;
import photon.joiner.adapters.AdapterDecision;
import photon.joiner.adapters.AdapterFigure;
import photon.joiner.adapters.AdapterHost;
import photon.joiner.adapters.PairAdapter;
import photon.joiner.adapters.PairAdapter.PairOfEvents;
import photon.joiner.adapters.load.Adapters;
import photon.proto.adapter.v1.Answer;
import photon.proto.adapter.v1.Answers;
import photon.proto.adapter.v1.Batch;
import photon.proto.adapter.v1.Effect;
import photon.proto.adapter.v1.Emit;
import photon.proto.adapter.v1.FromAdapter;
import photon.proto.adapter.v1.Hello;
import photon.proto.adapter.v1.JoinedEvent;
import photon.proto.adapter.v1.Pair;
import photon.proto.adapter.v1.Refusal;
import photon.proto.v1.Event;

/** An adapter in another process: whatever it does, a pair has one decision, or is asked again. */
class RemoteAdapterTest {
    private static final Duration LONG = Duration.ofSeconds(20);

    private static PairAdapter connect(HostPort address, Duration timeout) {
        return connect(timeout, address);
    }

    static PairAdapter connect(Duration timeout, HostPort... addresses) {
        return connect(false, timeout, addresses);
    }

    private static PairAdapter connect(boolean unmatched, Duration timeout, HostPort... addresses) {
        return Adapters.load(
                new PipelineConfig.Adapter(
                        PipelineConfig.Adapter.REMOTE,
                        List.of(),
                        Optional.of(
                                PipelineConfig.Remote.at(
                                        List.of(addresses), SecurityConfig.DEFAULT)),
                        Map.of("k", "v"),
                        timeout,
                        50,
                        200),
                unmatched,
                AdapterHost.joiner("ads", "east"));
    }

    /** Says of each pair whether it has a primary event. */
    private static final class LeftJoin extends FakeAdapter {
        private final boolean takes;
        private volatile boolean asked;

        LeftJoin(boolean takes) throws IOException {
            super(0);
            this.takes = takes;
        }

        @Override
        FromAdapter greeting(Hello hello) {
            asked = hello.getUnmatched();
            FromAdapter.Builder answer = super.greeting(hello).toBuilder();
            answer.getWelcomeBuilder().setTakesUnmatched(takes);
            return answer.build();
        }

        @Override
        void answer(int session, Batch batch, StreamObserver<FromAdapter> out) {
            Answers.Builder answers = Answers.newBuilder();
            for (Pair pair : batch.getPairsList()) {
                answers.addAnswers(
                        Answer.newBuilder()
                                .setId(pair.getId())
                                .setSkip(
                                        pair.hasPrimary()
                                                ? pair.getPrimary().getId()
                                                : "no primary"));
            }
            send(out, answers);
        }
    }

    @Test
    void whatHasNoPrimaryEventIsAskedForAsAPairWithoutOne() throws Exception {
        try (LeftJoin server = new LeftJoin(true);
                PairAdapter adapter = connect(true, LONG, server.address())) {
            assertThat(server.asked).isTrue();
            assertThat(adapter.takesUnmatched()).isTrue();
            PairOfEvents whole = pair(1);
            PairOfEvents alone = PairOfEvents.unmatched(whole.foreign(), whole.foreignMicros());
            assertThat(reasons(adapter.joinAll(List.of(whole, alone))))
                    .containsExactly("skip p1", "skip no primary");
            assertThat(reasons(List.of(adapter.unmatched(event("f2"), 7))))
                    .containsExactly("skip no primary");
        }
    }

    @Test
    void oneThatJoinsPairsOnlyIsRefusedBesideALeftJoin() throws Exception {
        try (LeftJoin server = new LeftJoin(false)) {
            assertThatThrownBy(() -> connect(true, LONG, server.address()))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining("adapter.address: " + server.address())
                    .hasMessageContaining("joins pairs only, but the configuration has unmatched");
            connect(false, LONG, server.address()).close();
            assertThat(server.asked).isFalse();
        }
    }

    static List<PairOfEvents> pairs(int count) {
        return IntStream.range(0, count).mapToObj(RemoteAdapterTest::pair).toList();
    }

    static PairOfEvents pair(int number) {
        return new PairOfEvents(event("f" + number), 1_000 + number, event("p" + number), number);
    }

    /** The foreign event has a text in its id's place. */
    static PairOfEvents pair(int number, String text) {
        Event foreign = event(text).toBuilder().setIdText("f" + number).build();
        return new PairOfEvents(foreign, 1_000 + number, event("p" + number), number);
    }

    private static Event event(String id) {
        return Event.newBuilder()
                .setIdText(id)
                .setJson(ByteString.copyFromUtf8("{\"id\":\"" + id + "\"}"))
                .build();
    }

    static List<String> reasons(List<AdapterDecision> decisions) {
        return decisions.stream()
                .map(
                        decision ->
                                decision instanceof AdapterDecision.Skip skip
                                        ? "skip " + skip.reason()
                                        : decision instanceof AdapterDecision.Retry
                                                        || decision
                                                                instanceof AdapterDecision.NotAsked
                                                ? "retry"
                                                : decision.toString())
                .toList();
    }

    static String retry(AdapterDecision decision) {
        assertThat(decision).isInstanceOf(AdapterDecision.Retry.class);
        return ((AdapterDecision.Retry) decision).reason();
    }

    static long figure(PairAdapter adapter, String name) {
        return adapter.figures().stream()
                .filter(figure -> figure.name().equals(name))
                .filter(AdapterFigure.Count.class::isInstance)
                .mapToLong(figure -> ((AdapterFigure.Count) figure).value())
                .sum();
    }

    @Test
    void everyDecisionComesBackInOrder() throws Exception {
        List<Hello> hellos = Collections.synchronizedList(new ArrayList<>());
        try (FakeAdapter fake =
                        new FakeAdapter(0) {
                            @Override
                            FromAdapter greeting(Hello hello) {
                                hellos.add(hello);
                                return super.greeting(hello);
                            }

                            @Override
                            void answer(int session, Batch batch, StreamObserver<FromAdapter> out) {
                                List<Pair> reversed = new ArrayList<>(batch.getPairsList());
                                Collections.reverse(reversed);
                                for (Pair pair : reversed) {
                                    send(out, Answers.newBuilder().addAnswers(decide(pair)));
                                }
                            }
                        };
                PairAdapter adapter = connect(fake.address(), LONG)) {
            List<AdapterDecision> decisions = adapter.joinAll(pairs(5));
            assertThat(decisions.get(0)).isEqualTo(new AdapterDecision.Skip("not wanted"));
            assertThat(decisions.get(1)).isEqualTo(new AdapterDecision.Retry("away"));
            assertThat(decisions.get(2)).isEqualTo(new AdapterDecision.Reject("broken"));
            AdapterDecision.Emit emit = (AdapterDecision.Emit) decisions.get(3);
            assertThat(emit.events())
                    .extracting(event -> event.output() + event.bytes().toStringUtf8())
                    .containsExactly("{\"id\":\"f3\"}", "side{\"at\":1003,\"before\":3}");
            assertThat(adapter.join(event("f0"), 1, event("p0"), 2))
                    .isEqualTo(new AdapterDecision.Skip("not wanted"));
            assertThat(adapter.fingerprint().text()).startsWith("remote fake 7 (");
            assertThat(adapter.bounds()).isTrue();
            assertThat(figure(adapter, "remote_sessions")).isEqualTo(1);
        }
        assertThat(hellos).hasSize(1);
        assertThat(hellos.get(0).getPipeline() + hellos.get(0).getDatacenter())
                .isEqualTo("adseast");
        assertThat(hellos.get(0).getOptionsMap()).isEqualTo(Map.of("k", "v"));
    }

    private static Answer decide(Pair pair) {
        Answer.Builder answer = Answer.newBuilder().setId(pair.getId());
        return switch (pair.getForeign().getId()) {
            case "f0" -> answer.setSkip("not wanted").build();
            case "f1" -> answer.setRetry("away").build();
            case "f2" -> answer.setReject("broken").build();
            default ->
                    answer.setEmit(
                                    Emit.newBuilder()
                                            .addEvents(
                                                    JoinedEvent.newBuilder()
                                                            .setJson(pair.getForeign().getJson()))
                                            .addEvents(
                                                    JoinedEvent.newBuilder()
                                                            .setOutput("side")
                                                            .setJson(times(pair))))
                            .build();
        };
    }

    private static ByteString times(Pair pair) {
        return ByteString.copyFromUtf8(
                "{\"at\":%d,\"before\":%d}"
                        .formatted(
                                pair.getForeign().getTimestampMicros(),
                                pair.getPrimary().getTimestampMicros()));
    }

    @Test
    void anAnswerThatNobodyAskedForEndsTheSession() throws Exception {
        lie("answered the id 999, which was not asked for", pair -> List.of(skip(pair).setId(999)));
    }

    @Test
    void aSecondAnswerEndsTheSession() throws Exception {
        lie("which was not asked for or has its answer", pair -> List.of(skip(pair), skip(pair)));
    }

    @Test
    void anAnswerWithoutADecisionEndsTheSession() throws Exception {
        lie(
                "has no decision, or emits no event",
                pair -> List.of(Answer.newBuilder().setId(pair.getId())));
        lie(
                "has no decision, or emits no event",
                pair ->
                        List.of(
                                Answer.newBuilder()
                                        .setId(pair.getId())
                                        .setEmit(Emit.getDefaultInstance())));
    }

    @Test
    void anAnswerWithoutADecisionToTheOnlyPairIsSeenAtOnce() throws Exception {
        try (FakeAdapter fake =
                        new FakeAdapter(0) {
                            @Override
                            void answer(int session, Batch batch, StreamObserver<FromAdapter> out) {
                                send(
                                        out,
                                        Answers.newBuilder()
                                                .addAnswers(
                                                        Answer.newBuilder()
                                                                .setId(batch.getPairs(0).getId())));
                            }
                        };
                PairAdapter adapter = connect(fake.address(), LONG)) {
            assertThat(retry(adapter.joinAll(pairs(1)).get(0)))
                    .contains("has no decision, or emits no event");
        }
    }

    private static Answer.Builder skip(Pair pair) {
        return FakeAdapter.skip(pair);
    }

    private interface Lie {
        List<Answer.Builder> of(Pair pair);
    }

    /** In the first session only, at the pair in the middle. */
    private static void lie(String why, Lie lie) throws Exception {
        try (FakeAdapter fake =
                        new FakeAdapter(0) {
                            @Override
                            void answer(int session, Batch batch, StreamObserver<FromAdapter> out) {
                                if (session > 1) {
                                    super.answer(session, batch, out);
                                    return;
                                }
                                Answers.Builder answers = Answers.newBuilder();
                                answers.addAnswers(skip(batch.getPairs(0)));
                                lie.of(batch.getPairs(1)).forEach(answers::addAnswers);
                                send(out, answers);
                            }
                        };
                PairAdapter adapter = connect(fake.address(), LONG)) {
            List<AdapterDecision> first = adapter.joinAll(pairs(3));
            assertThat(retry(first.get(2))).contains("it broke the protocol").contains(why);
            assertThat(reasons(first).get(0)).isIn("skip f0", "retry");
            assertThat(reasons(adapter.joinAll(pairs(3))))
                    .containsExactly("skip f0", "skip f1", "skip f2");
            assertThat(fake.sessions).hasValue(2);
            assertThat(figure(adapter, "remote_faults")).isEqualTo(1);
        }
    }

    @Test
    void aMessageThatIsTooLargeEndsTheSession() throws Exception {
        try (FakeAdapter fake =
                        new FakeAdapter(0) {
                            @Override
                            void answer(int session, Batch batch, StreamObserver<FromAdapter> out) {
                                if (session > 1) {
                                    super.answer(session, batch, out);
                                    return;
                                }
                                send(
                                        out,
                                        Answers.newBuilder()
                                                .addAnswers(
                                                        skip(batch.getPairs(0))
                                                                .setSkip("x".repeat(33 << 20))));
                            }
                        };
                PairAdapter adapter = connect(fake.address(), LONG)) {
            assertThat(retry(adapter.joinAll(pairs(1)).get(0))).contains("RESOURCE_EXHAUSTED");
            assertThat(reasons(adapter.joinAll(pairs(1)))).containsExactly("skip f0");
        }
    }

    @Test
    void itMayStartLaterAndMayBeRestarted() throws Exception {
        FakeAdapter first = new FakeAdapter(FakeAdapter.lastingPort());
        HostPort address = first.address();
        first.close();
        try (PairAdapter adapter = connect(address, LONG)) {
            assertThat(adapter.joinAll(pairs(2)))
                    .hasSize(2)
                    .allSatisfy(
                            decision ->
                                    assertThat(decision)
                                            .isInstanceOfSatisfying(
                                                    AdapterDecision.NotAsked.class,
                                                    one ->
                                                            assertThat(one.reason())
                                                                    .contains(
                                                                            "the adapter "
                                                                                    + address
                                                                                    + " is away:"
                                                                                    + " ")));
            assertThat(adapter.fingerprint().isUnknown()).isTrue();
            for (int i = 0; i < 3; i++) {
                try (FakeAdapter fake = new FakeAdapter(address.port())) {
                    assertThat(fake.address()).isEqualTo(address);
                    assertThat(reasons(adapter.joinAll(pairs(1)))).containsExactly("skip f0");
                }
                assertThat(reasons(adapter.joinAll(pairs(1)))).containsExactly("retry");
            }
            assertThat(figure(adapter, "remote_sessions")).isEqualTo(3);
        }
    }

    @Test
    void whatCannotWorkIsRefusedAtTheStart() throws Exception {
        refused(
                FromAdapter.newBuilder()
                        .setRefusal(Refusal.newBuilder().addProblems("k is 'v': expected a number"))
                        .build(),
                "k is 'v': expected a number");
        refused(FakeAdapter.welcome(2, Effect.EFFECT_SAFE), "speaks version 2");
        refused(FakeAdapter.welcome(1, Effect.EFFECT_POTENT), "is potent");
    }

    private static void refused(FromAdapter greeting, String why) throws Exception {
        try (FakeAdapter fake =
                new FakeAdapter(0) {
                    @Override
                    FromAdapter greeting(Hello hello) {
                        return greeting;
                    }
                }) {
            assertThatThrownBy(() -> connect(fake.address(), LONG).close())
                    .isInstanceOf(ConfigException.class)
                    .hasMessageStartingWith("adapter.")
                    .hasMessageContaining(why);
        }
    }

    /** Lies, hangs, ends its sessions and answers well, by chance, to several threads at a time. */
    @Test
    void whateverItDoesADecisionIsOfItsOwnPair() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try (FakeAdapter fake = new Unreliable();
                PairAdapter adapter = connect(fake.address(), Duration.ofSeconds(1))) {
            List<Callable<Integer>> bodies = new ArrayList<>();
            for (int thread = 0; thread < 4; thread++) {
                int from = thread * 1_000;
                bodies.add(() -> joined(adapter, from));
            }
            int decided = 0;
            for (Future<Integer> body : threads.invokeAll(bodies)) {
                decided += body.get();
            }
            assertThat(decided).isGreaterThan(200);
            assertThat(figure(adapter, "remote_faults")).isPositive();
            assertThat(fake.sessions.get()).isGreaterThan(3);
        } finally {
            threads.shutdownNow();
        }
    }

    /** How many had a decision, each of which is right. */
    private static int joined(PairAdapter adapter, int from) {
        int decided = 0;
        for (int round = 0; round < 60; round++) {
            int first = from + round * 10;
            List<AdapterDecision> decisions =
                    adapter.joinAll(
                            IntStream.range(first, first + 10)
                                    .mapToObj(RemoteAdapterTest::pair)
                                    .toList());
            assertThat(decisions).hasSize(10);
            for (int i = 0; i < 10; i++) {
                AdapterDecision decision = decisions.get(i);
                // Between two sessions it cannot be asked.
                if (!(decision instanceof AdapterDecision.Retry)
                        && !(decision instanceof AdapterDecision.NotAsked)) {
                    assertThat(decision).isEqualTo(new AdapterDecision.Skip("f" + (first + i)));
                    decided++;
                }
            }
        }
        return decided;
    }

    private static final class Unreliable extends FakeAdapter {
        private final Random random = new Random(1);

        Unreliable() throws Exception {
            super(0);
        }

        @Override
        synchronized void answer(int session, Batch batch, StreamObserver<FromAdapter> out) {
            int mood = random.nextInt(40);
            Answers.Builder answers = Answers.newBuilder();
            List<Pair> shuffled = new ArrayList<>(batch.getPairsList());
            Collections.shuffle(shuffled, random);
            shuffled.forEach(pair -> answers.addAnswers(skip(pair)));
            if (mood == 0) {
                return;
            } else if (mood == 1) {
                answers.addAnswers(skip(shuffled.get(0)).setSkip("something else"));
            } else if (mood == 2) {
                answers.addAnswers(Answer.newBuilder().setId(random.nextLong()).setSkip("lie"));
            } else if (mood == 3) {
                answers.removeAnswers(0);
            } else if (mood == 4) {
                out.onError(io.grpc.Status.INTERNAL.asRuntimeException());
                return;
            }
            send(out, answers);
        }
    }
}
