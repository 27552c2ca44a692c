package photon.simulation.raft;

import photon.simulation.network.Network;

/** What a message between two servers meets on its way; both are told by their hosts' names. */
public interface Reach {
    /** True if a message sent now, one way, would arrive. */
    boolean reaches(String from, String to);

    /** A fresh random delay of one message. */
    long delayNanos(String from, String to);

    static Reach over(Network network) {
        return new Reach() {
            @Override
            public boolean reaches(String from, String to) {
                return network.reaches(from, to);
            }

            @Override
            public long delayNanos(String from, String to) {
                return network.delayNanos(from, to);
            }
        };
    }
}
