package photon.dispatcher.rules;

import java.util.List;

/**
 * Which joiner gets the next events: of those that may be sent to, the one with the least
 * unanswered work, each in turn where they are equal. One that was in trouble is first tried with a
 * few events while another is good; where none is good each takes what it can get, since nobody
 * else would. Not thread-safe.
 */
public final class JoinerChoice {
    /** Unanswered events of a joiner that has not answered well since its last trouble. */
    static final int PROBE_MAX = 64;

    /** How many more than the next one a joiner is given at a time: a message worth its while. */
    static final int AHEAD_MAX = 128;

    private int lastIndex = -1;

    /**
     * A joiner as its sender sees it.
     *
     * @param unanswered events that it has been sent and not answered
     * @param paused nothing may be sent now
     * @param trusted no trouble since its last good answer
     */
    public record State(int unanswered, boolean paused, boolean trusted) {}

    /**
     * @param index of the joiner
     * @param eventsMax how many it may be sent; above 0
     */
    public record Choice(int index, int eventsMax) {
        /** All are in a pause. */
        public static final Choice NOBODY = new Choice(-1, 0);
    }

    /**
     * @param joiners always the same ones in the same order
     */
    public Choice next(List<State> joiners) {
        boolean anyGood = joiners.stream().anyMatch(j -> j.trusted() && !j.paused());
        int best = -1;
        int least = Integer.MAX_VALUE;
        int secondLeast = Integer.MAX_VALUE;
        for (int i = 1; i <= joiners.size(); i++) {
            int index = (lastIndex + i) % joiners.size();
            State joiner = joiners.get(index);
            if (joiner.paused() || room(joiner, anyGood) <= 0) {
                continue;
            }
            if (joiner.unanswered() < least) {
                secondLeast = least;
                least = joiner.unanswered();
                best = index;
            } else {
                secondLeast = Math.min(secondLeast, joiner.unanswered());
            }
        }
        if (best < 0) {
            return Choice.NOBODY;
        }
        lastIndex = best;
        int untilEven =
                secondLeast == Integer.MAX_VALUE ? secondLeast : secondLeast - least + AHEAD_MAX;
        return new Choice(best, Math.min(room(joiners.get(best), anyGood), untilEven));
    }

    private static int room(State joiner, boolean anyGood) {
        return !anyGood || joiner.trusted() ? Integer.MAX_VALUE : PROBE_MAX - joiner.unanswered();
    }
}
