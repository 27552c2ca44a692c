package photon.server.adaptertest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import photon.adapter.testing.CaseReport.Case;
import photon.adapter.testing.CaseReport.Verdict;
import photon.core.config.PipelineConfig;
import photon.core.error.ConfigException;
import photon.core.rpc.HostPort;
import photon.core.security.SecurityConfig;
import photon.proto.adapter.v1.Answer;
import photon.proto.adapter.v1.FromAdapter;
import photon.proto.adapter.v1.Hello;
import photon.proto.adapter.v1.Pair;

/** Tests of an adapter in a process of its own: a right one passes, and each wrong one is found. */
class RemoteUnderTestTest {
    private static PipelineConfig.Adapter config(Duration timeout, String... addresses) {
        return new PipelineConfig.Adapter(
                PipelineConfig.Adapter.REMOTE,
                List.of(),
                Optional.of(
                        PipelineConfig.Remote.at(
                                List.of(addresses).stream().map(HostPort::parse).toList(),
                                SecurityConfig.DEFAULT)),
                Map.of("k", "v"),
                timeout,
                50,
                200);
    }

    private static AdapterTest.Result test(EchoAdapter adapter) {
        return AdapterTest.run(config(Duration.ofSeconds(20), adapter.address()), List.of());
    }

    private static List<String> problems(AdapterTest.Result result, Verdict verdict) {
        return result.report().cases().stream()
                .filter(one -> one.verdict() == verdict)
                .map(one -> one.name() + ": " + one.problem())
                .toList();
    }

    @Test
    void aRightOnePasses() throws Exception {
        try (EchoAdapter one = new EchoAdapter(EchoAdapter.MESSAGE_BYTES_MAX);
                EchoAdapter two = new EchoAdapter(EchoAdapter.MESSAGE_BYTES_MAX)) {
            AdapterTest.Result result =
                    AdapterTest.run(
                            config(Duration.ofSeconds(20), one.address(), two.address()),
                            List.of());
            assertThat(problems(result, Verdict.FAILED)).isEmpty();
            assertThat(problems(result, Verdict.WARNING)).isEmpty();
            assertThat(result.adapter().text()).startsWith("remote echo 2.0 (");
            assertThat(result.report().cases())
                    .extracting(Case::name)
                    .contains(
                            "session: 4 batches of 128 pairs without a wait at " + one.address(),
                            "session: 4 batches of 128 pairs without a wait at " + two.address());
            AdapterDescription described =
                    AdapterDescription.of(config(Duration.ofSeconds(20), one.address()));
            assertThat(described.text())
                    .contains(
                            "remote echo",
                            "2.0",
                            "idempotent",
                            "left join     no",
                            "process       " + one.address());
            assertThat(described.json()).contains("\"processes\" : [ \"" + one.address() + "\" ]");
        }
    }

    @Test
    void oneThatTakesEventsWithoutAPrimaryEventIsTriedOnThem() throws Exception {
        try (EchoAdapter adapter =
                new EchoAdapter(EchoAdapter.MESSAGE_BYTES_MAX) {
                    @Override
                    FromAdapter greeting(Hello hello) {
                        FromAdapter.Builder answer = super.greeting(hello).toBuilder();
                        if (answer.hasWelcome()) {
                            answer.getWelcomeBuilder().setTakesUnmatched(true);
                        }
                        return answer.build();
                    }

                    @Override
                    Answer.Builder answer(Pair pair) {
                        if (pair.getUpgrade()) {
                            return Answer.newBuilder().setSkip("late");
                        }
                        return pair.hasPrimary()
                                ? super.answer(pair)
                                : Answer.newBuilder().setSkip("alone");
                    }
                }) {
            AdapterTest.Result result = test(adapter);
            assertThat(problems(result, Verdict.FAILED)).isEmpty();
            assertThat(result.report().cases())
                    .filteredOn(one -> one.name().endsWith(", without a primary event"))
                    .hasSizeGreaterThan(10)
                    .allMatch(one -> one.decision().equals("skip: alone"));
            assertThat(result.report().cases())
                    .filteredOn(one -> one.name().endsWith(", as an upgrade"))
                    .hasSizeGreaterThan(10)
                    .allMatch(one -> one.decision().equals("skip: late"));
            AdapterDescription described =
                    AdapterDescription.of(config(Duration.ofSeconds(20), adapter.address()));
            assertThat(described.text()).contains("left join     yes");
            assertThat(described.json()).contains("\"takesUnmatched\" : true");
        }
    }

