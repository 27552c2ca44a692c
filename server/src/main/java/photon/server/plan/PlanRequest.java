package photon.server.plan;

import java.time.Duration;

/**
 * What a deployment is to do.
 *
 * @param eventsPerSecond of both streams together, at the peak
 * @param clicks foreign events per hundred primary events
 * @param eventBytes of a record, on average
 * @param datacenters each joins
 * @param roundTrip between two of them
 * @param machineCores of each machine
 */
public record PlanRequest(
        long eventsPerSecond,
        int clicks,
        long eventBytes,
        int datacenters,
        Duration retention,
        Duration roundTrip,
        int machineCores) {
    /** What is taken where nothing is said. */
    public static final PlanRequest DEFAULTS =
            new PlanRequest(100_000, 10, 200, 2, Duration.ofDays(1), Duration.ofMillis(30), 16);

    /** The same with another rate. */
    public PlanRequest at(long events, int places) {
        return new PlanRequest(
                events, clicks, eventBytes, places, retention, roundTrip, machineCores);
    }

    double foreignPerSecond() {
        return (double) eventsPerSecond * clicks / (100 + clicks);
    }

    double primaryPerSecond() {
        return eventsPerSecond - foreignPerSecond();
    }

    double retentionSeconds() {
        return retention.toMillis() / 1e3;
    }
}
