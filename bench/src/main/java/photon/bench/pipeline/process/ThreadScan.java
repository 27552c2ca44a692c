package photon.bench.pipeline.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * CPU time of the threads of a process, by name, from Linux' {@code /proc}. Not thread-safe.
 *
 * <p>Has all kinds of threads, those of the VM and of native libraries among them, which the VM's
 * own account has not. Linux keeps the first 15 characters of a name. What a thread used after the
 * last scan that saw it is in no name.
 */
final class ThreadScan {
    /** Of a clock tick, in which {@code stat} counts. */
    private static final long TICK_MICROS = 10_000;

    private final Path tasks;
    private final Map<String, Seen> living = new HashMap<>(); // by the thread's number
    private final Map<String, Long> ended = new TreeMap<>(); // by name

    private record Seen(String name, long micros) {}

    /**
     * @param tasks the process's directory of threads, such as {@code /proc/self/task}
     */
    ThreadScan(Path tasks) {
        this.tasks = tasks;
    }

    /** Looks at all threads that are alive. */
    void scan() throws IOException {
        try (Stream<Path> list = Files.list(tasks)) {
            for (Path task : list.toList()) {
                try {
                    saw(task.getFileName().toString(), name(task), micros(task));
                } catch (IOException e) {
                    // It has ended since it was listed.
                }
            }
        }
    }

    private void saw(String number, String name, long micros) {
        Seen before = living.put(number, new Seen(name, micros));
        if (before != null && before.micros() > micros) {
            // Another thread has its number now.
            ended.merge(before.name(), before.micros(), Long::sum);
        }
    }

    private static String name(Path task) throws IOException {
        return Files.readString(task.resolve("comm")).strip();
    }

    /** In nanoseconds where the kernel has that. */
    private static long micros(Path task) throws IOException {
        Path fine = task.resolve("schedstat");
        if (Files.isReadable(fine)) {
            String text = Files.readString(fine);
            long nanos = Long.parseLong(text.substring(0, text.indexOf(' ')));
            if (nanos > 0) {
                return nanos / 1_000;
            }
        }
        String stat = Files.readString(task.resolve("stat"));
        // Behind the name, which may hold spaces and parentheses; fields 14 and 15 of the whole.
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) * TICK_MICROS;
    }

    /** Microseconds by name, of threads that have ended as well. */
    Map<String, Long> microsByName() {
        Map<String, Long> all = new TreeMap<>(ended);
        living.values().forEach(seen -> all.merge(seen.name(), seen.micros(), Long::sum));
        return all;
    }
}
