package photon.bench.adapter;

import com.google.protobuf.ByteString;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import photon.core.config.PipelineConfig;
import photon.joiner.adapters.AdapterDecision;
import photon.joiner.adapters.AdapterHost;
import photon.joiner.adapters.PairAdapter;
import photon.joiner.adapters.PairAdapter.PairOfEvents;
import photon.joiner.adapters.load.Adapters;
import photon.proto.v1.Event;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Pairs per second through an adapter in a process of its own, as a joiner asks for them: full
 * batches by several threads, then single pairs at a calm load. Counts the CPU time of both sides.
 */
@Command(
        name = "remote-adapter-bench",
        mixinStandardHelpOptions = true,
        description = "Measures an adapter in a process of its own.")
public final class RemoteAdapterBench implements Callable<Integer> {
    private static final int BATCH = 128;
    private static final long CALM_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    @Option(
            names = "--command",
            arity = "1..*",
            description = "The adapter's program and arguments. Default: one in Java, built in.")
    private List<String> command = List.of();

    @Option(names = "--pairs", description = "To ask for. Default: ${DEFAULT-VALUE}.")
    private int pairs = 400_000;

    @Option(names = "--threads", description = "That ask. Default: ${DEFAULT-VALUE}.")
    private int threads = 4;

    @Option(names = "--calm", description = "Single pairs, one in 5 ms. Default: ${DEFAULT-VALUE}.")
    private int calm = 1_000;

    public static void main(String[] args) {
        System.exit(new CommandLine(new RemoteAdapterBench()).execute(args));
    }

    @Override
    public Integer call() throws Exception {
        List<String> words = command.isEmpty() ? JavaAdapterProcess.command() : command;
        PipelineConfig.Adapter config =
                new PipelineConfig.Adapter(
                        PipelineConfig.Adapter.REMOTE,
                        List.of(),
                        Optional.of(PipelineConfig.Remote.of(words, ".")),
                        Map.of(),
                        Duration.ofSeconds(30),
                        50,
                        200);
        try (PairAdapter adapter = Adapters.load(config, AdapterHost.joiner("bench", "bench"))) {
            run(adapter, pairs / 2);
            Usage before = Usage.now();
            run(adapter, pairs);
            Usage used = Usage.now().minus(before);
            System.out.printf(
                    Locale.ROOT,
                    "full: %,d pairs/s in batches of %d by %d threads; CPU time per pair: %.1f us"
                            + " of Photon, %.1f us of the adapter%n",
                    pairs * TimeUnit.SECONDS.toNanos(1) / used.nanos,
                    BATCH,
                    threads,
                    used.ownCpuNanos / 1e3 / pairs,
                    used.childCpuNanos / 1e3 / pairs);
            long[] nanos = calm(adapter);
            System.out.printf(
                    Locale.ROOT,
                    "calm: one pair in %d ms takes p50 %.3f ms, p99 %.3f ms%n",
                    TimeUnit.NANOSECONDS.toMillis(CALM_NANOS),
                    nanos[nanos.length / 2] / 1e6,
                    nanos[nanos.length * 99 / 100] / 1e6);
        }
        return CommandLine.ExitCode.OK;
    }

    /** What this process and its children have used. */
    private record Usage(long nanos, long ownCpuNanos, long childCpuNanos) {
        static Usage now() {
            com.sun.management.OperatingSystemMXBean system =
                    ManagementFactory.getPlatformMXBean(
                            com.sun.management.OperatingSystemMXBean.class);
            long children =
                    ProcessHandle.current()
                            .descendants()
                            .mapToLong(
                                    one ->
                                            one.info()
                                                    .totalCpuDuration()
                                                    .orElse(Duration.ZERO)
                                                    .toNanos())
                            .sum();
            return new Usage(System.nanoTime(), system.getProcessCpuTime(), children);
        }

        Usage minus(Usage before) {
            return new Usage(
                    nanos - before.nanos,
                    ownCpuNanos - before.ownCpuNanos,
                    childCpuNanos - before.childCpuNanos);
        }
    }

    private void run(PairAdapter adapter, int count) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            List<Callable<Integer>> bodies = new ArrayList<>();
            for (int thread = 0; thread < threads; thread++) {
                int from = thread * count;
                bodies.add(() -> ask(adapter, from, count / threads));
            }
            for (Future<Integer> body : pool.invokeAll(bodies)) {
                body.get();
            }
        } finally {
            pool.shutdownNow();
        }
    }

    private static int ask(PairAdapter adapter, int from, int count) {
        int asked = 0;
        while (asked < count) {
            List<PairOfEvents> batch = new ArrayList<>(BATCH);
            for (int i = 0; i < BATCH; i++) {
                batch.add(pair(from + asked + i));
            }
            for (AdapterDecision decision : adapter.joinAll(batch)) {
                check(decision);
            }
            asked += BATCH;
        }
        return asked;
    }

    private static void check(AdapterDecision decision) {
        if (!(decision instanceof AdapterDecision.Emit)) {
            throw new IllegalStateException("Expected an event, but got " + decision);
        }
    }

    private long[] calm(PairAdapter adapter) {
        long[] nanos = new long[calm];
        for (int i = 0; i < calm; i++) {
            List<PairOfEvents> one = List.of(pair(i));
            LockSupport.parkNanos(CALM_NANOS);
            long begin = System.nanoTime();
            check(adapter.joinAll(one).get(0));
            nanos[i] = System.nanoTime() - begin;
        }
        Arrays.sort(nanos);
        return nanos;
    }

    private static PairOfEvents pair(int number) {
        return new PairOfEvents(
                event(
                        "c" + number,
                        "{\"click\":\"c%d\",\"at\":1767225601500,\"query\":\"q%d\",\"agent\":\"firefox\",\"page\":\"https://example.com/shoes/%d\"}"),
                1_767_225_601_500_000L,
                event(
                        "q" + number,
                        "{\"query\":\"q%d\",\"at\":1767225600000,\"words\":\"red"
                                + " shoes\",\"user\":{\"country\":\"CH\",\"mail\":\"%d@example.com\"}}"),
                1_767_225_600_000_000L);
    }

    private static Event event(String id, String json) {
        String number = id.substring(1);
        return Event.newBuilder()
                .setIdText(id)
                .setJson(ByteString.copyFromUtf8(json.replace("%d", number)))
                .build();
    }
}
