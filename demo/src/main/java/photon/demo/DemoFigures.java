package photon.demo;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What the demo has seen from outside, beside the books.
 *
 * @param expectedJoined joinable foreign events, by the generator's own knowledge
 * @param outage empty: no datacenter was killed
 * @param leaderChanges how often a group of the registry got another leader
 * @param repairSeconds of each killed joiner that had lost something: from its kill to the
 *     publication of the last event that it had lost
 * @param delays from append to durable outside outages and after warm-up: by upper bound in
 *     microseconds their number
 * @param stages how long events took for each stage of their way then, as {@code delays}
 * @param audit the auditor's word
 * @param workers of a run on HDFS
 */
public record DemoFigures(
        long expectedJoined,
        Optional<Outage> outage,
        int leaderChanges,
        List<Double> repairSeconds,
        SortedMap<Long, Long> delays,
        Map<StageTally.Stage, SortedMap<Long, Long>> stages,
        Audit audit,
        Optional<WorkerFigures> workers) {

    /**
     * A datacenter was killed and came back.
     *
     * @param joinedDuring distinct events published between kill and return
     * @param joinedAfterReturn distinct events that the datacenter itself has published since
     * @param resumeSeconds from the kill to the first joined event that would have been its own;
     *     empty: there was none
     */
    public record Outage(long joinedDuring, long joinedAfterReturn, OptionalDouble resumeSeconds) {}

    /** What the auditor says, which reads the files with its own code. */
    public enum Audit {
        AGREES,
        DIFFERS,
        /** It could not be run. */
        SKIPPED
    }

    /** Of a run that was not on HDFS. */
    public DemoFigures(
            long expectedJoined,
            Optional<Outage> outage,
            int leaderChanges,
            List<Double> repairSeconds,
            SortedMap<Long, Long> delays,
            Map<StageTally.Stage, SortedMap<Long, Long>> stages,
            Audit audit) {
        this(
                expectedJoined,
                outage,
                leaderChanges,
                repairSeconds,
                delays,
                stages,
                audit,
                Optional.empty());
    }

    public DemoFigures {
        repairSeconds = List.copyOf(repairSeconds);
        delays = Collections.unmodifiableSortedMap(new TreeMap<>(delays));
        stages = Collections.unmodifiableMap(new LinkedHashMap<>(stages));
    }
}
