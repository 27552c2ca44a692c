package photon.adapter.testing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import photon.adapter.Adapter;
import photon.adapter.AdapterContext;
import photon.adapter.SourceEvent;
import photon.adapter.testing.CaseReport.Case;
import photon.adapter.testing.CaseReport.Verdict;

class AdapterCasesTest {
    private static final Adapter GOOD =
            (f, p, r) -> {
                if (f.field("paid").isEmpty()) {
                    r.skip("not paid");
                } else {
                    r.emit(
                            "{\"primary\":"
                                    .concat(new String(p.json(), UTF_8))
                                    .concat("}")
                                    .getBytes(UTF_8));
                }
            };

    @Test
    void aGoodAdapterPassesMoreThanFiftyCases() {
        CaseReport report = run(() -> GOOD);
        report.assertPassed();
        assertThat(report.cases()).hasSizeGreaterThan(50);
        assertThat(report.count(Verdict.PASSED)).isEqualTo(report.cases().size());
        assertThat(report.calls()).isGreaterThan(500);
        assertThat(report.slowestNanos()).isGreaterThanOrEqualTo(report.meanNanos());
        assertThat(find(report, "foreign: without the field paid").decision())
                .isEqualTo("skip: not paid");
    }

    private static class LeftJoin implements Adapter {
        @Override
        public void join(SourceEvent foreign, SourceEvent primary, Result result) {
            GOOD.join(foreign, primary, result);
        }

        @Override
        public void unmatched(SourceEvent foreign, Result result) {
            result.emit(foreign.json());
        }
    }

    @Test
    void oneThatTakesEventsWithoutAPrimaryEventIsTriedOnThem() {
        CaseReport report = run(LeftJoin::new);
        report.assertPassed();
        assertThat(find(report, "a usual pair, without a primary event").decision())
                .startsWith("emit {");
        assertThat(report.cases())
                .filteredOn(one -> one.name().endsWith(", without a primary event"))
                .as("one for each foreign event, not for each pair")
                .hasSizeGreaterThan(20)
                .noneMatch(one -> one.name().startsWith("primary: "));
        assertThat(run(() -> GOOD).cases()).noneMatch(one -> one.name().contains(", without a p"));
    }

    @Test
    void whatItMakesOfThemMustNotDependOnTheCall() {
        AtomicLong calls = new AtomicLong();
        CaseReport report =
                run(
                        () ->
                                new LeftJoin() {
                                    @Override
                                    public void unmatched(SourceEvent foreign, Result result) {
                                        result.skip("call " + calls.incrementAndGet());
                                    }
                                });
        assertThat(find(report, "a usual pair, without a primary event").problem())
                .contains("every call with one pair must give the same");
    }

    @Test
    void itsUpgradesAreTriedIfItHasThem() {
        AtomicLong calls = new AtomicLong();
        CaseReport report =
                run(
                        () ->
                                new LeftJoin() {
                                    @Override
                                    public void upgrade(
                                            SourceEvent foreign,
                                            SourceEvent primary,
                                            Result result) {
                                        if (foreign.field("paid").isEmpty()) {
                                            result.skip("call " + calls.incrementAndGet());
                                            return;
                                        }
                                        result.emit("{\"upgrade\":true}".getBytes(UTF_8));
                                    }
                                });
        assertThat(find(report, "a usual pair, as an upgrade").decision())
                .isEqualTo("emit {\"upgrade\":true}");
        Case unsteady = find(report, "foreign: without the field paid, as an upgrade");
        assertThat(unsteady.verdict()).isEqualTo(Verdict.FAILED);
        assertThat(unsteady.problem()).contains("every call with one pair must give the same");
        assertThat(run(LeftJoin::new).cases())
                .as("without a method of its own an upgrade is a join")
                .noneMatch(one -> one.name().endsWith(", as an upgrade"));
    }

    @Test
    void aSampleIsTriedAndItsFieldsAreVaried() {
        CaseReport report =
                new AdapterCases(() -> GOOD, Map.of())
                        .sample(
                                List.of(
                                        new AdapterCases.Pair(
                                                "line 1",
                                                TestEvent.of(
                                                        "c",
                                                        2,
                                                        "{\"paid\":1,\"mine\":{\"x\":[1]}}"),
                                                TestEvent.of("q", 1, "{\"words\":\"a\"}"))))
                        .run();
        report.assertPassed();
        assertThat(find(report, "line 1").decision())
                .isEqualTo("emit {\"primary\":{\"words\":\"a\"}}");
        find(report, "foreign: without the field mine");
        find(report, "primary: without the field words");
    }

    @Test
    void unescapedTextIsFound() {
        CaseReport report =
                run(
                        () ->
                                (f, p, r) ->
                                        r.emit(
                                                ("{\"id\":\"" + f.field("id").orElse("") + "\"}")
                                                        .getBytes(UTF_8)));
        Case quotes = find(report, "foreign: every field with quotes and backslashes");
        assertThat(quotes.verdict()).isEqualTo(Verdict.FAILED);
        assertThat(quotes.problem()).contains("no JSON object").contains("Escape");
        assertThat(
                        find(report, "foreign: every field with line feeds and control characters")
                                .problem())
                .contains("line feed");
        assertThatThrownBy(report::assertPassed)
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("foreign: every field with quotes and backslashes: it emits");
    }

