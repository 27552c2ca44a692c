package photon.joiner.rules;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import photon.core.share.EventStoreShares;

/** Which event store is asked next, as a transcript. */
class StoreRoutesTest {
    private static final EventStoreShares SHARES = new EventStoreShares(List.of("a", "b", "c"), 2);

    private final StoreRoutes routes = new StoreRoutes(SHARES);
    private final StringBuilder story = new StringBuilder();
    private long now = 1_000_000_000_000L;
    private int keys;

    /** A key whose stores are these, in this order. */
    private ByteString key(int first, int second) {
        while (true) {
            ByteString key = ByteString.copyFromUtf8("page-" + keys++);
            if (Arrays.equals(SHARES.owners(key), new int[] {first, second})) {
                return key;
            }
        }
    }

    private int ask(ByteString key, long asked, boolean looked) {
        int next = routes.next(key, asked, looked, now);
        story.append(next == StoreRoutes.NONE ? "-" : SHARES.names().get(next));
        return next;
    }

    private void later(Duration time) {
        now += time.toNanos();
        story.append(' ');
    }

    @Test
    void theFirstIsAskedThenTheSecondThenNobody() {
        ByteString key = key(1, 0);
        ask(key, 0, false);
        ask(key, 0b010, false);
        ask(key, 0b011, false);
        ask(key, 0b010, true);
        assertThat(story.toString()).isEqualTo("ba-a");
    }

    @Test
    void oneThatFailedIsAskedLastUntilOneEventHasTriedIt() {
        assertThat(routes.failed(0, now)).isTrue();
        assertThat(routes.failed(0, now)).isFalse();
        ask(key(0, 1), 0, false);
        ask(key(1, 0), 0, false);
        // Its other store has looked: the one that fails adds nothing soon.
        ask(key(0, 1), 0b010, true);
        // Nobody has looked: better this one than none.
        ask(key(0, 1), 0b010, false);
        later(StoreRoutes.AVOIDED.minusMillis(1));
        ask(key(0, 1), 0, false);
        later(Duration.ofMillis(1));
        ask(key(0, 1), 0, false);
        ask(key(0, 1), 0, false);
        ask(key(0, 2), 0, false);
        later(StoreRoutes.ANSWER_MAX);
        ask(key(0, 1), 0, false);
        ask(key(0, 1), 0, false);
        routes.answered(0);
        ask(key(0, 1), 0, false);
        ask(key(0, 2), 0, false);
        assertThat(story.toString()).isEqualTo("bb-a b abc abaa");
    }

    @Test
    void whereAllFailTheFirstIsTriedAllTheSame() {
        for (int store = 0; store < 3; store++) {
            assertThat(routes.allFail()).isFalse();
            routes.failed(store, now);
        }
        assertThat(routes.allFail()).isTrue();
        ByteString key = key(2, 1);
        ask(key, 0, false);
        ask(key, 0b100, false);
        ask(key, 0b110, false);
        assertThat(story.toString()).isEqualTo("cb-");
    }

    @Test
    void oneThatIsAloneIsAskedOnceHoweverItFails() {
        StoreRoutes alone = new StoreRoutes(EventStoreShares.ofOne("a"));
        assertThat(alone.isOne()).isTrue();
        alone.failed(0, now);
        assertThat(alone.next(ByteString.EMPTY, 0, false, now)).isZero();
        assertThat(alone.next(ByteString.EMPTY, 1, false, now)).isEqualTo(StoreRoutes.NONE);
    }
}
