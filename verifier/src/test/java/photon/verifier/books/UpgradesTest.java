package photon.verifier.books;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.verifier.source.MemoryLogs;

/** Events that were joined without their primary event, and once more with it. */
class UpgradesTest {
    private static final EventId EVENT = new EventId(1, 1, 1, 1);
    private static final EventId OTHER = new EventId(2, 2, 2, 2);

    private final MemoryLogs logs = new MemoryLogs();
    private final FakeDatacenter east = new FakeDatacenter("east");
    private final FakeDatacenter west = new FakeDatacenter("west");

    @BeforeEach
    void readAll() {
        logs.append("clicks", EVENT);
        logs.append("clicks", OTHER);
        logs.append("clicks", EVENT); // again
        east.readUpTo(logs.position("clicks", 1_000));
        west.readUpTo(logs.position("clicks", 1_000));
        east.joined(OTHER);
    }

    private Books books() throws IOException {
        return Bookkeeper.read(List.of(east, west), logs, () -> 0, Long.MIN_VALUE).books();
    }

    private void joinedWithout() {
        east.output.publish(EVENT, new CommitToken(9, 1, 1).asUnmatched(), 1);
    }

    @Test
    void anUpgradeIsNoEventOfItsOwn() throws IOException {
        joinedWithout();
        west.joined(EVENT.upgrade());
        Books books = books();
        assertThat(books.balanced()).isTrue();
        assertThat(books.foreignEvents()).isEqualTo(2);
        assertThat(books.joined()).isEqualTo(2);
        assertThat(books.upgraded()).isEqualTo(1);
        assertThat(books.byDatacenter().values().stream().mapToLong(Books.Datacenter::joined))
                .containsExactly(2L, 0L);
    }

    /** Its output may not be published yet, or was lost and waits for its repair. */
    @Test
    void anUpgradeMayStandBeforeItsEvent() throws IOException {
        west.joined(EVENT.upgrade());
        Books books = books();
        assertThat(books.duplicates()).isZero();
        assertThat(books.invented()).isZero();
        assertThat(books.unaccounted()).isEqualTo(1);
    }

    @Test
    void anEventThatIsMatchedAndUpgradedIsADuplicate() throws IOException {
        east.joined(EVENT);
        west.joined(EVENT.upgrade());
        Books books = books();
        assertThat(books.duplicates()).isEqualTo(1);
        assertThat(books.samples().duplicates()).hasSize(1);
        assertThat(books.balanced()).isFalse();
    }

    @Test
    void twoUpgradesOfAnEventAreADuplicate() throws IOException {
        joinedWithout();
        east.joined(EVENT.upgrade());
        west.joined(EVENT.upgrade());
        assertThat(books().duplicates()).isEqualTo(1);
        assertThat(books().upgraded()).isEqualTo(1);
    }

    @Test
    void anUpgradeWithoutAnEventIsInvented() throws IOException {
        west.joined(new EventId(3, 3, 3, 3).upgrade());
        Books books = books();
        assertThat(books.invented()).isEqualTo(1);
        assertThat(books.alarms()).singleElement().asString().contains("not in the foreign logs");
    }
}
