package photon.adapter.testing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import photon.adapter.Adapter;
import photon.adapter.SourceEvent;

class AdapterKitTest {
    @Test
    void aDeterministicAdapterGivesItsResult() {
        AdapterKit kit =
                new AdapterKit(
                        (foreign, primary, result) -> {
                            result.emit(
                                    (foreign.id() + primary.field("a.b").orElse(""))
                                            .getBytes(UTF_8));
                            result.emit("side", primary.json());
                        });
        kit.foreign("c1", 5);
        kit.primary("q1", 4).field("a.b", "\"x\\\t");
        AdapterResult result = kit.join();
        assertThat(result.decision()).isEqualTo(AdapterResult.Decision.EMIT);
        assertThat(result.emittedText())
                .containsExactly("c1\"x\\\t", "{\"a.b\":\"\\\"x\\\\\\u0009\"}");
        assertThat(result.emitted().get(1).output()).isEqualTo("side");
    }

    @Test
    void anExceptionIsARetryAndNothingIsASkip() {
        assertThat(decisionOf((f, p, r) -> Integer.parseInt("x")))
                .isEqualTo(AdapterResult.Decision.RETRY);
        assertThat(decisionOf((f, p, r) -> {})).isEqualTo(AdapterResult.Decision.SKIP);
        assertThat(decisionOf((f, p, r) -> r.reject("bad")))
                .isEqualTo(AdapterResult.Decision.REJECT);
    }

    @Test
    void anAdapterThatCountsItsCallsIsFound() {
        AtomicInteger calls = new AtomicInteger();
        refused(
                (f, p, r) -> r.emit(("call " + calls.incrementAndGet()).getBytes(UTF_8)),
                "the same result");
    }

    @Test
    void anAdapterThatDependsOnItsThreadIsFound() {
        refused(
                (f, p, r) -> r.emit(Thread.currentThread().getName().getBytes(UTF_8)),
                "another thread");
    }

    @Test
    void whatCannotBePublishedIsFound() {
        refused((f, p, r) -> r.emit("a\nb".getBytes(UTF_8)), "line feed");
        refused((f, p, r) -> r.emit("a/b", p.json()), "'a/b'");
        refused((f, p, r) -> r.emit("_a", p.json()), "'_a'");
    }

    @Test
    void contradictionsAreFound() {
        refused(
                (f, p, r) -> {
                    r.emit(p.json());
                    r.skip("no");
                },
                "exactly one decision");
        refused(
                (f, p, r) -> {
                    r.skip("no");
                    r.emit(p.json());
                },
                "nothing after");
    }

    @Test
    void aPotentAdapterIsRefused() {
        assertThatThrownBy(
                        () ->
                                new AdapterKit(
                                        new Adapter() {
                                            @Override
                                            public Effect effect() {
                                                return Effect.POTENT;
                                            }

                                            @Override
                                            public void join(
                                                    SourceEvent f, SourceEvent p, Result r) {}
                                        }))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("potent");
    }

    private static AdapterResult.Decision decisionOf(Adapter adapter) {
        return new AdapterKit(adapter).join().decision();
    }

    private static void refused(Adapter adapter, String why) {
        assertThatThrownBy(() -> new AdapterKit(adapter).join())
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining(why);
    }
}
