package photon.bench;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import photon.core.config.FormatConfig;
import photon.core.config.IdConfig;
import photon.core.config.StreamConfig;
import photon.core.config.TimestampConfig;
import photon.core.event.LogEvent;
import photon.core.id.EventId;
import photon.core.id.UserKey;
import photon.core.share.StoreShare;
import photon.eventstore.index.FileLogIndex;
import photon.eventstore.index.IndexBatch;
import photon.eventstore.index.IndexDirectory;
import photon.eventstore.index.IndexLimits;
import photon.proto.v1.Event;
import photon.storage.files.HadoopFileStore;
import photon.storage.tail.FilePosition;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * The event store's log index against RocksDB with a large cache, as the event store uses them:
 * batches of primary events with the positions of their logs, then lookups of ids at random, of
 * which half are held. Checks every answer. Background work is counted with the puts.
 */
@Command(
        name = "log-index-bench",
        mixinStandardHelpOptions = true,
        description = "Measures puts and lookups of the event store's log index and of RocksDB.")
public final class LogIndexBench implements Callable<Integer> {
    private static final int BATCH = 4_096;
    private static final int LOOKUP_BATCH = 64;
    private static final long START_MICROS = 1_700_000_000_000_000L;

    @Option(names = "--events", description = "To put. Default: ${DEFAULT-VALUE}.")
    private int events = 5_000_000;

    @Option(names = "--lookups", description = "Of each sort. Default: ${DEFAULT-VALUE}.")
    private int lookups = 200_000;

    @Option(names = "--native", description = "Native ids, of 16 processes; otherwise users' own.")
    private boolean natives;

    @Option(
            names = "--only",
            defaultValue = "",
            description = "photon or rocksdb. Default: one after the other.")
    private String only = "";

    @Option(
            names = "--directory",
            required = true,
            description = "Where to work; must be new or empty.")
    private Path directory = Path.of("");

    /** What is measured. */
    interface Store extends AutoCloseable {
        void put(IndexBatch batch);

        List<@Nullable Event> get(List<ByteString> keys);

        /** Ends what goes on in the background. */
        void settle() throws InterruptedException, RocksDBException;

        @Override
        void close();
    }

    @FunctionalInterface
    private interface Opening {
        Store open(Path here) throws IOException, RocksDBException;
    }

    public static void main(String[] args) {
        System.exit(new CommandLine(new LogIndexBench()).execute(args));
    }

    @Override
    public Integer call() throws IOException, InterruptedException, RocksDBException {
        if (!only.equals("rocksdb")) {
            measure("photon", here -> new PhotonIndex(here, stream()));
        }
        if (!only.equals("photon")) {
            measure("rocksdb", RocksIndex::new);
        }
        return 0;
    }

    private StreamConfig stream() {
        return new StreamConfig(
                List.of("/logs/*"),
                new FormatConfig.Csv(false, ',', List.of("id", "at"), ""),
                Map.of(),
                Map.of(),
                natives ? new IdConfig.Native() : new IdConfig.User(List.of("id")),
                natives
                        ? Optional.empty()
                        : Optional.of(
                                new TimestampConfig.Numeric("at", TimestampConfig.Unit.MICROS)),
                Optional.empty());
    }

    private void measure(String name, Opening opening)
            throws IOException, InterruptedException, RocksDBException {
        Path here = Files.createDirectories(directory.resolve(name));
        try (Store store = opening.open(here)) {
            put(name, store);
            System.out.printf(
                    Locale.ROOT,
                    "%-8s disk %.1f bytes per event of %d bytes%n",
                    name,
                    (double) bytes(here) / events,
                    event(0).getSerializedSize());
            for (int round = 1; round <= 2; round++) {
                lookups(name, store, true);
                lookups(name, store, false);
            }
        }
        long begun = System.nanoTime();
        opening.open(here).close();
        say(name, "opened again, in all", 1, System.nanoTime() - begun, 0);
    }

    private void put(String name, Store store) throws InterruptedException, RocksDBException {
        long nanos = 0;
        long cpu = 0;
        long processCpu = processCpuNanos();
        long preparing = 0;
        for (int from = 0; from < events; from += BATCH) {
            long begunPreparing = processCpuNanos();
            List<Event> batch = new ArrayList<>(BATCH);
            for (int n = from; n < Math.min(events, from + BATCH); n++) {
                batch.add(event(n));
            }
            FilePosition position = new FilePosition("/logs/a", "1:2", 4, "abcd", from + BATCH);
            IndexBatch put = new IndexBatch(batch, List.of(position), 0);
            preparing += processCpuNanos() - begunPreparing;
            long begun = System.nanoTime();
            long begunCpu = threadCpuNanos();
            store.put(put);
            cpu += threadCpuNanos() - begunCpu;
            nanos += System.nanoTime() - begun;
        }
        say(name, "put, its thread", events, nanos, cpu);
        long begun = System.nanoTime();
        store.settle();
        nanos += System.nanoTime() - begun;
        cpu = processCpuNanos() - processCpu - preparing;
        say(name, "put, and background", events, nanos, cpu);
    }