    @Test
    void anAdapterThatThrowsIsFound() {
        CaseReport report =
                run(
                        () ->
                                (f, p, r) ->
                                        r.skip(
                                                f.field("paid")
                                                        .orElseThrow(IllegalStateException::new)));
        assertThat(find(report, "foreign: without the field paid").problem())
                .contains("it threw java.lang.IllegalStateException")
                .contains("dead-letters it");
        assertThat(find(report, "primary: no fields").verdict()).isEqualTo(Verdict.PASSED);
    }

    @Test
    void stateBetweenCallsIsFound() {
        AtomicInteger calls = new AtomicInteger();
        CaseReport report =
                run(
                        () ->
                                (f, p, r) ->
                                        r.emit(
                                                ("{\"n\":" + calls.incrementAndGet() + "}")
                                                        .getBytes(UTF_8)));
        assertThat(find(report, "a usual pair").problem())
                .contains(
                        "every call with one pair must give the same, but the first gave emit {\"n\":1}, and a second call gave emit {\"n\":2}");
    }

    @Test
    void stateOfAnInstanceIsFound() {
        AtomicInteger made = new AtomicInteger();
        CaseReport report =
                run(
                        () -> {
                            int number = made.incrementAndGet();
                            return (f, p, r) -> r.emit(("{\"n\":" + number + "}").getBytes(UTF_8));
                        });
        assertThat(report.cases().stream().filter(one -> one.verdict() == Verdict.FAILED))
                .extracting(Case::name)
                .containsExactly("another instance gives the same results in another order");
    }

    @Test
    void anAdapterThatIsNotThreadSafeIsFound() {
        CountDownLatch two = new CountDownLatch(2);
        CaseReport report =
                run(
                        () ->
                                (f, p, r) -> {
                                    String name = Thread.currentThread().getName();
                                    if (name.equals("adapter-cases")) {
                                        two.countDown();
                                        r.skip("beside others");
                                    } else {
                                        r.skip("alone");
                                    }
                                });
        assertThat(two.getCount()).isZero();
        assertThat(find(report, "8 threads at a time give the same results").problem())
                .contains(
                        "the first gave skip: alone, and a call beside others gave skip: beside others");
    }

    @Test
    void anAdapterThatHangsIsFoundAndEndsTheCases() {
        CountDownLatch never = new CountDownLatch(1);
        CaseReport report =
                new AdapterCases(
                                () ->
                                        (f, p, r) -> {
                                            try {
                                                never.await();
                                            } catch (InterruptedException e) {
                                                r.retry("interrupted");
                                            }
                                        },
                                Map.of())
                        .timeout(Duration.ofMillis(50))
                        .run();
        assertThat(find(report, "a usual pair").problem())
                .contains("no answer within adapter.timeout, 50 ms");
        assertThat(report.cases()).hasSizeLessThan(6);
    }

    @Test
    void oneThatWantsAPairAgainIsWarnedOf() {
        CaseReport report = run(() -> (f, p, r) -> r.retry("away"));
        assertThat(report.passed()).isTrue();
        assertThat(find(report, "a usual pair").verdict()).isEqualTo(Verdict.WARNING);
    }

    @Test
    void anAdapterThatDoesNotStartHasOneCase() {
        CaseReport wrong =
                run(
                        () ->
                                new Adapter() {
                                    @Override
                                    public void start(AdapterContext context) {
                                        context.options().number("n", 1, 5);
                                    }

                                    @Override
                                    public void join(SourceEvent f, SourceEvent p, Result r) {}
                                });
        assertThat(wrong.cases()).hasSize(1);
        assertThat(wrong.cases().get(0).problem()).contains("adapter.options.n is missing");
    }

    @Test
    void anOptionThatItDoesNotKnowIsFound() {
        CaseReport report =
                new AdapterCases(
                                () ->
                                        new Adapter() {
                                            @Override
                                            public void start(AdapterContext context) {
                                                context.counter("calls", "Calls.").increment();
                                            }

                                            @Override
                                            public void join(
                                                    SourceEvent f, SourceEvent p, Result r) {}
                                        },
                                Map.of("x", "y"))
                        .run();
        assertThat(find(report, "starts with these options").problem())
                .isEqualTo("it has no option x");
    }

    @Test
    void aPotentAdapterIsRefused() {
        CaseReport report =
                run(
                        () ->
                                new Adapter() {
                                    @Override
                                    public Effect effect() {
                                        return Effect.POTENT;
                                    }

                                    @Override
                                    public void join(SourceEvent f, SourceEvent p, Result r) {}
                                });
        assertThat(find(report, "may be called several times").problem()).contains("potent");
    }

    private static CaseReport run(Supplier<Adapter> maker) {
        return new AdapterCases(maker, Map.of()).run();
    }

    private static Case find(CaseReport report, String name) {
        return report.cases().stream()
                .filter(one -> one.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no case " + name + " in " + report.cases()));
    }
}
