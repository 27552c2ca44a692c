package photon.joiner.adapters.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import photon.core.error.ConfigException;
import photon.core.rpc.HostPort;
import photon.core.testing.Await;
import photon.joiner.adapters.AdapterDecision;
import photon.joiner.adapters.AdapterFigure;
import photon.joiner.adapters.PairAdapter;
import photon.joiner.adapters.PairAdapter.PairOfEvents;
import photon.proto.adapter.v1.Batch;
import photon.proto.adapter.v1.Effect;
import photon.proto.adapter.v1.FromAdapter;
import photon.proto.adapter.v1.Hello;

/** Several processes of one adapter: the pairs go to those that live, in turn. */
class SeveralInstancesTest {
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final Duration SHORT = Duration.ofSeconds(5);
    private static final Duration MINUTES = Duration.ofMinutes(5);

    private static PairAdapter connect(Duration timeout, FakeAdapter... fakes) {
        HostPort[] addresses = new HostPort[fakes.length];
        for (int i = 0; i < fakes.length; i++) {
            addresses[i] = fakes[i].address();
        }
        return RemoteAdapterTest.connect(timeout, addresses);
    }

    private static void decided(PairAdapter adapter, int pairs) {
        List<PairOfEvents> asked = RemoteAdapterTest.pairs(pairs);
        assertThat(RemoteAdapterTest.reasons(adapter.joinAll(asked)))
                .isEqualTo(IntStream.range(0, pairs).mapToObj(i -> "skip f" + i).toList());
    }

    private static long figure(PairAdapter adapter, String name, FakeAdapter of) {
        long sum = 0;
        for (AdapterFigure figure : adapter.figures()) {
            if (figure instanceof AdapterFigure.Count count
                    && count.name().equals(name)
                    && count.labels().equals(List.of("address", of.address().toString()))) {
                sum += count.value();
            } else if (figure instanceof AdapterFigure.Level level
                    && level.name().equals(name)
                    && level.labels().equals(List.of("address", of.address().toString()))) {
                sum += level.value();
            }
        }
        return sum;
    }

    @Test
    void batchesGoToEachInTurn() throws Exception {
        try (FakeAdapter one = new FakeAdapter(0);
                FakeAdapter two = new FakeAdapter(0);
                FakeAdapter three = new FakeAdapter(0);
                PairAdapter adapter = connect(LONG, one, two, three)) {
            for (int i = 0; i < 6; i++) {
                decided(adapter, 5);
            }
            for (FakeAdapter fake : List.of(one, two, three)) {
                assertThat(figure(adapter, "remote_pairs", fake)).isEqualTo(10);
                assertThat(figure(adapter, "remote_sessions", fake)).isEqualTo(1);
                assertThat(figure(adapter, "remote_live", fake)).isEqualTo(1);
            }
        }
    }

    @Test
    void oneThatDiesLeavesItsTurnsToTheOthers() throws Exception {
        FakeAdapter dies = new FakeAdapter(0);
        try (FakeAdapter lives = new FakeAdapter(0);
                PairAdapter adapter = connect(LONG, dies, lives)) {
            decided(adapter, 1);
            decided(adapter, 1);
            dies.close();
            int retries = 0;
            for (int i = 0; i < 20; i++) {
                AdapterDecision decision = adapter.joinAll(RemoteAdapterTest.pairs(1)).get(0);
                retries += decision instanceof AdapterDecision.Retry ? 1 : 0;
            }
            assertThat(retries).as("only what was asked before its end was seen").isLessThan(2);
            decided(adapter, 3);
            assertThat(figure(adapter, "remote_live", dies)).isZero();
            assertThat(figure(adapter, "remote_live", lives)).isEqualTo(1);
        }
    }

    @Test
    void oneThatComesBackIsAskedAgain() throws Exception {
        FakeAdapter first = new FakeAdapter(FakeAdapter.lastingPort());
        HostPort address = first.address();
        try (FakeAdapter other = new FakeAdapter(0);
                PairAdapter adapter = connect(LONG, first, other)) {
            first.close();
            try (FakeAdapter again = new FakeAdapter(address.port())) {
                Await.until(
                        MINUTES,
                        "another session",
                        () -> "",
                        () -> {
                            adapter.joinAll(RemoteAdapterTest.pairs(1));
                            return figure(adapter, "remote_sessions", again) >= 2;
                        });
                assertThat(figure(adapter, "remote_sessions", again)).isEqualTo(2);
                assertThat(again.sessions).hasValue(1);
            }
        }
    }

    /** Its connection is accepted and nothing else: it must not keep those that live from work. */
    @Test
    void oneThatDoesNotGreetHoldsNobodyUp() throws Exception {
        List<FromAdapter> greetings = new ArrayList<>();
        greetings.add(FakeAdapter.welcome(1, Effect.EFFECT_SAFE));
        try (FakeAdapter silent =
                        new FakeAdapter(0) {
                            @Override
                            synchronized FromAdapter greeting(Hello hello) {
                                return greetings.isEmpty()
                                        ? FromAdapter.getDefaultInstance()
                                        : greetings.remove(0);
                            }

                            @Override
                            void answer(
                                    int session, Batch batch, StreamObserver<FromAdapter> out) {}
                        };
                FakeAdapter lives = new FakeAdapter(0);
                PairAdapter adapter = connect(SHORT, silent, lives)) {
            int retries = 0;
            long begin = System.nanoTime();
            for (int i = 0; i < 50; i++) {
                AdapterDecision decision = adapter.joinAll(RemoteAdapterTest.pairs(1)).get(0);
                retries += decision instanceof AdapterDecision.Retry ? 1 : 0;
            }
            assertThat(figure(adapter, "remote_unanswered", silent)).isEqualTo(1);
            // In a pause an answer of the other one is late, too.
            assertThat(retries).isEqualTo(1 + figure(adapter, "remote_unanswered", lives));
            // Held up at each turn for as long as a greeting may take it would be longer.
            assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(MINUTES);
        }
    }

    @Test
    void oneThatRefusesEndsTheStart() throws Exception {
        try (FakeAdapter well = new FakeAdapter(0);
                FakeAdapter potent =
                        new FakeAdapter(0) {
                            @Override
                            FromAdapter greeting(Hello hello) {
                                return welcome(1, Effect.EFFECT_POTENT);
                            }
                        }) {
            assertThatThrownBy(() -> connect(LONG, well, potent).close())
                    .isInstanceOf(ConfigException.class)
                    .hasMessage(
                            "adapter.address: %s is potent, but an adapter may be called several times for one event. Expected a safe or idempotent one: what may happen only once belongs behind the published output",
                            potent.address());
        }
    }

    /** A server with gRPC's usual settings takes no message above 4 MiB. */
    @Test
    void largePairsGoInMessagesThatAnyServerTakes() throws Exception {
        List<Integer> batches = new ArrayList<>();
        try (FakeAdapter fake =
                        new FakeAdapter(0) {
                            @Override
                            void answer(int session, Batch batch, StreamObserver<FromAdapter> out) {
                                batches.add(batch.getPairsCount());
                                super.answer(session, batch, out);
                            }
                        };
                PairAdapter adapter = connect(LONG, fake)) {
            List<PairOfEvents> large =
                    IntStream.range(0, 10)
                            .mapToObj(i -> RemoteAdapterTest.pair(i, "x".repeat(1 << 20)))
                            .toList();
            assertThat(RemoteAdapterTest.reasons(adapter.joinAll(large)))
                    .isEqualTo(IntStream.range(0, 10).mapToObj(i -> "skip f" + i).toList());
        }
        assertThat(batches).hasSize(5).containsOnly(2);
    }
}
