package photon.bench.repair;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import photon.core.crash.CrashPoints;
import photon.core.loop.ThreadLoop;
import photon.core.rpc.Caller;
import photon.core.time.IntervalClock;
import photon.core.time.IntervalClock.Interval;
import photon.proto.v1.AddRepairRowsRequest;
import photon.proto.v1.AddRepairRowsResponse;
import photon.registry.api.RegistryProtos;
import photon.storage.files.FileStore;
import photon.storage.files.HadoopFileStore;
import photon.verifier.repair.RepairServer;
import photon.verifier.repair.RepairSettings;
import photon.verifier.repair.RepairStatus;
import photon.verifier.source.ForeignLogs;
import photon.verifier.source.OutputFiles;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * The repair of one large incarnation: {@code --make} writes its published files and manifests, the
 * foreign logs and the dispatcher's history of checkpoints; without it they are repaired, with the
 * production code and files, against a registry that is a formula in this process. Prints the time
 * from the fence to "repaired", CPU time, and the most memory. Checks that every lost event, and
 * nothing else, was handed over.
 */
@Command(
        name = "repair-bench",
        mixinStandardHelpOptions = true,
        description = "Measures the repair of one incarnation with many events.")
public final class RepairBench implements Callable<Integer> {
    private static final Duration LONGEST = Duration.ofHours(2);

    @Option(names = "--make", description = "Write the files, and nothing else.")
    private boolean make;

    @Option(names = "--events", description = "Of the incarnation. Default: ${DEFAULT-VALUE}.")
    private long events = 20_000_000;

    @Option(names = "--lost", description = "Of the last of them. Default: ${DEFAULT-VALUE}.")
    private long lost = 1_000;

    @Option(
            names = "--events-before",
            description = "Others' events in the foreign logs. Default: ${DEFAULT-VALUE}.")
    private long eventsBefore;

    @Option(
            names = "--record-bytes",
            description = "A record of the foreign logs. Default: ${DEFAULT-VALUE}.")
    private int recordBytes = 170;

    @Option(
            names = "--directory",
            required = true,
            description = "Where the files lie; for --make new or empty.")
    private Path directory = Path.of("");

    public static void main(String[] args) {
        System.exit(new CommandLine(new RepairBench()).execute(args));
    }

    @Override
    public Integer call() throws Exception {
        RepairBenchEvents what = new RepairBenchEvents(directory, events, lost);
        FileStore files = new HadoopFileStore();
        if (make) {
            Files.createDirectories(directory);
            RepairBenchFiles made = new RepairBenchFiles(what, files);
            made.writeOutput();
            made.writeLogs(eventsBefore, recordBytes);
            return 0;
        }
        return repair(what, files);
    }

    private int repair(RepairBenchEvents what, FileStore files) throws Exception {
        RepairBenchRegistry registry = new RepairBenchRegistry(what);
        AtomicLong rows = new AtomicLong();
        CompletableFuture<String> failed = new CompletableFuture<>();
        ThreadLoop loop =
                new ThreadLoop(
                        "repair-bench", 64, (where, bug) -> failed.complete(where + ": " + bug));
        IntervalClock clock =
                () ->
                        new Interval(
                                RepairBenchEvents.micros(events), RepairBenchEvents.micros(events));
        OutputFiles output = OutputFiles.of(what.output(files));
        long began = System.nanoTime();
        RepairServer server =
                RepairServer.start(
                        new RepairSettings(
                                RepairBenchEvents.DATACENTER,
                                RepairBenchEvents.PIPELINE,
                                what.state("verifier"),
                                what.state("verifier/ledger"),
                                what.state("verifier/scratch"),
                                what.state("dispatcher"),
                                Duration.ofHours(1),
                                Optional.empty(),
                                Optional.empty(),
                                Duration.ofDays(7)),
                        loop,
                        files,
                        registry,
                        ids ->
                                CompletableFuture.failedFuture(
                                        new IOException("Expected no earlier repair")),
                        () -> CompletableFuture.completedFuture(Optional.empty()),
                        output,
                        ForeignLogs.of(files, what.foreign(), clock),
                        new Rows(loop, rows),
                        CrashPoints.none(),
                        clock);
        RepairStatus status = await(server, failed, began);
        double seconds = (System.nanoTime() - began) / 1e9;
        server.close();
        registry.close();
        loop.close();
        report(registry, rows.get(), status, seconds);
        return rows.get() == lost && status.idle() ? 0 : 1;
    }

    private static RepairStatus await(
            RepairServer server, CompletableFuture<String> failed, long began)
            throws InterruptedException, IOException {
        while (true) {
            RepairStatus status = server.status();
            if (failed.isDone()) {
                throw new IOException(failed.join());
            }
            if (status.idle()
                    || !status.unfinished().isEmpty()
                    || System.nanoTime() - began > LONGEST.toNanos()) {
                return status;
            }
            Thread.sleep(20);
        }
    }

    private void report(
            RepairBenchRegistry registry, long rows, RepairStatus status, double seconds)
            throws IOException {
        OperatingSystemMXBean system =
                (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        long heapPeak = 0;
        for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
            if (pool.getType() == MemoryType.HEAP) {
                heapPeak += pool.getPeakUsage().getUsed();
            }
        }
        System.out.printf(
                Locale.ROOT,
                "%d ids scanned, %d of %d lost events handed over: %.1f s, %.1f s of CPU;"
                        + " heap at most %d MB of %d, process %s; open: %s%n",
                registry.scanned(),
                rows,
                lost,
                seconds,
                system.getProcessCpuTime() / 1e9,
                heapPeak >> 20,
                Runtime.getRuntime().maxMemory() >> 20,
                peakMemory(),
                status.unfinished());
    }

    private static String peakMemory() throws IOException {
        Path status = Path.of("/proc/self/status");
        return Files.exists(status)
                ? Files.readAllLines(status).stream()
                        .filter(line -> line.startsWith("VmHWM:"))
                        .map(line -> line.substring(6).strip())
                        .findFirst()
                        .orElse("unknown")
                : "unknown";
    }

    /** A dispatcher that has every row at once. */
    private record Rows(ThreadLoop loop, AtomicLong rows)
            implements Caller<AddRepairRowsRequest, AddRepairRowsResponse> {
        private static final AddRepairRowsResponse DURABLE =
                AddRepairRowsResponse.newBuilder()
                        .setState(RegistryProtos.bytes(RepairBenchEvents.STATE))
                        .build();

        @Override
        public void call(AddRepairRowsRequest request, Reply<AddRepairRowsResponse> reply) {
            rows.addAndGet(request.getRowsCount());
            loop.execute(() -> reply.answered(DURABLE));
        }

        @Override
        public void close() {}
    }
}
