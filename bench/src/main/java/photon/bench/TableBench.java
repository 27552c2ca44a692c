package photon.bench;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import org.rocksdb.RocksDBException;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.idregistry.table.MemoryBudget;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * The registry's id table, once all in memory and once in both tiers, against RocksDB, as a shard
 * would use them: batches of commits (is it held? if not, hold it) in the order of time, of which
 * the older half at least is sealed, and batches of lookups. One thread; prints ids a second of its
 * CPU time.
 */
@Command(
        name = "table-bench",
        mixinStandardHelpOptions = true,
        description = "Measures inserts and lookups of the registry's id table and of RocksDB.")
public final class TableBench implements Callable<Integer> {
    private static final int BATCH = 512;
    private static final long START_MICROS = 1_700_000_000_000_000L;

    @Option(names = "--ids", description = "Ids to insert. Default: ${DEFAULT-VALUE}.")
    private int ids = 3_000_000;

    @Option(names = "--per-second", description = "By their timestamps. Default: ${DEFAULT-VALUE}.")
    private int perSecond = 30_000;

    @Option(names = "--lookups", description = "Of each sort. Default: ${DEFAULT-VALUE}.")
    private int lookups = 1_000_000;

    @Option(
            names = "--memory-mb",
            description = "The table's budget: must hold a tenth. Default: ${DEFAULT-VALUE}.")
    private long memoryMegabytes = 64;

    @Option(names = "--rounds", description = "The last one counts. Default: ${DEFAULT-VALUE}.")
    private int rounds = 2;

    @Option(
            names = "--directory",
            required = true,
            description = "Where to work; must be new or empty.")
    private Path directory = Path.of("");

    /** What is measured. */
    interface Store extends AutoCloseable {
        /** Commits a batch of packed ids and tokens; returns how many were free. */
        int commit(ByteBuffer packedIds, ByteBuffer packedTokens);

        /** Puts the older half where old ids lie. */
        void seal() throws IOException, RocksDBException;

        /** Looks a batch up; returns how many are held. */
        int lookup(ByteBuffer packedIds);

        /** Bytes an id, in words. */
        String size();

        @Override
        void close();
    }

    public static void main(String[] args) {
        System.exit(new CommandLine(new TableBench()).execute(args));
    }

    @Override
    public Integer call() throws IOException, RocksDBException {
        for (int round = 1; round <= rounds; round++) {
            System.out.println("round " + round);
            Path here = Files.createDirectories(directory.resolve("round-" + round));
            try (Store table = new PhotonStore(here.resolve("memory"), MemoryBudget.unlimited())) {
                measure("memory", table);
            }
            MemoryBudget budget = MemoryBudget.of(memoryMegabytes << 20);
            try (Store table = new PhotonStore(here.resolve("table"), budget)) {
                measure("table", table);
            }
            try (Store rocks = new RocksStore(here.resolve("rocksdb"), middle())) {
                measure("rocksdb", rocks);
            }
        }
        return 0;
    }

    /** Ids before are old. */
    private EventId middle() {
        return new EventId(micros(ids / 2), 0, 0, 0);
    }

    private long micros(long n) {
        return START_MICROS + n * 1_000_000 / perSecond;
    }

    private EventId id(long n, boolean present) {
        SplittableRandom own = new SplittableRandom(n);
        return new EventId(
                micros(n),
                0x20010DB8_00000000L + own.nextInt(200),
                own.nextInt(8),
                own.nextInt(60_000) + (present ? 0 : 100_000));
    }

    private void measure(String name, Store store) throws IOException, RocksDBException {
        System.gc();
        long nanos = 0;
        int free = 0;
        ByteBuffer tokens = ByteBuffer.allocate(BATCH * CommitToken.BYTES);
        for (long n = 0; n < ids; n += BATCH) {
            ByteBuffer batch = batch(n);
            tokens.clear();
            for (int i = 0; i < BATCH; i++) {
                new CommitToken(1 + i % 4, 3, n + i).write(tokens);
            }
            tokens.flip();
            long begun = cpuNanos();
            free += store.commit(batch, tokens);
            nanos += cpuNanos() - begun;
        }
        say(name, "insert", free, nanos);
        long begun = cpuNanos();
        store.seal();
        say(name, "seal the older half", free / 2, cpuNanos() - begun);
        System.out.printf(Locale.ROOT, "%-8s %s%n", name, store.size());
        for (boolean old : List.of(false, true)) {
            for (boolean present : List.of(true, false)) {
                lookups(name, store, old, present);
            }
        }
    }

    private void lookups(String name, Store store, boolean old, boolean present) {
        SplittableRandom random = new SplittableRandom(7);
        List<ByteBuffer> batches = new ArrayList<>();
        for (int done = 0; done < lookups; done += BATCH) {
            ByteBuffer batch = ByteBuffer.allocate(BATCH * EventId.BYTES);
            for (int i = 0; i < BATCH; i++) {
                // The older half is in files, the newest tenth in memory, whatever is between.
                long n = old ? random.nextInt(ids / 2 - BATCH) : ids - 1 - random.nextInt(ids / 10);
                id(n, present).write(batch);
            }
            batches.add(batch.flip());
        }
        long begun = cpuNanos();
        int held = 0;
        for (ByteBuffer batch : batches) {
            held += store.lookup(batch);
        }
        long nanos = cpuNanos() - begun;
        int asked = batches.size() * BATCH;
        if (held != (present ? asked : 0)) {
            throw new IllegalStateException(name + " finds " + held + " of " + asked);
        }
        say(
                name,
                "lookup " + (old ? "old " : "recent ") + (present ? "held" : "free"),
                asked,
                nanos);
    }

    private ByteBuffer batch(long from) {
        ByteBuffer batch = ByteBuffer.allocate(BATCH * EventId.BYTES);
        for (int i = 0; i < BATCH; i++) {
            id(from + i, true).write(batch);
        }
        return batch.flip();
    }

    /** Of this thread: what else runs on the machine matters less. */
    private static long cpuNanos() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    private static void say(String name, String what, long count, long nanos) {
        System.out.printf(
                Locale.ROOT, "%-8s %-20s %,12.0f ids/s%n", name, what, count * 1e9 / nanos);
    }
}
