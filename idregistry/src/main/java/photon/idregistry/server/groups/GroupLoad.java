package photon.idregistry.server.groups;

/**
 * How much one group has under way on one server.
 *
 * @param waitingIds ids that wait for a commit entry; 0 for the control group
 * @param entriesInFlight commit entries handed to the log and not answered; 0 for the control group
 * @param directInFlight requests of other kinds, at most {@link #DIRECT_MAX}
 */
public record GroupLoad(int waitingIds, int entriesInFlight, int directInFlight) {
    public static final int DIRECT_MAX = DirectEntries.IN_FLIGHT_MAX;
}
