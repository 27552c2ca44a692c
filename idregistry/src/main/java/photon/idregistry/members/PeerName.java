package photon.idregistry.members;

import static photon.core.error.Checks.check;

/**
 * What Raft calls a server: its name and the number of the disk behind it, so that a disk that
 * comes after another one is another member, and neither is ever taken for the other.
 *
 * @param server the server's name
 * @param number of the disk behind it, from 1
 */
public record PeerName(String server, int number) {
    private static final char MARK = '#';

    public PeerName {
        check(number >= 1, "Expected a disk's number from 1 on, but got %s", number);
    }

    /** Reads what {@link #toString} has written. */
    public static PeerName parse(String peer) {
        int mark = peer.lastIndexOf(MARK);
        if (mark > 0 && peer.length() - mark <= 10) {
            String digits = peer.substring(mark + 1);
            if (!digits.isEmpty() && digits.chars().allMatch(c -> c >= '0' && c <= '9')) {
                int number = Integer.parseInt(digits);
                if (number > 1) {
                    return new PeerName(peer.substring(0, mark), number);
                }
            }
        }
        return new PeerName(peer, 1);
    }

    /** The server's name alone. */
    public static String serverOf(String peer) {
        return parse(peer).server;
    }

    /** As Raft has it: the first disk's is the server's name as it is. */
    @Override
    public String toString() {
        return number == 1 ? server : server + MARK + number;
    }
}