    @Test
    void oneWithTheUsualBoundOfMessagesFails() throws Exception {
        try (EchoAdapter adapter = new EchoAdapter(4 << 20)) {
            assertThat(problems(test(adapter), Verdict.FAILED))
                    .singleElement()
                    .asString()
                    .startsWith("session: a pair of two events of 8 MiB: the session broke: ")
                    .endsWith(
                            "Let your server take and send messages of 32 MiB: gRPC's usual bound is 4 MiB");
        }
    }

    @Test
    void oneThatRepeatsWhateverVersionItIsOfferedFails() throws Exception {
        try (EchoAdapter adapter =
                new EchoAdapter(EchoAdapter.MESSAGE_BYTES_MAX) {
                    @Override
                    FromAdapter greeting(Hello hello) {
                        return welcome(hello.getProtocolMax());
                    }
                }) {
            AdapterTest.Result result = test(adapter);
            assertThat(problems(result, Verdict.FAILED))
                    .singleElement()
                    .asString()
                    .contains("offers the versions 1 to 99, and it answers 99");
            assertThat(problems(result, Verdict.WARNING))
                    .singleElement()
                    .asString()
                    .contains("answer a Refusal that says which you speak");
        }
    }

    @Test
    void oneWhoseAnswersDifferFails() throws Exception {
        AtomicLong calls = new AtomicLong();
        try (EchoAdapter adapter =
                new EchoAdapter(EchoAdapter.MESSAGE_BYTES_MAX) {
                    @Override
                    Answer.Builder answer(Pair pair) {
                        return Answer.newBuilder().setSkip("call " + calls.incrementAndGet());
                    }
                }) {
            assertThat(problems(test(adapter), Verdict.FAILED))
                    .anySatisfy(
                            problem ->
                                    assertThat(problem)
                                            .startsWith("a usual pair: every call with one pair"))
                    .anySatisfy(
                            problem ->
                                    assertThat(problem)
                                            .startsWith("session: a session that breaks"));
        }
    }

    @Test
    void oneWhoseAnswersHaveNoDecisionFails() throws Exception {
        try (EchoAdapter adapter =
                new EchoAdapter(EchoAdapter.MESSAGE_BYTES_MAX) {
                    @Override
                    Answer.Builder answer(Pair pair) {
                        return Answer.newBuilder();
                    }
                }) {
            assertThat(problems(test(adapter), Verdict.FAILED))
                    .first()
                    .asString()
                    .contains("has no decision, or emits no event");
        }
    }

    @Test
    void oneThatIsAwayOrRefusesCannotBeTested() throws Exception {
        String address;
        try (EchoAdapter adapter = new EchoAdapter(EchoAdapter.MESSAGE_BYTES_MAX)) {
            address = adapter.address();
        }
        assertThatThrownBy(() -> AdapterTest.run(config(Duration.ofSeconds(5), address), List.of()))
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith("The adapter is away: expected an answer of " + address);
        try (EchoAdapter adapter =
                new EchoAdapter(EchoAdapter.MESSAGE_BYTES_MAX) {
                    @Override
                    FromAdapter greeting(Hello hello) {
                        return welcome(7);
                    }
                }) {
            assertThatThrownBy(() -> test(adapter))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining("speaks version 7 of the adapter protocol: expected 1");
        }
    }
}
