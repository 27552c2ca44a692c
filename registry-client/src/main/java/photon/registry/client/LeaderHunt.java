package photon.registry.client;

import java.util.List;
import org.jspecify.annotations.Nullable;
import photon.core.error.ConfigException;
import photon.core.rpc.HostPort;

/**
 * Where one group's leader may be: where a server said that it is, else one server after another.
 */
final class LeaderHunt {
    /** Servers that point at each other are not followed for ever without a pause. */
    private static final int HINTS_IN_A_ROW_MAX = 3;

    private final List<HostPort> servers;
    private int next;
    private HostPort guess;
    private int hintsFollowed;

    /** True: a server was asked, so that we know better than whoever was asked before. */
    private boolean begun;

    LeaderHunt(List<HostPort> servers) {
        this.servers = servers;
        this.guess = servers.get(0);
    }

    /** Whom to ask now. */
    HostPort guess() {
        begun = true;
        return guess;
    }

    /** The server is the leader. */
    void led(HostPort asked) {
        guess = asked;
        hintsFollowed = 0;
    }

    /**
     * The server does not lead.
     *
     * @param hint whom it believes to lead; may be empty
     * @return true if the hint may be asked at once, false if a pause is due
     */
    boolean refused(HostPort asked, String hint) {
        HostPort leader = parse(hint);
        if (leader == null || leader.equals(asked)) {
            lost(asked);
            return false;
        }
        guess = leader;
        if (hintsFollowed < HINTS_IN_A_ROW_MAX) {
            hintsFollowed++;
            return true;
        }
        hintsFollowed = 0;
        return false;
    }

    /** The server did not answer. Requests of several askers may have been lost at once. */
    void lost(HostPort asked) {
        if (asked.equals(guess)) {
            next = (next + 1) % servers.size();
            if (servers.get(next).equals(asked)) {
                next = (next + 1) % servers.size();
            }
            guess = servers.get(next);
        }
    }

    /** Whom somebody believed to lead; counts only before anything was asked. */
    void hint(String leader) {
        HostPort hinted = parse(leader);
        if (hinted != null && !begun) {
            guess = hinted;
        }
    }

    private static @Nullable HostPort parse(String leader) {
        if (leader.isEmpty()) {
            return null;
        }
        try {
            return HostPort.parse(leader);
        } catch (ConfigException e) {
            // A hint is a hint: the round of all servers finds the leader without it.
            return null;
        }
    }
}
