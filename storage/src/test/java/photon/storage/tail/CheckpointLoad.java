package photon.storage.tail;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import photon.storage.document.VersionedDocument;
import photon.storage.files.FileStore;
import photon.storage.files.HadoopFileStore;

/**
 * Measures what a dispatcher does each half second and each second about its files: {@code
 * DIRECTORY FILES MOVED}. FILES logs are made and tailed, MOVED positions are written per tick. See
 * docs/benchmarks.md.
 */
public final class CheckpointLoad {
    private static final int TICKS = 40;

    private CheckpointLoad() {}

    public static void main(String[] args) throws IOException {
        Path root = Files.createDirectories(Path.of(args[0]).toAbsolutePath());
        int count = Integer.parseInt(args[1]);
        int moved = Integer.parseInt(args[2]);
        FileStore files = new HadoopFileStore();
        Path logs = Files.createDirectory(root.resolve("logs"));
        for (int i = 0; i < count; i++) {
            Files.writeString(
                    logs.resolve("producer-%03d.%05d.log".formatted(i % 100, i)), "1,x\n");
        }
        LogTail tail =
                new LogTail(
                        files,
                        TestLogs.stream(logs + "/*.log"),
                        List.of(),
                        Duration.ofSeconds(1),
                        TestLogs.LATER);
        long nanos = 0;
        for (boolean more = true; more; nanos++) {
            more = !tail.poll(4_096, nanos).caughtUp();
            nanos += more ? Duration.ofSeconds(1).toNanos() : 0;
        }
        long[] listings = new long[TICKS];
        for (int i = 0; i < TICKS; i++) {
            nanos += Duration.ofSeconds(2).toNanos();
            long begin = cpuNanos();
            tail.poll(4_096, nanos);
            listings[i] = cpuNanos() - begin;
        }
        System.out.printf("listing of %d files: median %.1f ms of CPU%n", count, median(listings));
        checkpoint(files, root.resolve("checkpoint").toString(), tail.reached(), moved);
    }

    private static void checkpoint(
            FileStore files, String directory, List<FilePosition> all, int moved)
            throws IOException {
        files.createDirectories(directory);
        VersionedDocument document =
                new VersionedDocument(files, directory, CheckpointFiles.DOCUMENT);
        CheckpointFiles checkpoint = new CheckpointFiles(files, directory);
        long version = 0;
        long begin = cpuNanos();
        CheckpointFiles.Change whole = new CheckpointFiles.Change(List.of(), all, GoneFiles.NONE);
        document.write(version++, checkpoint.write(1, whole));
        System.out.printf(
                "all %d positions, which is rare: %.1f ms of CPU, %d kB%n",
                all.size(), (cpuNanos() - begin) / 1e6, PositionsCodec.encode(all).length / 1_000);
        List<FilePosition> some = new ArrayList<>(all.subList(0, moved));
        long[] ticks = new long[TICKS];
        int bytes = 0;
        for (int i = 0; i < TICKS; i++) {
            begin = cpuNanos();
            CheckpointFiles.Change change = new CheckpointFiles.Change(some, null, GoneFiles.NONE);
            byte[] content = checkpoint.write(1, change);
            bytes = content.length;
            document.write(version++, content);
            ticks[i] = cpuNanos() - begin;
        }
        System.out.printf(
                "a tick with %d positions: median %.1f ms of CPU, %d kB%n",
                moved, median(ticks), bytes / 1_000);
    }

    /**
     * Of this thread: on a machine that does other things too, the time that passes says little.
     */
    private static long cpuNanos() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    private static double median(long[] nanos) {
        Arrays.sort(nanos);
        return nanos[nanos.length / 2] / 1e6;
    }
}
