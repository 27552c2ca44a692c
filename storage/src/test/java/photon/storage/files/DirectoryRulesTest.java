package photon.storage.files;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import photon.storage.files.DirectoryRules.Candidate;
import photon.storage.files.DirectoryRules.Known;

class DirectoryRulesTest {
    private static final long SECOND = 1_000_000_000L;
    private static final int DIRECTORIES = 200;

    private final TreeMap<String, Known> known = new TreeMap<>();
    private boolean exact = true;
    private final TreeMap<String, Long> millis = new TreeMap<>();
    private long now = 7 * SECOND;

    @Test
    void allAreListedUntilAListingKnewTheirTime() {
        directories(DIRECTORIES, 1_000);
        assertThat(look()).hasSize(DIRECTORIES);
        assertThat(look()).as("what came in the millisecond of the first").hasSize(DIRECTORIES);
        assertThat(look()).hasSizeLessThan(5);
    }

    @Test
    void whatStandsStillIsListedOnceAMinute() {
        directories(DIRECTORIES, 1_000);
        look();
        look();
        TreeMap<String, Integer> times = new TreeMap<>();
        int listings = 0;
        for (int i = 0; i < 600; i++) {
            Set<String> listed = look();
            listed.forEach(each -> times.merge(each, 1, Integer::sum));
            listings += listed.size();
            assertThat(listed).as("no burst").hasSizeLessThan(20);
        }
        assertThat(times).hasSize(DIRECTORIES);
        assertThat(times.values()).allMatch(count -> count >= 7);
        assertThat(listings / 600.0).as("a second").isLessThan(6);
    }

    @Test
    void aDirectoryWhoseTimeMovesIsListedAtOnceAndOnceMore() {
        directories(DIRECTORIES, 1_000);
        look();
        look();
        look();
        millis.put("d150", 2_000L);
        assertThat(look()).contains("d150");
        assertThat(look()).contains("d150");
    }

    @Test
    void aDirectoryWithAFileThatIsBeingWrittenIsListedInEachLook() {
        directories(DIRECTORIES, 1_000);
        look();
        look();
        Known before = requireNonNull(known.get("d003"));
        known.put(
                "d003",
                new Known(
                        before.millis(),
                        before.settled(),
                        before.listedNanos(),
                        before.changedNanos(),
                        true));
        for (int i = 0; i < 10; i++) {
            assertThat(DirectoryRules.toList(candidates(), now += SECOND)).contains("d003");
        }
    }

    @Test
    void whereNoTimeIsKnownItIsListedMoreSeldomTheLongerItStandsStill() {
        directories(40, -1);
        look();
        List<Integer> eachMinute = new ArrayList<>();
        for (int minute = 0; minute < 12; minute++) {
            int listings = 0;
            for (int second = 0; second < 60; second++) {
                listings += look().size();
            }
            eachMinute.add(listings);
        }
        // The two newest each second, and of the others each once a minute in the end.
        assertThat(eachMinute.get(0)).isGreaterThan(200);
        assertThat(eachMinute.get(11)).isBetween(60 * 2 + 38, 60 * 2 + 40 + 3);
    }

    /** The time of its parent, say: what changes in the directory itself does not move it. */
    @Test
    void whereTheTimeIsAnotherOnesItIsListedAsWhereNoneIsKnown() {
        directories(40, 1_000);
        exact = false;
        look();
        look();
        int listings = 0;
        for (int second = 0; second < 60; second++) {
            listings += look().size();
        }
        assertThat(listings).isGreaterThan(200);
        millis.put("d015", 2_000L);
        assertThat(look()).contains("d015");
    }

    private void directories(int count, long time) {
        for (int i = 0; i < count; i++) {
            millis.put("d%03d".formatted(i), time);
        }
    }

    private List<Candidate<String>> candidates() {
        List<Candidate<String>> candidates = new ArrayList<>();
        millis.forEach(
                (name, time) ->
                        candidates.add(new Candidate<>(name, time, exact, known.get(name))));
        return candidates;
    }

    /** A second later; nothing in any of them has changed. */
    private Set<String> look() {
        now += SECOND;
        Set<String> listed = DirectoryRules.toList(candidates(), now);
        for (String name : listed) {
            Known before = known.get(name);
            long time = requireNonNull(millis.get(name));
            known.put(
                    name,
                    new Known(
                            time,
                            before != null && before.millis() == time,
                            now,
                            before == null ? now : before.changedNanos(),
                            false));
        }
        return new TreeSet<>(listed);
    }
}
