package photon.simulation.checks;

/**
 * One line that appears in a log of one datacenter.
 *
 * @param atNanos when, in simulated nanoseconds since the world's start
 * @param line without its line feed
 */
public record InputRecord(String datacenter, Stream stream, long atNanos, byte[] line) {
    /** Which of the two logs. */
    public enum Stream {
        PRIMARY,
        FOREIGN
    }
}
