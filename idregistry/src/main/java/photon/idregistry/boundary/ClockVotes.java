package photon.idregistry.boundary;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The last vote of each server, and what a majority of them comes to. No single clock decides
 * anything: a time counts as passed once more than half of all servers' own clocks have passed it,
 * so at least one that is right has. Not thread-safe.
 */
public final class ClockVotes {
    private final long lifeNanos;
    private final Map<String, Heard> heard = new HashMap<>(); // looked up, never walked

    private record Heard(String voter, ClockVote vote, long atNanos) {}

    /**
     * @param lifeNanos a vote that is older counts no more
     */
    public ClockVotes(long lifeNanos) {
        this.lifeNanos = lifeNanos;
    }

    /**
     * Replaces the server's vote before.
     *
     * @param server as it was asked for
     * @param voter what the one that answered calls itself
     */
    public void heard(String server, String voter, ClockVote vote, long nowNanos) {
        heard.put(server, new Heard(voter, vote, nowNanos));
    }

    /**
     * @param servers all of the registry, whether they vote or not
     */
    public ClockMajority count(List<String> servers, long nowNanos) {
        List<Long> votes = new ArrayList<>();
        List<String> without = new ArrayList<>();
        Set<String> voters = new HashSet<>();
        for (String server : servers) {
            Heard last = heard.get(server);
            String trouble = trouble(last, nowNanos);
            if (last != null && trouble.isEmpty() && !voters.add(last.voter())) {
                // An address that leads to another server: one clock must not count twice.
                trouble = "is answered for by " + last.voter() + ", which has voted";
            }
            if (last != null && trouble.isEmpty()) {
                votes.add(last.vote().earliestMicros());
            } else {
                without.add(server + " " + trouble);
            }
        }
        int needed = servers.size() / 2 + 1;
        votes.sort(Comparator.reverseOrder());
        OptionalLong passed =
                votes.size() < needed
                        ? OptionalLong.empty()
                        : OptionalLong.of(votes.get(needed - 1));
        return new ClockMajority(servers.size(), votes.size(), needed, passed, without);
    }

    /** Why it is no vote; empty: it is one. */
    private String trouble(@Nullable Heard last, long nowNanos) {
        if (last == null) {
            return "has not told its clock";
        }
        long age = nowNanos - last.atNanos();
        if (age > lifeNanos) {
            return "has not told its clock for %d s".formatted(TimeUnit.NANOSECONDS.toSeconds(age));
        }
        if (!last.vote().synchronised()) {
            return "is not synchronised (%s)".formatted(last.vote().trouble());
        }
        return last.vote().earliestMicros() < 0 ? "tells a time before 1970" : "";
    }
}
