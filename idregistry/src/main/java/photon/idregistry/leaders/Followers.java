package photon.idregistry.leaders;

import java.util.List;
import java.util.Optional;

/**
 * The other members of a group as its leader knows them: which of them can take over. A transfer to
 * one that is far behind, or gone, only stops commits for as long as it is tried. Immutable.
 */
public final class Followers {
    /** About what a follower gets in a fraction of a second. */
    public static final long LAG_MAX = 500;

    private final List<Follower> followers;
    private final long silentMillisMax;

    /**
     * One of them.
     *
     * @param lag entries of the leader's log that it has not got, or not said so; -1 unknown
     * @param silentMillis since it last answered the leader; -1 unknown
     */
    public record Follower(String name, long lag, long silentMillis) {}

    /**
     * @param silentMillisMax one that has not answered for longer is taken for dead
     */
    public Followers(List<Follower> followers, long silentMillisMax) {
        this.followers = List.copyOf(followers);
        this.silentMillisMax = silentMillisMax;
    }

    /** Why the member cannot take over now; empty: it can. */
    public Optional<String> trouble(String name) {
        return followers.stream()
                .filter(follower -> follower.name().equals(name))
                .findFirst()
                .map(this::troubleOf)
                .orElseGet(
                        () ->
                                Optional.of(
                                        "%s is no follower of it: expected one of %s"
                                                .formatted(
                                                        name,
                                                        followers.stream()
                                                                .map(Follower::name)
                                                                .toList())));
    }

    private Optional<String> troubleOf(Follower follower) {
        if (follower.silentMillis() < 0 || follower.lag() < 0) {
            return Optional.of(follower.name() + " has not been heard of by the leader");
        }
        if (follower.silentMillis() > silentMillisMax) {
            return Optional.of(
                    "%s has not answered the leader for %d ms"
                            .formatted(follower.name(), follower.silentMillis()));
        }
        if (follower.lag() > LAG_MAX) {
            return Optional.of(
                    "%s lacks %d entries of the leader's log: expected at most %d"
                            .formatted(follower.name(), follower.lag(), LAG_MAX));
        }
        return Optional.empty();
    }

    /**
     * Those that can take over.
     *
     * @param preference all servers, the best first
     */
    public List<String> successors(List<String> preference) {
        return preference.stream().filter(name -> trouble(name).isEmpty()).toList();
    }
}
