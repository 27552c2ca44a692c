package photon.bench.pipeline.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** {@link Meter} and {@link AllocatedBytes}, of this process. */
@EnabledOnOs(OS.LINUX)
class MeterTest {
    private static final int CHUNK = 1 << 20;
    private static final int CHUNKS = 256;

    @TempDir Path directory;

    @Test
    @SuppressWarnings("try") // The meter measures until it is closed.
    void theFiguresAreThereOnceItIsClosed() throws Exception {
        Path file = directory.resolve("figures");
        AtomicLong joined = new AtomicLong(3);
        try (Meter meter = Meter.start(file, System.currentTimeMillis(), () -> 7, joined::get)) {
            assertThat(file).doesNotExist();
            joined.set(5);
        }
        List<String> lines = Files.readAllLines(file);
        assertThat(lines)
                .filteredOn(line -> line.startsWith("look "))
                .last()
                .asString()
                .matches("look \\d+ 7 5 \\d+");
        assertThat(lines)
                .anyMatch(line -> line.startsWith("thread "))
                .noneMatch(line -> line.endsWith(" bench-meter"));
        assertThat(value(lines, "cpuMicros")).isPositive();
        assertThat(value(lines, "peakBytes")).isGreaterThan(10 << 20);
        assertThat(value(lines, "allocatedBytes")).isPositive();
    }

    private static long value(List<String> lines, String name) {
        return lines.stream()
                .filter(line -> line.startsWith(name + " "))
                .mapToLong(line -> Long.parseLong(line.substring(name.length() + 1)))
                .findFirst()
                .orElseThrow();
    }

    /** Also what a thread has allocated that is gone, and what a collection has taken away. */
    @Test
    void bytesOfThreadsThatEndedAreCounted() throws Exception {
        AllocatedBytes counter = AllocatedBytes.count();
        long before = counter.total();
        Thread thread = new Thread(MeterTest::allocate, "allocates");
        thread.start();
        thread.join();
        assertThat(counter.total() - before).isBetween((long) CHUNKS * CHUNK, 2L * CHUNKS * CHUNK);
    }

    private static volatile byte[] last = new byte[0];

    private static void allocate() {
        for (int i = 0; i < CHUNKS; i++) {
            last = new byte[CHUNK];
            if (i == CHUNKS / 2) {
                System.gc();
            }
        }
        assertThat(last).hasSize(CHUNK);
    }
}
