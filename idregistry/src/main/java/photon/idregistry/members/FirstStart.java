package photon.idregistry.members;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import photon.proto.v1.DiskState;
import photon.proto.v1.IntroduceResponse;

/**
 * Whether a server whose disk has never taken part in a registry may do so (docs/protocol.md
 * section 11). A disk that is blank may be one that has forgotten entries and votes: so it may
 * begin only with servers all of which have never taken part either, each asked after this disk was
 * there. Not thread-safe.
 */
public final class FirstStart {
    private final Set<String> servers;
    private final List<String> others;
    private boolean cleared;

    /** Servers that have said of themselves, since this disk is there, that they had not begun. */
    private final Set<String> notBegun = new HashSet<>();

    /** Servers that may begin, or have begun. */
    private final Set<String> ready = new HashSet<>();

    private final Map<String, String> troubles = new HashMap<>();
    private boolean formed;

    /** Somebody has begun, whatever its configuration lists: no registry is to be formed. */
    private boolean begunElsewhere;

    /** What to do now. */
    public enum Step {
        /** Ask the others, again. */
        ASK,
        /** Write down that this disk may begin, and say so. */
        CLEAR,
        /** Begin, as the first disk behind the name. */
        BEGIN,
        /** The registry is there already: only the control group can let this disk in. */
        ASK_CONTROL
    }

    /**
     * @param name this server's
     * @param servers all, this one among them
     * @param cleared true: that this disk may begin was written down before
     */
    public FirstStart(String name, List<String> servers, boolean cleared) {
        this.servers = new TreeSet<>(servers);
        this.others = servers.stream().filter(server -> !server.equals(name)).sorted().toList();
        this.cleared = cleared;
    }

    /** What another server has answered to a question that was asked since this disk is there. */
    public void heard(String server, IntroduceResponse answer) {
        begunElsewhere |=
                answer.getName().equals(server) && answer.getState() == DiskState.DISK_STARTED;
        if (!answer.getName().equals(server)) {
            troubles.put(server, "'" + answer.getName() + "' answers at its address");
        } else if (!servers.equals(new TreeSet<>(answer.getServersList()))) {
            troubles.put(server, "its configuration lists the servers " + answer.getServersList());
        } else {
            troubles.remove(server);
            if (answer.getState() == DiskState.DISK_STARTED) {
                formed = true;
                ready.add(server);
            } else if (answer.getState() == DiskState.DISK_CLEARED) {
                notBegun.add(server);
                ready.add(server);
            } else if (answer.getState() == DiskState.DISK_BLANK) {
                notBegun.add(server);
            }
        }
    }

    /** Another server has not answered. */
    public void silent(String server, String why) {
        troubles.put(server, why);
    }

    /** That this disk may begin is written down. */
    public void cleared() {
        cleared = true;
    }

    /** What to do now. */
    public Step next() {
        if (!cleared) {
            if (notBegun.containsAll(others)) {
                return Step.CLEAR;
            }
            return begunElsewhere ? Step.ASK_CONTROL : Step.ASK;
        }
        // Nobody begins before all may: the last would find a registry that it was not in. Once
        // somebody has begun, all may.
        return formed || ready.containsAll(others) ? Step.BEGIN : Step.ASK;
    }

    /** For people: who is waited for, and why. */
    public List<String> waitsFor() {
        List<String> all = new ArrayList<>();
        for (String server : others) {
            if (!(cleared ? ready : notBegun).contains(server) || troubles.containsKey(server)) {
                all.add(server + " (" + troubles.getOrDefault(server, "is not ready yet") + ")");
            }
        }
        return all;
    }
}
