package photon.adapter.testing;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import photon.adapter.Adapter;
import photon.adapter.AdapterApi;
import photon.adapter.SourceEvent;
import photon.adapter.testing.AdapterResult.Decision;
import photon.adapter.testing.CaseReport.Case;
import photon.adapter.testing.CaseReport.Verdict;

/**
 * Tries an adapter on 50 and more generated pairs, and on those of a sample: whether every call
 * with one pair gives the same result, from any thread, in any order, by any instance, after an
 * interruption; whether what it emits can be published; whether it throws. Needs no test framework.
 *
 * <pre>{@code
 * new AdapterCases(PaidClicks::new, Map.of()).run().assertPassed();
 * }</pre>
 */
public final class AdapterCases {
    private static final int THREADS = 8;

    private final Supplier<? extends Adapter> maker;
    private final Map<String, String> options;
    private Duration timeout = Duration.ofSeconds(30);
    private List<Pair> sample = List.of();
    private @Nullable Boolean unmatched;
    private final List<Case> cases = new ArrayList<>();

    /**
     * @param maker makes an adapter that is not started
     * @param options as the configuration would have them
     */
    public AdapterCases(Supplier<? extends Adapter> maker, Map<String, String> options) {
        this.maker = maker;
        this.options = Map.copyOf(options);
    }

    /** A pair to try; {@link TestEvent#of} makes its events. */
    public record Pair(String name, SourceEvent foreign, SourceEvent primary) {}

    /** How long one call may take; {@code adapter.timeout}, 30 s unless it is set. */
    public AdapterCases timeout(Duration one) {
        timeout = one;
        return this;
    }

    /** Pairs of real logs. The generated pairs are made from the fields of the first. */
    public AdapterCases sample(List<Pair> pairs) {
        sample = List.copyOf(pairs);
        return this;
    }

    /**
     * Whether it is tried on foreign events without a primary event, too: unless this is called, it
     * is if it overrides {@link Adapter#unmatched}. If it is, and overrides {@link
     * Adapter#upgrade}, then it is tried on upgrades as well.
     *
     * @since 1.2
     */
    public AdapterCases unmatched(boolean takes) {
        unmatched = takes;
        return this;
    }

    /** Runs all cases: they stop at the first call that does not end. */
    public CaseReport run() {
        cases.clear();
        CaseCalls calls = new CaseCalls(timeout);
        Adapter adapter = started("starts with these options");
        if (adapter != null) {
            List<Pair> pairs = new ArrayList<>(sample);
            pairs.addAll(generated());
            if (effectIsAllowed(adapter) && everyPair(adapter, pairs, calls)) {
                interrupted(adapter, pairs, calls);
                concurrently(adapter, pairs, calls);
                byAnotherInstance(pairs, calls);
                if (takesUnmatched(adapter)
                        && everyForeignEventAlone(adapter, pairs, calls)
                        && hasUpgrades(adapter)) {
                    everyUpgrade(adapter, pairs, calls);
                }
            }
            closes(adapter, "closes");
        }
        return new CaseReport(cases, calls.count(), calls.meanNanos(), calls.slowestNanos());
    }

    private List<Pair> generated() {
        Pair like =
                sample.isEmpty()
                        ? new Pair(
                                "",
                                TestEvent.of(
                                        "c",
                                        2,
                                        "{\"id\":\"c1\",\"key\":\"q1\",\"kind\":\"click\",\"paid\":\"1\"}"),
                                TestEvent.of(
                                        "q",
                                        1,
                                        "{\"id\":\"q1\",\"text\":\"red shoes\",\"user\":{\"country\":\"CH\"}}"))
                        : sample.get(0);
        return GeneratedPairs.of(like.foreign(), like.primary());
    }

    private @Nullable Adapter started(String name) {
        try {
            Adapter adapter = maker.get();
            TestContext context = new TestContext(options);
            adapter.start(context);
            Set<String> unread = context.options().unread();
            if (unread.isEmpty()) {
                passed(name);
            } else {
                failed(name, "it has no option " + String.join(", ", unread));
            }
            return adapter;
        } catch (RuntimeException | LinkageError e) {
            failed(name, "it threw " + e);
            return null;
        }
    }

    private boolean effectIsAllowed(Adapter adapter) {
        String name = "may be called several times";
        if (adapter.effect() == Adapter.Effect.POTENT) {
            failed(
                    name,
                    "it declares itself potent, and a joiner refuses it: what may happen only once belongs behind the published output");
            return false;
        }
        passed(name);
        return true;
    }

    /** False: one did not end. */
    private boolean everyPair(Adapter adapter, List<Pair> pairs, CaseCalls calls) {
        for (Pair pair : pairs) {
            CaseCalls.Call first = calls.call(adapter, pair);
            if (first.hangs()) {
                failed(pair.name(), first.problem());
                return false;
            }
            judge(pair.name(), first, () -> calls.call(adapter, pair));
        }
        return true;
    }

