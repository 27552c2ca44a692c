package photon.bench.registry;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * What a process has used since its start, from Linux' {@code /proc}.
 *
 * @param cpuMicros all threads
 * @param compilerMicros of it, threads that compile Java code
 * @param collectorMicros of it, threads of the garbage collector
 * @param residentBytes now
 */
record ProcessFigures(
        long cpuMicros, long compilerMicros, long collectorMicros, long residentBytes) {

    /** Of a clock tick, in which Linux counts a process's time for users. */
    private static final long TICK_MICROS = 10_000;

    private static final List<String> COMPILERS = List.of("C1 Comp", "C2 Comp", "Sweeper");
    private static final List<String> COLLECTORS = List.of("GC Thread", "G1 ", "VM Thread");

    static final ProcessFigures NONE = new ProcessFigures(0, 0, 0, 0);

    /** True if this system tells what a run needs. */
    static boolean areThere() {
        return Files.isReadable(Path.of("/proc/self/task"));
    }

    /**
     * @throws UncheckedIOException if there is no such process
     */
    static ProcessFigures of(long pid) {
        Path process = Path.of("/proc", Long.toString(pid));
        try {
            long compiler = 0;
            long collector = 0;
            try (Stream<Path> tasks = Files.list(process.resolve("task"))) {
                for (Path task : tasks.toList()) {
                    Stat stat = Stat.ofTask(task);
                    if (COMPILERS.stream().anyMatch(stat.name()::startsWith)) {
                        compiler += stat.cpuMicros();
                    } else if (COLLECTORS.stream().anyMatch(stat.name()::startsWith)) {
                        collector += stat.cpuMicros();
                    }
                }
            }
            return new ProcessFigures(
                    Stat.read(process.resolve("stat")).cpuMicros(),
                    compiler,
                    collector,
                    field(process.resolve("status"), "VmRSS:").orElse(0) << 10);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static OptionalLong field(Path file, String name) throws IOException {
        if (!Files.isReadable(file)) {
            return OptionalLong.empty();
        }
        return Files.readAllLines(file).stream()
                .filter(line -> line.startsWith(name))
                .mapToLong(
                        line ->
                                Long.parseLong(
                                        line.substring(name.length()).replace("kB", "").strip()))
                .findFirst();
    }

    /** One line of a {@code stat}. */
    record Stat(String name, long cpuMicros) {
        static Stat read(Path file) throws IOException {
            return parse(Files.readString(file));
        }

        /** A thread that has ended since it was listed has used nothing. */
        static Stat ofTask(Path task) {
            try {
                return read(task.resolve("stat"));
            } catch (IOException e) {
                return new Stat("", 0);
            }
        }

        static Stat parse(String line) {
            // The name stands in parentheses, and may hold some.
            int from = line.indexOf('(');
            int to = line.lastIndexOf(')');
            String[] rest = line.substring(to + 2).split(" ", -1);
            // Fields 14 and 15, user and system, counted from the process number.
            long ticks = Long.parseLong(rest[11]) + Long.parseLong(rest[12]);
            return new Stat(line.substring(from + 1, to), ticks * TICK_MICROS);
        }
    }

    /** What was used since; resident as it is now. */
    ProcessFigures since(ProcessFigures before) {
        return new ProcessFigures(
                cpuMicros - before.cpuMicros,
                compilerMicros - before.compilerMicros,
                collectorMicros - before.collectorMicros,
                residentBytes);
    }

    ProcessFigures plus(ProcessFigures other) {
        return new ProcessFigures(
                cpuMicros + other.cpuMicros,
                compilerMicros + other.compilerMicros,
                collectorMicros + other.collectorMicros,
                residentBytes + other.residentBytes);
    }

    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%.1f s", cpuMicros / 1e6);
    }
}
