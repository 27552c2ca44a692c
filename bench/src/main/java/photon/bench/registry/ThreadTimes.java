package photon.bench.registry;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What the threads of a Java process have used, told by their names in Java. */
final class ThreadTimes {
    /** As a VM prints its threads: {@code "name" ... nid=0x1a2b ...}. */
    private static final Pattern THREAD = Pattern.compile("^\"(.*)\" .*\\bnid=(0x[0-9a-f]+|\\d+)");

    /** What differs between threads of one kind. */
    private static final Pattern NUMBERS =
            Pattern.compile("group-[0-9A-F]+|[0-9a-f]{8}-[0-9a-f-]{27}|\\d+");

    private ThreadTimes() {}

    /** Microseconds since the start, by the system's thread number. */
    static Map<Long, Long> micros(long pid) throws IOException {
        Map<Long, Long> micros = new HashMap<>();
        try (Stream<Path> tasks = Files.list(Path.of("/proc", Long.toString(pid), "task"))) {
            tasks.forEach(
                    task ->
                            micros.put(
                                    Long.parseLong(task.getFileName().toString()),
                                    ProcessFigures.Stat.ofTask(task).cpuMicros()));
        }
        return micros;
    }

    /** Kinds of threads by the system's thread number, from what {@code Thread.print} says. */
    static Map<Long, String> kinds(String printed) {
        Map<Long, String> kinds = new HashMap<>();
        printed.lines()
                .forEach(
                        line -> {
                            Matcher matcher = THREAD.matcher(line);
                            if (matcher.find()) {
                                kinds.put(Long.decode(matcher.group(2)), kind(matcher.group(1)));
                            }
                        });
        return kinds;
    }

    static String kind(String name) {
        return NUMBERS.matcher(name).replaceAll("#");
    }

    /** What each kind has used between two looks; threads without a name in Java are "other". */
    static Map<String, Long> byKind(
            Map<Long, Long> before, Map<Long, Long> after, Map<Long, String> kinds) {
        Map<String, Long> byKind = new HashMap<>();
        after.forEach(
                (thread, micros) ->
                        byKind.merge(
                                kinds.getOrDefault(thread, "other"),
                                micros - before.getOrDefault(thread, 0L),
                                Long::sum));
        byKind.values().removeIf(micros -> micros == 0);
        return byKind;
    }
}
