package photon.bench.pipeline.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ThreadScanTest {
    @TempDir Path tasks;

    private void thread(int number, String name, String schedstat) throws IOException {
        Path task = Files.createDirectories(tasks.resolve(Integer.toString(number)));
        Files.writeString(task.resolve("comm"), name + "\n");
        Files.writeString(task.resolve("schedstat"), schedstat + "\n");
        Files.writeString(
                task.resolve("stat"),
                number + " (a (b) c) S 1 2 3 4 5 6 7 8 9 10 25 5 0 0 20 0 1 0 99 0 0\n");
    }

    @Test
    void threadsOfOneNameCountTogether() throws IOException {
        ThreadScan scan = new ThreadScan(tasks);
        thread(1, "loop", "5000000 1 2");
        thread(2, "loop", "2000000 1 2");
        thread(3, "GC Thread#0", "1000000 1 2");
        scan.scan();
        assertThat(scan.microsByName())
                .containsOnly(
                        java.util.Map.entry("loop", 7_000L),
                        java.util.Map.entry("GC Thread#0", 1_000L));
    }

    @Test
    void aThreadThatEndedKeepsWhatItHadUsed() throws IOException {
        ThreadScan scan = new ThreadScan(tasks);
        thread(1, "loop", "5000000 1 2");
        scan.scan();
        thread(1, "other", "1000000 1 2"); // its number is another thread's now
        scan.scan();
        for (String file : new String[] {"comm", "schedstat", "stat", ""}) {
            Files.delete(tasks.resolve("1").resolve(file));
        }
        scan.scan();
        assertThat(scan.microsByName())
                .containsEntry("loop", 5_000L)
                .containsEntry("other", 1_000L);
    }

    @Test
    void withoutSchedulerStatisticsTicksAreCounted() throws IOException {
        ThreadScan scan = new ThreadScan(tasks);
        thread(1, "loop", "0 0 0");
        scan.scan();
        assertThat(scan.microsByName()).containsEntry("loop", 300_000L);
    }
}
