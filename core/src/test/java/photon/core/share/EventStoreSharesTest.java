package photon.core.share;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class EventStoreSharesTest {
    private static final int KEYS = 20_000;

    private static ByteString key(int number) {
        return ByteString.copyFromUtf8("query-" + number);
    }

    private static List<String> stores(int count) {
        return IntStream.range(0, count).mapToObj(i -> "eventstore-" + i).toList();
    }

    private static List<String> owners(EventStoreShares shares, ByteString key) {
        return Arrays.stream(shares.owners(key)).mapToObj(shares.names()::get).toList();
    }

    @Test
    void eachKeyHasAsManyOwnersAsCopiesAndTheyKnowIt() {
        for (int count = 1; count <= 7; count++) {
            for (int copies = 1; copies <= count; copies++) {
                EventStoreShares shares = new EventStoreShares(stores(count), copies);
                for (int i = 0; i < 500; i++) {
                    int[] owners = shares.owners(key(i));
                    assertThat(owners).hasSize(copies).doesNotHaveDuplicates();
                    for (int store = 0; store < count; store++) {
                        int one = store;
                        assertThat(shares.owns(store, key(i)))
                                .isEqualTo(Arrays.stream(owners).anyMatch(o -> o == one));
                    }
                }
            }
        }
    }

    @Test
    void sharesAndFirstChoicesAreEven() {
        for (int count = 2; count <= 9; count++) {
            EventStoreShares shares = new EventStoreShares(stores(count), 2);
            int[] kept = new int[count];
            int[] first = new int[count];
            for (int i = 0; i < KEYS; i++) {
                int[] owners = shares.owners(key(i));
                Arrays.stream(owners).forEach(o -> kept[o]++);
                first[owners[0]]++;
            }
            for (int store = 0; store < count; store++) {
                assertThat(kept[store])
                        .isBetween(2 * KEYS / count * 9 / 10, 2 * KEYS / count * 11 / 10);
                assertThat(first[store]).isBetween(KEYS / count * 9 / 10, KEYS / count * 11 / 10);
            }
        }
    }

    @Test
    void aStoreThatJoinsTakesItsShareAndMovesNothingElse() {
        EventStoreShares before = new EventStoreShares(stores(4), 2);
        EventStoreShares after = new EventStoreShares(stores(5), 2);
        int moved = 0;
        for (int i = 0; i < KEYS; i++) {
            List<String> now = owners(after, key(i));
            List<String> others = new ArrayList<>(owners(before, key(i)));
            if (now.contains("eventstore-4")) {
                moved++;
                others.remove(1);
                List<String> rest = new ArrayList<>(now);
                rest.remove("eventstore-4");
                assertThat(rest).isEqualTo(others);
            } else {
                assertThat(now).isEqualTo(others);
            }
        }
        assertThat(moved).isBetween(KEYS * 2 / 5 * 9 / 10, KEYS * 2 / 5 * 11 / 10);
    }

    @Test
    void theOrderOfTheListDoesNotMatter() {
        EventStoreShares one = new EventStoreShares(List.of("a", "b", "c"), 2);
        EventStoreShares other = new EventStoreShares(List.of("c", "a", "b"), 2);
        for (int i = 0; i < 1_000; i++) {
            assertThat(owners(one, key(i))).isEqualTo(owners(other, key(i)));
        }
    }

    /** Another version that chose otherwise would look for events where they are not. */
    @Test
    void theChoiceIsTheSameForEver() {
        assertThat(EventStoreShares.hash(ByteString.EMPTY)).isEqualTo(-2152535657050944081L);
        assertThat(EventStoreShares.hash(key(7))).isEqualTo(6642762652795493753L);
        EventStoreShares shares = new EventStoreShares(stores(5), 2);
        StringBuilder chosen = new StringBuilder();
        IntStream.range(0, 16).forEach(i -> chosen.append(shares.owners(key(i))[0]));
        assertThat(chosen.toString()).isEqualTo("2334122301232234");
    }

    @Test
    void whatCannotBeIsABug() {
        assertThatThrownBy(() -> new EventStoreShares(List.of(), 1))
                .hasMessageContaining("1 to 64");
        assertThatThrownBy(() -> new EventStoreShares(List.of("a", "a"), 1))
                .hasMessageContaining("once");
        assertThatThrownBy(() -> new EventStoreShares(List.of("a", "b"), 3))
                .hasMessageContaining("copies");
    }

    private static StoreShare share(String name, int copies, String... names) {
        return new StoreShare(new EventStoreShares(List.of(names), copies), name);
    }

    /**
     * Of all lists of five stores, both ways: what is said to be held is, and little more is not.
     */
    @Test
    void whatAShareIsSaidToHoldItHolds() {
        List<StoreShare> all = new ArrayList<>();
        all.add(StoreShare.WHOLE);
        String[] names = {"a", "b", "c", "d", "e"};
        for (int among = 1; among < 32; among++) {
            TreeSet<String> some = new TreeSet<>();
            for (int i = 0; i < names.length; i++) {
                if ((among >> i & 1) == 1) {
                    some.add(names[i]);
                }
            }
            for (int copies = 1; copies <= some.size(); copies++) {
                if (some.contains("a")) {
                    all.add(share("a", copies, some.toArray(String[]::new)));
                }
            }
        }
        for (StoreShare before : all) {
            for (StoreShare now : all) {
                boolean holds =
                        IntStream.range(0, 2_000)
                                .allMatch(i -> !now.holds(key(i)) || before.holds(key(i)));
                assertThat(before.holdsAllOf(now)).as("%s, then %s", before, now).isEqualTo(holds);
            }
        }
    }

    @Test
    void aStoreThatIsAddedLeavesTheOthersWhatTheyHave() {
        assertThat(share("a", 2, "a", "b").holdsAllOf(share("a", 2, "a", "b", "c"))).isTrue();
        assertThat(share("a", 2, "a", "b", "c").holdsAllOf(share("a", 2, "a", "b", "c", "d")))
                .isTrue();
        assertThat(share("a", 2, "a", "b", "c").holdsAllOf(share("a", 2, "a", "b"))).isFalse();
        assertThat(share("a", 1, "a", "b", "c").holdsAllOf(share("a", 2, "a", "b", "c"))).isFalse();
        assertThat(share("b", 1, "a", "b").holdsAllOf(share("a", 1, "a", "b"))).isFalse();
        assertThat(StoreShare.WHOLE.holdsAllOf(share("a", 1, "a", "b"))).isTrue();
    }

    @Test
    void aShareIsItsText() {
        StoreShare share = share("b", 2, "c", "b", "a");
        assertThat(share.text()).isEqualTo("b/2/a,b,c");
        StoreShare read = StoreShare.parse(share.text()).orElseThrow();
        assertThat(read.text()).isEqualTo(share.text());
        assertThat(read.holdsAllOf(share) && share.holdsAllOf(read)).isTrue();
        for (String wrong : List.of("", "a", "a/2/b,c", "a/3/a,b", "a/0/a", "a/1/a,a", "a/1/a b")) {
            assertThat(StoreShare.parse(wrong)).as(wrong).isEmpty();
        }
    }
}
