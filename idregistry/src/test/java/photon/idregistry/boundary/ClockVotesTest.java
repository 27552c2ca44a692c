package photon.idregistry.boundary;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClockVotesTest {
    private static final long NOW = 1_700_000_000_000_000L;
    private static final long HOUR = 3_600_000_000L;
    private static final long LIFE = 60_000_000_000L;

    /** What one server may say. */
    private enum Kind {
        RIGHT,
        AHEAD,
        BEHIND,
        UNSYNCHRONISED_AHEAD,
        UNSYNCHRONISED_BEHIND,
        STALE,
        SILENT,
        IMPOSSIBLE;

        boolean votes() {
            return this == RIGHT || this == AHEAD || this == BEHIND;
        }
    }

    private static List<String> servers(int count) {
        return IntStream.range(0, count).mapToObj(n -> "s" + n).toList();
    }

    private static ClockMajority count(List<Kind> kinds) {
        ClockVotes votes = new ClockVotes(LIFE);
        for (int i = 0; i < kinds.size(); i++) {
            String server = "s" + i;
            // Clocks that are right differ a little, each by an amount of its own.
            long right = NOW + i;
            switch (kinds.get(i)) {
                case RIGHT -> votes.heard(server, server, vote(right), LIFE);
                case AHEAD -> votes.heard(server, server, vote(right + HOUR), LIFE);
                case BEHIND -> votes.heard(server, server, vote(right - HOUR), LIFE);
                case UNSYNCHRONISED_AHEAD ->
                        votes.heard(server, server, new ClockVote(right + HOUR, false, "x"), LIFE);
                case UNSYNCHRONISED_BEHIND ->
                        votes.heard(server, server, new ClockVote(right - HOUR, false, "x"), LIFE);
                case STALE -> votes.heard(server, server, vote(right + HOUR), -1);
                case IMPOSSIBLE -> votes.heard(server, server, vote(Long.MIN_VALUE), LIFE);
                case SILENT -> {
                    // Nothing is heard.
                }
            }
        }
        return votes.count(servers(kinds.size()), LIFE);
    }

    private static ClockVote vote(long earliestMicros) {
        return new ClockVote(earliestMicros, true, "");
    }

    /** All ways in which so many servers may answer. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5})
    void whatAMajorityHasPassedIsNeverMoreThanARightClockHasWhereMostAreRight(int servers) {
        int needed = servers / 2 + 1;
        List<Kind> kinds = new ArrayList<>(Collections.nCopies(servers, Kind.RIGHT));
        int all = (int) Math.pow(Kind.values().length, servers);
        for (int which = 0; which < all; which++) {
            for (int i = 0, rest = which; i < servers; i++, rest /= Kind.values().length) {
                kinds.set(i, Kind.values()[rest % Kind.values().length]);
            }
            ClockMajority majority = count(kinds);
            int votes = (int) kinds.stream().filter(Kind::votes).count();
            assertThat(majority.votes()).as("%s", kinds).isEqualTo(votes);
            assertThat(majority.needed()).isEqualTo(needed);
            assertThat(majority.without()).hasSize(servers - votes);
            assertThat(majority.passedMicros().isPresent())
                    .as("%s", kinds)
                    .isEqualTo(votes >= needed);
            assertThat(majority.trouble().isEmpty()).isEqualTo(votes >= needed);
            if (votes < needed) {
                assertThat(majority.passedMicros()).isEmpty();
                continue;
            }
            long passed = majority.passedMicros().getAsLong();
            long wrongAhead = kinds.stream().filter(k -> k == Kind.AHEAD).count();
            long wrongBehind = kinds.stream().filter(k -> k == Kind.BEHIND).count();
            if (wrongAhead < needed) {
                assertThat(passed).as("%s", kinds).isLessThan(NOW + servers);
            }
            if (votes - wrongBehind >= needed) {
                assertThat(passed).as("%s", kinds).isGreaterThanOrEqualTo(NOW);
            }
            assertThat(majority.passedMicros()).hasValue(passed);
        }
    }

    @Test
    void itIsTheLatestTimeThatAsManyAsAreNeededHavePassed() {
        ClockVotes votes = new ClockVotes(LIFE);
        votes.heard("s0", "s0", vote(10), 0);
        assertThat(votes.count(servers(1), 0).passedMicros()).hasValue(10);
        votes.heard("s1", "s1", vote(30), 0);
        assertThat(votes.count(servers(2), 0).passedMicros()).hasValue(10);
        assertThat(votes.count(servers(3), 0).passedMicros()).hasValue(10);
        votes.heard("s2", "s2", vote(20), 0);
        assertThat(votes.count(servers(3), 0).passedMicros()).hasValue(20);
        assertThat(votes.count(servers(4), 0).passedMicros()).hasValue(10);
        assertThat(votes.count(servers(5), 0).passedMicros()).hasValue(10);
        assertThat(votes.count(servers(6), 0).passedMicros()).isEmpty();
    }

    @Test
    void aServersLastWordCounts() {
        ClockVotes votes = new ClockVotes(LIFE);
        votes.heard("s0", "s0", vote(10), 0);
        votes.heard("s0", "s0", new ClockVote(11, false, "no source"), 1);
        ClockMajority majority = votes.count(servers(1), 2);
        assertThat(majority.passedMicros()).isEqualTo(OptionalLong.empty());
        assertThat(majority.trouble())
                .isEqualTo(
                        "0 of 1 clocks are known to be synchronised, 1 are needed: s0 is not"
                                + " synchronised (no source)");
        votes.heard("s0", "s0", vote(9), 2);
        assertThat(votes.count(servers(1), 2 + LIFE).passedMicros()).hasValue(9);
        assertThat(votes.count(servers(1), 3 + LIFE).trouble())
                .endsWith("s0 has not told its clock for 60 s");
        assertThat(votes.count(servers(2), 2).trouble()).endsWith("s1 has not told its clock");
    }

    @Test
    void aServerThatTwoAddressesLeadToHasOneVote() {
        ClockVotes votes = new ClockVotes(LIFE);
        votes.heard("s0", "s0", vote(10), 0);
        votes.heard("s1", "s2", vote(1_000), 0);
        votes.heard("s2", "s2", vote(1_000), 0);
        ClockMajority majority = votes.count(servers(3), 0);
        assertThat(majority.passedMicros()).as("not what one clock says").hasValue(10);
        assertThat(majority.without()).containsExactly("s2 is answered for by s2, which has voted");
    }

    @Test
    void whoIsNoServerHasNoVote() {
        ClockVotes votes = new ClockVotes(LIFE);
        votes.heard("s0", "s0", vote(10), 0);
        votes.heard("s7", "s7", vote(20), 0);
        votes.heard("s8", "s8", vote(20), 0);
        assertThat(votes.count(servers(3), 0).passedMicros()).isEmpty();
    }
}
