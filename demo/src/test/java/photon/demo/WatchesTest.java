package photon.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import photon.core.id.EventId;
import photon.core.id.UserKey;
import photon.testbed.process.ProcessName;

/** Counts over lives, lag by counts, and what is overdue. */
class WatchesTest {
    private static final ProcessName JOINER = new ProcessName("east", "joiner", "joiner-0");
    private static final ProcessName OTHER = new ProcessName("west", "joiner", "joiner-0");

    @Test
    void whatAProcessCountsFromZeroAfterItsDeathIsAdded() {
        LifetimeCounts counts = new LifetimeCounts();
        assertThat(counts.total("joined")).isZero();
        counts.observe("joined", JOINER, 10);
        counts.observe("joined", JOINER, 25);
        counts.observe("joined", OTHER, 100);
        counts.observe("joined", JOINER, 3); // another life
        counts.observe("joined", JOINER, 4);
        counts.observe("read", JOINER, 7);
        assertThat(counts.total("joined")).isEqualTo(25 + 100 + 4);
        assertThat(counts.total("read")).isEqualTo(7);
        assertThat(counts.total("joined", JOINER)).isEqualTo(25 + 4);
        assertThat(counts.total("read", OTHER)).isZero();
    }

    @Test
    void lagIsTheAgeOfTheFirstLookAtWhichMoreWasWrittenThanIsRead() {
        LagWatch lag = new LagWatch();
        assertThat(lag.observe("east", 0, 0, 0)).isZero();
        assertThat(lag.observe("east", 100, 50, 0)).isZero(); // as of the look before
        assertThat(lag.observe("east", 200, 80, 50)).isZero();
        assertThat(lag.observe("east", 300, 120, 50)).isEqualTo(100);
        assertThat(lag.observe("east", 400, 150, 80)).isEqualTo(100);
        assertThat(lag.observe("east", 500, 150, 80)).isEqualTo(200);
        assertThat(lag.observe("west", 500, 150, 0)).isZero(); // each reader by itself
        assertThat(lag.observe("east", 600, 150, 150)).isZero();
    }

    @Test
    void anEventIsOverdueFromItsTimeOnUntilItIsPublished() {
        OverdueWatch overdue = new OverdueWatch(1_000);
        EventId first = EventId.ofUser(1, UserKey.of(List.of("a")));
        EventId second = EventId.ofUser(2, UserKey.of(List.of("b")));
        Set<EventId> published = new HashSet<>();
        overdue.expect(first, 0);
        overdue.expect(second, 500);
        assertThat(overdue.count(999, published::contains)).isZero();
        assertThat(overdue.count(1_000, published::contains)).isEqualTo(1);
        assertThat(overdue.count(1_500, published::contains)).isEqualTo(2);
        published.add(first);
        assertThat(overdue.count(1_600, published::contains)).isEqualTo(1);
        published.add(second);
        assertThat(overdue.count(1_700, published::contains)).isZero();
    }
}