    private void lookups(String name, Store store, boolean held) {
        SplittableRandom random = new SplittableRandom(7);
        long nanos = 0;
        long cpu = 0;
        int asked = 0;
        while (asked < lookups) {
            List<ByteString> keys = new ArrayList<>(LOOKUP_BATCH);
            List<Event> expected = new ArrayList<>(LOOKUP_BATCH);
            for (int i = 0; i < LOOKUP_BATCH; i++) {
                Event event = event(random.nextInt(events) + (held ? 0 : events));
                expected.add(event);
                keys.add(event.getKey());
            }
            long begun = System.nanoTime();
            long begunCpu = threadCpuNanos();
            List<@Nullable Event> found = store.get(keys);
            cpu += threadCpuNanos() - begunCpu;
            nanos += System.nanoTime() - begun;
            asked += LOOKUP_BATCH;
            for (int i = 0; i < LOOKUP_BATCH; i++) {
                if (held ? !expected.get(i).equals(found.get(i)) : found.get(i) != null) {
                    throw new IllegalStateException(name + " has a wrong answer");
                }
            }
        }
        say(name, held ? "lookup, held" : "lookup, absent", asked, nanos, cpu);
    }

    private Event event(int n) {
        SplittableRandom own = new SplittableRandom(n);
        long micros = START_MICROS + n * 10L;
        String json =
                ("{\"query_id\":\"q-%016x\",\"at\":%d,\"query\":\"%s %s %s\",\"user\":\"u%d\","
                                + "\"country\":\"%s\",\"results\":%d,\"latency_ms\":%d}")
                        .formatted(
                                own.nextLong(),
                                micros,
                                word(own),
                                word(own),
                                word(own),
                                own.nextInt(10_000_000),
                                COUNTRIES.get(own.nextInt(COUNTRIES.size())),
                                own.nextInt(50),
                                own.nextInt(900));
        String text = json.substring(13, 31);
        EventId id;
        ByteString key;
        if (natives) {
            // One process after the other, as files are read.
            int process = n / (BATCH / 2) % 16;
            id = new EventId(micros, 0, 0x0A00_0001L + process, 4_711);
            key = ByteString.copyFrom(id.toBytes());
        } else {
            UserKey own64 = UserKey.of(List.of(text));
            id = EventId.ofUser(micros, own64);
            key = ByteString.copyFrom(own64.encoded());
        }
        return new LogEvent(id, key, text, ByteString.EMPTY, "", ByteString.copyFromUtf8(json))
                .toProto();
    }

    private static final List<String> COUNTRIES = List.of("de", "us", "in", "br", "jp", "fr");

    private static String word(SplittableRandom random) {
        return Integer.toString(random.nextInt(20_000), 36) + "ing";
    }

    private static long bytes(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(Files::isRegularFile).mapToLong(f -> f.toFile().length()).sum();
        }
    }

    private static long threadCpuNanos() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    private static long processCpuNanos() {
        return ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class)
                .getProcessCpuTime();
    }

    private static void say(String name, String what, long count, long nanos, long cpu) {
        System.out.printf(
                Locale.ROOT,
                "%-8s %-22s %10.2f us, CPU %8.2f us%n",
                name,
                what,
                nanos / 1e3 / count,
                cpu / 1e3 / count);
    }

    /** Photon's own. */
    private static final class PhotonIndex implements Store {
        private final java.util.concurrent.ExecutorService background =
                java.util.concurrent.Executors.newSingleThreadExecutor();
        private final FileLogIndex index;

        PhotonIndex(Path here, StreamConfig stream) {
            this.index =
                    new IndexDirectory(
                                    new HadoopFileStore(),
                                    here.toAbsolutePath().toString(),
                                    IndexLimits.DEFAULTS.withCacheBytes(0))
                            .open(stream, StoreShare.WHOLE, background);
        }

        @Override
        public void put(IndexBatch batch) {
            index.put(batch);
        }

        @Override
        public List<@Nullable Event> get(List<ByteString> keys) {
            return index.get(keys);
        }

        /** A merge hands over the next one before it ends. */
        @Override
        public void settle() throws InterruptedException {
            int parts = -1;
            while (parts != index.figures().parts()) {
                parts = index.figures().parts();
                java.util.concurrent.CountDownLatch done =
                        new java.util.concurrent.CountDownLatch(1);
                background.execute(done::countDown);
                done.await();
            }
            System.out.println("photon   " + index.figures());
        }

        @Override
        public void close() {
            index.close();
            background.shutdown();
        }
    }
}
