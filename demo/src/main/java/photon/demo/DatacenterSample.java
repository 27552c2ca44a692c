package photon.demo;

/**
 * One datacenter at one moment; counts are since the demo's start.
 *
 * @param alive any of its daemons runs
 * @param read foreign events that its dispatcher has read
 * @param joined distinct foreign events in its published files; one that stands in another
 *     datacenter's, too, counts where it was seen first
 * @param waiting events that wait for their primary event
 * @param lagBytes of the logs, known to wait unread
 * @param lagMillis how old the oldest unread record is, about
 */
public record DatacenterSample(
        boolean alive, long read, long joined, long waiting, long lagBytes, long lagMillis) {}
