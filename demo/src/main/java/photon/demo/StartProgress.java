package photon.demo;

import java.time.Duration;
import java.util.Collection;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import photon.testbed.process.ProcessName;

/**
 * How far the start of processes is. A process that does not serve yet moves while it gets a
 * processor: on a machine that others use, that is what a start waits for. But not without limit,
 * since a process that waits in vain uses a little, too.
 *
 * @param serving labels of those that serve
 * @param work seconds of the processors that they have had, as far as their starts may need them
 */
record StartProgress(Set<String> serving, long work) {
    /** Several times what a start needs; one that serves has had them. */
    private static final long SECONDS_MAX = 20;

    static final StartProgress NONE = new StartProgress(Set.of(), 0);

    StartProgress {
        serving = Set.copyOf(serving);
    }

    /**
     * @param before as it was at the last look: one that was started again is no further
     */
    static StartProgress of(
            Collection<ProcessName> processes,
            Predicate<ProcessName> serves,
            Function<ProcessName, Duration> cpuTime,
            StartProgress before) {
        long work =
                processes.stream()
                        .mapToLong(
                                p ->
                                        serves.test(p)
                                                ? SECONDS_MAX
                                                : Math.min(
                                                        SECONDS_MAX, cpuTime.apply(p).toSeconds()))
                        .sum();
        return new StartProgress(
                processes.stream()
                        .filter(serves)
                        .map(ProcessName::label)
                        .collect(Collectors.toSet()),
                Math.max(before.work(), work));
    }
}
