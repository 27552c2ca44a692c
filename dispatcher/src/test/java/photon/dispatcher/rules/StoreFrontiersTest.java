package photon.dispatcher.rules;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StoreFrontiersTest {
    private static final long NOTHING = Long.MIN_VALUE;

    @Test
    void oneThatIsAloneSaysItAll() {
        StoreFrontiers one = new StoreFrontiers(1, 1);
        assertThat(one.all()).isEqualTo(Frontier.unread(NOTHING));
        one.heard(0, Frontier.unread(70));
        assertThat(one.all()).isEqualTo(Frontier.unread(70));
        one.silent(0);
        assertThat(one.all()).isEqualTo(Frontier.unread(FrontierGate.OPEN));
        one.heard(0, Frontier.unread(FrontierGate.OPEN));
        assertThat(one.all()).isEqualTo(Frontier.unread(FrontierGate.OPEN));
    }

    @Test
    void withOneCopyTheLeastAdvancedOfThoseThatAnswerIsWaitedFor() {
        StoreFrontiers three = new StoreFrontiers(3, 1);
        three.heard(0, Frontier.unread(50));
        three.heard(1, Frontier.unread(FrontierGate.OPEN));
        assertThat(three.all()).isEqualTo(Frontier.unread(NOTHING));
        three.heard(2, Frontier.unread(70));
        assertThat(three.all()).isEqualTo(Frontier.unread(50));
        three.silent(0);
        assertThat(three.all()).isEqualTo(Frontier.unread(70));
        three.heard(0, Frontier.unread(60));
        assertThat(three.all()).isEqualTo(Frontier.unread(60));
    }

    /** Each event is kept by another one that has come as far. */
    @Test
    void withTwoCopiesOneStoreMayBeBehindOrAwayButNotTwo() {
        StoreFrontiers three = new StoreFrontiers(3, 2);
        three.heard(0, Frontier.unread(10));
        three.heard(1, Frontier.unread(50));
        three.heard(2, Frontier.unread(70));
        assertThat(three.all()).isEqualTo(Frontier.unread(50));
        three.silent(2);
        assertThat(three.all()).as("that one is away").isEqualTo(Frontier.unread(10));
        three.silent(1);
        assertThat(three.all()).isEqualTo(Frontier.unread(10));
        three.silent(0);
        assertThat(three.all()).isEqualTo(Frontier.unread(FrontierGate.OPEN));
    }

    @Test
    void freshIsWhatIsSoForEachStoreWithABacklog() {
        StoreFrontiers three = new StoreFrontiers(3, 1);
        three.heard(0, new Frontier(10, 400, 900));
        three.heard(1, new Frontier(20, 300, FrontierGate.OPEN));
        three.heard(2, Frontier.unread(FrontierGate.OPEN));
        assertThat(three.all()).isEqualTo(new Frontier(10, 400, 900));
        three.silent(0);
        assertThat(three.all()).isEqualTo(new Frontier(20, 300, FrontierGate.OPEN));
        three.silent(1);
        assertThat(three.all()).isEqualTo(Frontier.unread(FrontierGate.OPEN));
    }

    /** It is behind in all its logs alike, or does not know how to tell them apart. */
    @Test
    void ofAStoreWithoutABacklogFreshEventsWaitLikeOthers() {
        StoreFrontiers two = new StoreFrontiers(2, 1);
        two.heard(0, new Frontier(10, 400, FrontierGate.OPEN));
        two.heard(1, Frontier.unread(500));
        assertThat(two.all()).isEqualTo(new Frontier(10, 400, 500));
        StoreFrontiers copied = new StoreFrontiers(2, 2);
        copied.heard(0, new Frontier(10, 400, FrontierGate.OPEN));
        copied.heard(1, Frontier.unread(500));
        assertThat(copied.all()).isEqualTo(new Frontier(500, 400, FrontierGate.OPEN));
    }
}
