package photon.dispatcher.rules;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StoreFrontiersTest {
    private static final long NOTHING = Long.MIN_VALUE;

    @Test
    void oneThatIsAloneSaysItAll() {
        StoreFrontiers one = new StoreFrontiers(1, 1);
        assertThat(one.unreadFrom()).isEqualTo(NOTHING);
        one.heard(0, 70);
        assertThat(one.unreadFrom()).isEqualTo(70);
        one.silent(0);
        assertThat(one.unreadFrom()).isEqualTo(FrontierGate.OPEN);
        one.heard(0, FrontierGate.OPEN);
        assertThat(one.unreadFrom()).isEqualTo(FrontierGate.OPEN);
    }

    @Test
    void withOneCopyTheLeastAdvancedOfThoseThatAnswerIsWaitedFor() {
        StoreFrontiers three = new StoreFrontiers(3, 1);
        three.heard(0, 50);
        three.heard(1, FrontierGate.OPEN);
        assertThat(three.unreadFrom()).isEqualTo(NOTHING);
        three.heard(2, 70);
        assertThat(three.unreadFrom()).isEqualTo(50);
        three.silent(0);
        assertThat(three.unreadFrom()).isEqualTo(70);
        three.heard(0, 60);
        assertThat(three.unreadFrom()).isEqualTo(60);
    }

    /** Each event is kept by another one that has come as far. */
    @Test
    void withTwoCopiesOneStoreMayBeBehindOrAwayButNotTwo() {
        StoreFrontiers three = new StoreFrontiers(3, 2);
        three.heard(0, 10);
        three.heard(1, 50);
        three.heard(2, 70);
        assertThat(three.unreadFrom()).isEqualTo(50);
        three.silent(2);
        assertThat(three.unreadFrom()).as("that one is away").isEqualTo(10);
        three.silent(1);
        assertThat(three.unreadFrom()).isEqualTo(10);
        three.silent(0);
        assertThat(three.unreadFrom()).isEqualTo(FrontierGate.OPEN);
    }
}
