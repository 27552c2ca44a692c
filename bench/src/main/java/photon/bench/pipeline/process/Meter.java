package photon.bench.pipeline.process;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Measures the process that it runs in, from its start until this is closed, and leaves the figures
 * in a file. Its own CPU time is not in them.
 *
 * <p>The file has a line per figure: its name, then its values. {@code photon.bench.pipeline} reads
 * it.
 */
final class Meter implements AutoCloseable {
    private static final String NAME = "bench-meter";
    private static final long LOOK_MILLIS = 50;
    private static final int LOOKS_PER_SCAN = 10;

    private final Path file;
    private final long startedMillis;
    private final LongSupplier read;
    private final LongSupplier joined;
    private final OperatingSystemMXBean process =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    private final AllocatedBytes allocated = AllocatedBytes.count();
    private final ThreadScan threads = new ThreadScan(Path.of("/proc/self/task"));
    private final List<String> lines = new ArrayList<>();
    private final CountDownLatch ends = new CountDownLatch(1);
    private final Thread thread = new Thread(this::measure, NAME);
    private volatile @Nullable Exception failure;

    private Meter(Path file, long startedMillis, LongSupplier read, LongSupplier joined) {
        this.file = file;
        this.startedMillis = startedMillis;
        this.read = read;
        this.joined = joined;
    }

    /**
     * @param file of the figures, which must not be there; it is complete when it is
     * @param startedMillis when the command began, by the wall clock
     * @param read how many events were read so far
     * @param joined how many were joined so far
     */
    static Meter start(Path file, long startedMillis, LongSupplier read, LongSupplier joined) {
        Meter meter = new Meter(file, startedMillis, read, joined);
        meter.thread.setDaemon(true);
        meter.thread.start();
        return meter;
    }

    private void measure() {
        try {
            for (int looks = 0; !ends.await(LOOK_MILLIS, TimeUnit.MILLISECONDS); looks++) {
                look();
                if (looks % LOOKS_PER_SCAN == 0) {
                    threads.scan();
                }
            }
            look();
            threads.scan();
            write();
        } catch (IOException | RuntimeException e) {
            failure = e;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            failure = e;
        }
    }

    private void look() {
        lines.add(
                "look %d %d %d %d"
                        .formatted(
                                1_000 * (System.currentTimeMillis() - startedMillis),
                                read.getAsLong(),
                                joined.getAsLong(),
                                cpuMicros()));
    }

    /** Of all threads but this one. */
    private long cpuMicros() {
        return TimeUnit.NANOSECONDS.toMicros(process.getProcessCpuTime()) - ownMicros();
    }

    private static long ownMicros() {
        return TimeUnit.NANOSECONDS.toMicros(
                ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime());
    }

    private void write() throws IOException, InterruptedException {
        threads.microsByName()
                .forEach(
                        (name, micros) -> {
                            if (!name.equals(NAME)) {
                                lines.add("thread %d %s".formatted(micros, name));
                            }
                        });
        lines.add("cpuMicros " + cpuMicros());
        lines.add("meterMicros " + ownMicros()); // left out, here for who doubts that it is little
        lines.add("allocatedBytes " + allocated.total());
        lines.add("peakBytes " + peakBytes());
        Path aside = file.resolveSibling(file.getFileName() + ".new");
        Files.write(aside, lines);
        Files.move(aside, file);
    }

    /** The kernel's own account: heap, direct memory, code and threads together. */
    private static long peakBytes() throws IOException {
        String name = "VmHWM:";
        return Files.readAllLines(Path.of("/proc/self/status")).stream()
                        .filter(line -> line.startsWith(name))
                        .mapToLong(
                                line ->
                                        Long.parseLong(
                                                line.substring(name.length())
                                                        .replace("kB", "")
                                                        .strip()))
                        .findFirst()
                        .orElse(0)
                << 10;
    }

    /**
     * Takes the last figures and writes the file.
     *
     * @throws UncheckedIOException if that is not possible
     */
    @Override
    public void close() {
        ends.countDown();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        Exception why = failure;
        if (why != null) {
            throw new UncheckedIOException(new IOException("The figures are not written", why));
        }
    }
}
