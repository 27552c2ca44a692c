package photon.demo;

import java.util.List;

/**
 * All that the live view shows.
 *
 * @param samples in order of time; older ones than the bars reach back are not looked at
 * @param events in order of time
 * @param elapsedMillis of the load
 * @param totalMillis how long the load goes on in all
 * @param replicas of the registry, in all
 * @param repairsPending what has ended and is not repaired yet: what it holds is late for a reason
 * @param lost outcomes that no repair can bring back, as the verifiers report them
 * @param phase what is done just now ("load", "the last joins"), shown beside the time
 */
public record ViewState(
        List<DemoSample> samples,
        List<DemoEvent> events,
        long elapsedMillis,
        long totalMillis,
        int replicas,
        int repairsPending,
        long lost,
        String phase) {}
