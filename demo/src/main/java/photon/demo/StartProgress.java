package photon.demo;

import java.time.Duration;
import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;
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
 * @param work seconds of the processors that the others have had, as far as a start may need them
 */
record StartProgress(Set<String> serving, long work) {
    /** Several times what a start needs. */
    private static final long SECONDS_MAX = 20;

    StartProgress {
        serving = Set.copyOf(serving);
    }

    static StartProgress of(
            Collection<ProcessName> processes,
            Predicate<ProcessName> serves,
            Function<ProcessName, Duration> cpuTime) {
        return new StartProgress(
                processes.stream()
                        .filter(serves)
                        .map(ProcessName::label)
                        .collect(Collectors.toCollection(TreeSet::new)),
                processes.stream()
                        .filter(serves.negate())
                        .mapToLong(p -> Math.min(SECONDS_MAX, cpuTime.apply(p).toSeconds()))
                        .sum());
    }
}