    private void judge(String name, CaseCalls.Call first, Supplier<CaseCalls.Call> second) {
        String problem = first.problem();
        if (problem.isEmpty()) {
            problem = first.difference(second.get(), "a second call");
        }
        if (problem.isEmpty() && first.result().decision() == Decision.RETRY) {
            add(
                    name,
                    Verdict.WARNING,
                    first,
                    "it wants the event again: a run tries 20 times, and then dead-letters it");
        } else {
            add(name, problem.isEmpty() ? Verdict.PASSED : Verdict.FAILED, first, problem);
        }
    }

    private boolean takesUnmatched(Adapter adapter) {
        return unmatched != null ? unmatched : AdapterApi.takesUnmatched(adapter);
    }

    /** Otherwise an upgrade is a join, which was tried. */
    private static boolean hasUpgrades(Adapter adapter) {
        try {
            return adapter.getClass()
                            .getMethod(
                                    "upgrade",
                                    SourceEvent.class,
                                    SourceEvent.class,
                                    Adapter.Result.class)
                            .getDeclaringClass()
                    != Adapter.class;
        } catch (NoSuchMethodException e) {
            return false;
        }
    }

    /** As in a left join. False: one did not end. */
    private boolean everyForeignEventAlone(Adapter adapter, List<Pair> pairs, CaseCalls calls) {
        // Some pairs differ in the primary event only.
        Map<String, Pair> distinct = new LinkedHashMap<>();
        for (Pair pair : pairs) {
            SourceEvent foreign = pair.foreign();
            distinct.putIfAbsent(
                    foreign.id() + ' ' + foreign.timestampMicros() + ' ' + text(foreign), pair);
        }
        for (Pair pair : distinct.values()) {
            String name = pair.name() + ", without a primary event";
            CaseCalls.Call first = calls.callUnmatched(adapter, pair.foreign());
            if (first.hangs()) {
                failed(name, first.problem());
                return false;
            }
            judge(name, first, () -> calls.callUnmatched(adapter, pair.foreign()));
        }
        return true;
    }

    /** As where the primary event came late; they stop at the first call that does not end. */
    private void everyUpgrade(Adapter adapter, List<Pair> pairs, CaseCalls calls) {
        for (Pair pair : pairs) {
            String name = pair.name() + ", as an upgrade";
            CaseCalls.Call first = calls.callUpgrade(adapter, pair);
            if (first.hangs()) {
                failed(name, first.problem());
                return;
            }
            judge(name, first, () -> calls.callUpgrade(adapter, pair));
        }
    }

    private static String text(SourceEvent event) {
        return new String(event.json(), StandardCharsets.UTF_8);
    }

    private void interrupted(Adapter adapter, List<Pair> pairs, CaseCalls calls) {
        Pair pair = pairs.get(0);
        CaseCalls.Call before = calls.call(adapter, pair);
        CaseCalls.Call cut = calls.callInterrupted(adapter, pair);
        verdict(
                "ends when it is interrupted, and is the same afterwards",
                cut.hangs()
                        ? cut.problem()
                        : before.difference(
                                calls.call(adapter, pair), "a call after an interrupted one"));
    }

    private void concurrently(Adapter adapter, List<Pair> pairs, CaseCalls calls) {
        verdict(
                THREADS + " threads at a time give the same results",
                calls.concurrently(adapter, pairs, THREADS));
    }

    /** As after a restart, and as in another datacenter. */
    private void byAnotherInstance(List<Pair> pairs, CaseCalls calls) {
        Adapter other = started("a second instance starts");
        if (other == null) {
            return;
        }
        List<Pair> reversed = new ArrayList<>(pairs);
        Collections.reverse(reversed);
        String problem = "";
        for (Pair pair : reversed) {
            if (problem.isEmpty()) {
                problem = calls.difference(other, pair, "another instance, in another order,");
            }
        }
        verdict("another instance gives the same results in another order", problem);
        closes(other, "a second instance closes");
    }

    private void closes(Adapter adapter, String name) {
        try {
            adapter.close();
            passed(name);
        } catch (RuntimeException | LinkageError e) {
            add(new Case(name, Verdict.WARNING, "", "it threw " + e));
        }
    }

    private void verdict(String name, String problem) {
        if (problem.isEmpty()) {
            passed(name);
        } else {
            failed(name, problem);
        }
    }

    private void passed(String name) {
        add(new Case(name, Verdict.PASSED, "", ""));
    }

    private void failed(String name, String problem) {
        add(new Case(name, Verdict.FAILED, "", problem));
    }

    private void add(String name, Verdict verdict, CaseCalls.Call call, String problem) {
        add(new Case(name, verdict, call.decision(), problem));
    }

    private void add(Case one) {
        cases.add(one);
    }
}
