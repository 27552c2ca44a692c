package photon.adapter.testing;

import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import photon.adapter.Adapter;

/**
 * Runs an adapter as a joiner would, and stricter: the same pair several times and from two
 * threads, since any of the calls may be the one whose result is written. Needs no test framework:
 * what is wrong is an {@link AssertionError} that says what was expected.
 */
public final class AdapterKit {
    private final Adapter adapter;
    private final TestContext context;
    private TestEvent foreign = new TestEvent("foreign-1", 2_000_000);
    private TestEvent primary = new TestEvent("primary-1", 1_000_000);

    public AdapterKit(Adapter adapter) {
        this(adapter, Map.of());
    }

    /**
     * @param options as the configuration would have them
     * @throws AssertionError if it declares itself potent, as it would be refused
     */
    public AdapterKit(Adapter adapter, Map<String, String> options) {
        this.adapter = adapter;
        this.context = new TestContext(options);
        adapter.start(context);
        if (adapter.effect() == Adapter.Effect.POTENT) {
            throw new AssertionError(
                    "Expected a safe or idempotent adapter, but it declares itself potent: a joiner"
                            + " refuses it");
        }
    }

    /** What the adapter was started with: its counters can be read there. */
    public TestContext context() {
        return context;
    }

    /** Replaces the foreign event; give it fields next. */
    public TestEvent foreign(String id, long timestampMicros) {
        foreign = new TestEvent(id, timestampMicros);
        return foreign;
    }

    /** Replaces the primary event; give it fields next. */
    public TestEvent primary(String id, long timestampMicros) {
        primary = new TestEvent(id, timestampMicros);
        return primary;
    }

    /**
     * What the adapter makes of the pair.
     *
     * @throws AssertionError if its calls differ, if it contradicts itself, or if it emits what
     *     cannot be published
     */
    public AdapterResult join() {
        AdapterResult first = call();
        sameAgain(first, call(), "a second call");
        sameAgain(first, callElsewhere(), "a call from another thread");
        return first;
    }

    private AdapterResult call() {
        RecordingResult result = new RecordingResult();
        try {
            adapter.join(foreign, primary, result);
        } catch (RuntimeException e) {
            return new AdapterResult(
                    AdapterResult.Decision.RETRY, java.util.List.of(), "adapter threw " + e);
        }
        return result.finished();
    }

    private AdapterResult callElsewhere() {
        FutureTask<AdapterResult> task = new FutureTask<>(this::call);
        Thread thread = new Thread(task, "adapter-kit");
        thread.setDaemon(true);
        thread.start();
        try {
            return task.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("Interrupted while the adapter ran", e);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Error error
                    ? error
                    : new AssertionError("The adapter failed", e.getCause());
        }
    }

    private static void sameAgain(AdapterResult first, AdapterResult again, String which) {
        if (!first.equals(again)) {
            throw new AssertionError(
                    "Expected the same result from every call with one pair, but the first gave "
                            + first
                            + " and "
                            + which
                            + " gave "
                            + again);
        }
    }
}
