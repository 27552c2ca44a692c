package photon.idregistry.leaders;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import photon.idregistry.leaders.Followers.Follower;

class FollowersTest {
    private static final Followers FOLLOWERS =
            new Followers(
                    List.of(
                            new Follower("well", Followers.LAG_MAX, 1_000),
                            new Follower("behind", Followers.LAG_MAX + 1, 0),
                            new Follower("silent", 0, 1_001),
                            new Follower("unheard", -1, -1),
                            new Follower("best", 0, 0)),
                    1_000);

    @Test
    void onlyWhoFollowsCloselyTakesOverInTheOrderThatIsPreferred() {
        assertThat(
                        FOLLOWERS.successors(
                                List.of("silent", "self", "best", "behind", "unheard", "well")))
                .containsExactly("best", "well");
    }

    @Test
    void itIsSaidWhyAnotherCannot() {
        assertThat(FOLLOWERS.trouble("well")).isEmpty();
        assertThat(FOLLOWERS.trouble("behind"))
                .hasValue("behind lacks 501 entries of the leader's log: expected at most 500");
        assertThat(FOLLOWERS.trouble("silent"))
                .hasValue("silent has not answered the leader for 1001 ms");
        assertThat(FOLLOWERS.trouble("unheard"))
                .hasValue("unheard has not been heard of by the leader");
        assertThat(FOLLOWERS.trouble("stranger"))
                .hasValueSatisfying(
                        why ->
                                assertThat(why)
                                        .contains("stranger is no follower", "expected one of"));
    }
}
