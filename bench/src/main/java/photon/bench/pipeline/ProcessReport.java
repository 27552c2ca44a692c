package photon.bench.pipeline;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import photon.core.error.FailedException;

/**
 * What a measured process has written about itself.
 *
 * @param looks in the order of time
 * @param threadMicros CPU time by the threads' names
 * @param cpuMicros of the whole process
 * @param allocatedBytes on the heap, since the start
 * @param peakBytes that were resident at one time
 */
record ProcessReport(
        List<Look> looks,
        Map<String, Long> threadMicros,
        long cpuMicros,
        long allocatedBytes,
        long peakBytes) {

    /**
     * How far the process was at one moment.
     *
     * @param micros since the command began
     * @param read input events, counted once per datacenter
     * @param joined events
     * @param cpuMicros used so far
     */
    record Look(long micros, long read, long joined, long cpuMicros) {}

    ProcessReport {
        looks = List.copyOf(looks);
        threadMicros = Map.copyOf(threadMicros);
    }

    /**
     * @throws FailedException if a line is none of a process's report
     */
    static ProcessReport parse(List<String> lines) {
        List<Look> looks = new ArrayList<>();
        Map<String, Long> threads = new HashMap<>();
        Map<String, Long> single = new HashMap<>();
        for (String line : lines) {
            String[] words = line.split(" ", 3);
            try {
                switch (words[0]) {
                    case "look" -> looks.add(look(line.split(" ", -1)));
                    case "thread" -> threads.merge(words[2], Long.valueOf(words[1]), Long::sum);
                    default -> single.put(words[0], Long.valueOf(words[1]));
                }
            } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
                throw new FailedException(
                        "Expected a line of a measured process's report, but got '" + line + "'");
            }
        }
        return new ProcessReport(
                looks,
                threads,
                single.getOrDefault("cpuMicros", 0L),
                single.getOrDefault("allocatedBytes", 0L),
                single.getOrDefault("peakBytes", 0L));
    }

    private static Look look(String[] words) {
        return new Look(
                Long.parseLong(words[1]),
                Long.parseLong(words[2]),
                Long.parseLong(words[3]),
                Long.parseLong(words[4]));
    }
}
