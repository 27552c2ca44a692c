package photon.simulation.raft;

/** Hears of entries that will stay, in their order. */
@FunctionalInterface
public interface CommittedEntries {
    /**
     * @param group as in {@link SimulatedCluster#groups}
     * @param result what the state makes of it
     */
    void entry(String group, byte[] entry, byte[] result);
}
