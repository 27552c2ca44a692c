package photon.adapter.testing;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import photon.adapter.Adapter;
import photon.adapter.SourceEvent;
import photon.adapter.testing.AdapterCases.Pair;
import photon.adapter.testing.AdapterResult.Decision;

/** Calls an adapter as a joiner does, with a bound, and remembers what it made of each pair. */
final class CaseCalls {
    private static final int REASON_CHARS_MAX = 200;

    private final Duration timeout;
    private final Map<Pair, Call> firsts = new HashMap<>();
    private final AtomicLong count = new AtomicLong();
    private final AtomicLong nanos = new AtomicLong();
    private final AtomicLong slowest = new AtomicLong();

    CaseCalls(Duration timeout) {
        this.timeout = timeout;
    }

    /**
     * What came of a call.
     *
     * @param problem what is wrong with it; empty: nothing is
     * @param hangs it has not ended in time
     */
    record Call(AdapterResult result, String problem, boolean hangs) {
        /** How another call with the pair differs; empty: it does not. */
        String difference(Call other, String which) {
            if (result.equals(other.result)) {
                return "";
            }
            return "every call with one pair must give the same, but the first gave %s, and %s gave %s"
                    .formatted(decision(), which, other.decision());
        }

        /** In words. */
        String decision() {
            if (result.decision() == Decision.EMIT) {
                return "emit " + cut(String.join(", ", result.emittedText()));
            }
            return result.decision().name().toLowerCase(Locale.ROOT) + ": " + cut(result.reason());
        }

        private static String cut(String text) {
            return text.length() <= REASON_CHARS_MAX
                    ? text
                    : text.substring(0, REASON_CHARS_MAX) + "...";
        }
    }

    Call callUnmatched(Adapter adapter, SourceEvent foreign) {
        return bounded(() -> timed(result -> adapter.unmatched(foreign, result)), false);
    }

    Call callUpgrade(Adapter adapter, Pair pair) {
        return bounded(
                () -> timed(result -> adapter.upgrade(pair.foreign(), pair.primary(), result)),
                false);
    }

    Call call(Adapter adapter, Pair pair) {
        Call call = bounded(() -> timed(adapter, pair), false);
        firsts.putIfAbsent(pair, call);
        return call;
    }

    /** How it differs from the first call with this pair; empty: it does not. */
    String difference(Adapter adapter, Pair pair, String which) {
        Call first = firsts.get(pair);
        Call now = bounded(() -> timed(adapter, pair), false);
        return first == null ? now.problem() : inPair(pair, first.difference(now, which));
    }

    private static String inPair(Pair pair, String difference) {
        return difference.isEmpty() ? "" : "'" + pair.name() + "': " + difference;
    }

    /** Interrupted as soon as it has begun; it may give another result. */
    Call callInterrupted(Adapter adapter, Pair pair) {
        return bounded(() -> timed(adapter, pair), true);
    }

    private Call bounded(Callable<Call> body, boolean interrupt) {
        FutureTask<Call> task = new FutureTask<>(body);
        Thread thread =
                new Thread(
                        () -> {
                            if (interrupt) {
                                Thread.currentThread().interrupt();
                            }
                            task.run();
                        },
                        "adapter-case");
        thread.setDaemon(true);
        thread.start();
        try {
            return task.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            thread.interrupt();
            return hangs();
        } catch (ExecutionException e) {
            throw new IllegalStateException("The adapter's thread failed", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while the adapter ran", e);
        }
    }

    private Call hangs() {
        String problem = "it gave no answer within adapter.timeout, " + timeout.toMillis() + " ms";
        return new Call(new AdapterResult(Decision.RETRY, List.of(), problem), problem, true);
    }

    private Call timed(Adapter adapter, Pair pair) {
        return timed(result -> adapter.join(pair.foreign(), pair.primary(), result));
    }

    private Call timed(Consumer<Adapter.Result> body) {
        long begin = System.nanoTime();
        Call call = untimed(body);
        long took = System.nanoTime() - begin;
        count.incrementAndGet();
        nanos.addAndGet(took);
        slowest.accumulateAndGet(took, Math::max);
        return call;
    }

    private static Call untimed(Consumer<Adapter.Result> body) {
        RecordingResult result = new RecordingResult();
        try {
            body.accept(result);
            return new Call(result.finished(), result.unpublishable(), false);
        } catch (RecordingResult.WrongCall e) {
            return failed(String.valueOf(e.getMessage()));
        } catch (VirtualMachineError e) {
            if (e instanceof StackOverflowError) {
                return failed("it threw " + e);
            }
            throw e;
        } catch (Throwable e) {
            return failed(
                    "it threw "
                            + e
                            + ": a run tries the event 20 times, and then dead-letters it; skip or reject what cannot be used");
        }
    }

    private static Call failed(String problem) {
        return new Call(new AdapterResult(Decision.RETRY, List.of(), problem), problem, false);
    }

    /** Joins all pairs in several threads; returns the first difference, or an empty text. */
    String concurrently(Adapter adapter, List<Pair> pairs, int threads) {
        ClassLoader loader = Thread.currentThread().getContextClassLoader();
        ExecutorService pool =
                Executors.newFixedThreadPool(
                        threads,
                        body -> {
                            Thread thread = new Thread(body, "adapter-cases");
                            thread.setDaemon(true);
                            thread.setContextClassLoader(loader);
                            return thread;
                        });
        try {
            List<Callable<String>> bodies =
                    java.util.Collections.nCopies(threads, () -> allAgain(adapter, pairs));
            for (Future<String> body :
                    pool.invokeAll(
                            bodies,
                            timeout.toMillis() * Math.max(1, pairs.size()),
                            TimeUnit.MILLISECONDS)) {
                if (body.isCancelled()) {
                    return hangs().problem();
                }
                String difference = body.get();
                if (!difference.isEmpty()) {
                    return difference;
                }
            }
            return "";
        } catch (ExecutionException e) {
            throw new IllegalStateException("The adapter's thread failed", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while the adapter ran", e);
        } finally {
            pool.shutdownNow();
        }
    }

    private String allAgain(Adapter adapter, List<Pair> pairs) {
        for (Pair pair : pairs) {
            Call first = firsts.get(pair);
            if (first != null) {
                String difference = first.difference(timed(adapter, pair), "a call beside others");
                if (!difference.isEmpty()) {
                    return inPair(pair, difference);
                }
            }
        }
        return "";
    }

    long count() {
        return count.get();
    }

    long meanNanos() {
        return count.get() == 0 ? 0 : nanos.get() / count.get();
    }

    long slowestNanos() {
        return slowest.get();
    }
}
