package photon.dispatcher.rules;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import photon.dispatcher.rules.ResetPlan.Facts;
import photon.dispatcher.rules.ResetPlan.Fate;
import photon.dispatcher.rules.ResetPlan.FileReset;
import photon.storage.files.FileStore.FileInfo;
import photon.storage.tail.Checkpoint;
import photon.storage.tail.CheckpointHistory;
import photon.storage.tail.FilePosition;

class ResetPlanTest {
    private static final long HOUR = 3_600_000;
    private static final long NOW = 1_000 * HOUR;
    private static final long NO_BOUNDARY = Long.MIN_VALUE;

    private final Map<String, FileInfo> there = new HashMap<>();
    private final Map<String, FilePosition> ends = new HashMap<>();
    private Optional<Set<String>> chosen = Optional.empty();
    private Optional<CheckpointHistory.Entry> asOf = Optional.empty();
    private long boundaryMicros = NO_BOUNDARY;

    private static FilePosition position(int file, long offset) {
        return new FilePosition("/logs/" + file, "1:" + file, 5, "aa", offset, NOW);
    }

    private void there(int file, long modifiedMillis) {
        String key = "1:" + file;
        there.put(key, new FileInfo("/logs/" + file, key, 9_999, false, modifiedMillis));
    }

    private ResetPlan plan(ResetTarget target, FilePosition... positions) {
        Checkpoint checkpoint = new Checkpoint(3, List.of(positions));
        return ResetPlan.of(
                target, new Facts(checkpoint, there, chosen, asOf, ends, boundaryMicros));
    }

    private static ResetTarget time(long millis) {
        return ResetTarget.parse(Instant.ofEpochMilli(millis).toString()).orElseThrow();
    }

    @Test
    void targetsAreReadAsTheyAreWritten() {
        assertThat(ResetTarget.parse("earliest")).contains(ResetTarget.EARLIEST);
        assertThat(ResetTarget.parse("latest")).contains(ResetTarget.LATEST);
        assertThat(ResetTarget.parse("2026-11-26T10:00:00+02:00").orElseThrow())
                .hasToString("2026-11-26T08:00:00Z");
        for (String wrong : List.of("", "yesterday", "2026-11-26", "Earliest", "12")) {
            assertThat(ResetTarget.parse(wrong)).as(wrong).isEmpty();
        }
    }

    @Test
    void toTheEarliestEachLogThatIsThereGoesToItsStart() {
        there(1, NOW);
        there(2, NOW);
        ResetPlan plan =
                plan(ResetTarget.EARLIEST, position(1, 10), position(2, 0), position(3, 30));
        assertThat(plan.resets())
                .containsExactly(
                        new FileReset(position(1, 10), position(1, 0), Fate.BACK),
                        new FileReset(position(2, 0), position(2, 0), Fate.STAYS),
                        new FileReset(position(3, 30), position(3, 30), Fate.AWAY));
        assertThat(plan.positions())
                .containsExactly(position(1, 0), position(2, 0), position(3, 30));
        assertThat(plan.changesNothing()).isFalse();
        assertThat(plan.of(Fate.BACK).get(0).bytes()).isEqualTo(10);
    }

    /** Compressed meanwhile, it would be read on where the log was read to. */
    @Test
    void aLogThatNoCheckpointKnowsIsToBeReadFromItsStart() {
        there(1, NOW);
        there(2, NOW);
        there(3, NOW);
        chosen = Optional.of(Set.of("1:1", "1:2"));
        ResetPlan plan = plan(ResetTarget.EARLIEST, position(1, 10), position(4, 5));
        assertThat(plan.positions())
                .containsExactly(
                        position(1, 0),
                        position(4, 5),
                        FilePosition.unread(requireNonNull(there.get("1:2"))));
        assertThat(plan.resets()).extracting(FileReset::after).containsExactly(position(1, 0));
    }

    @Test
    void aLogOfWhichTheBoundaryHasPassedEverythingIsRefused() {
        there(1, NOW - HOUR - 1);
        there(2, NOW - HOUR);
        boundaryMicros = NOW * 1_000;
        ResetPlan plan = plan(ResetTarget.EARLIEST, position(1, 10), position(2, 20));
        assertThat(plan.of(Fate.TOO_OLD))
                .extracting(FileReset::after)
                .containsExactly(position(1, 10));
        assertThat(plan.positions()).containsExactly(position(1, 10), position(2, 0));
    }

    @Test
    void onlyTheLogsThatWereChosenAreReset() {
        there(1, NOW);
        there(2, NOW);
        there(3, NOW);
        chosen = Optional.of(Set.of("1:2"));
        ends.put("1:3", position(3, 30));
        ResetPlan plan = plan(ResetTarget.EARLIEST, position(1, 10), position(2, 20));
        assertThat(plan.resets()).extracting(FileReset::before).containsExactly(position(2, 20));
        assertThat(plan.positions()).containsExactly(position(1, 10), position(2, 0));
        assertThat(plan(ResetTarget.LATEST, position(1, 10)).changesNothing()).isTrue();
    }

    @Test
    void toTheLatestAlsoALogThatWasNeverReadIsSkipped() {
        there(1, NOW);
        there(2, NOW);
        there(3, NOW);
        ends.put("1:1", position(1, 100));
        ends.put("1:3", position(3, 30));
        ResetPlan plan = plan(ResetTarget.LATEST, position(1, 10), position(2, 20));
        assertThat(plan.resets())
                .containsExactly(
                        new FileReset(position(1, 10), position(1, 100), Fate.FORWARD),
                        new FileReset(position(2, 20), position(2, 20), Fate.STAYS),
                        new FileReset(position(3, 0), position(3, 30), Fate.FORWARD));
        assertThat(plan.positions())
                .containsExactly(position(1, 100), position(2, 20), position(3, 30));
    }

    /** What is read in the time between is a gap that nobody would see. */
    @Test
    void toATimeNoLogGoesForward() {
        there(1, NOW);
        there(2, NOW);
        there(3, NOW);
        asOf =
                Optional.of(
                        new CheckpointHistory.Entry(
                                NOW - HOUR, List.of(position(1, 10), position(2, 99))));
        ResetPlan plan = plan(time(NOW - HOUR), position(1, 40), position(2, 50), position(3, 60));
        assertThat(plan.positions())
                .containsExactly(position(1, 10), position(2, 50), position(3, 0));
    }

    @Test
    void toATimeALogStaysThatWasNotWrittenSince() {
        there(1, NOW - 3 * HOUR - 1);
        there(2, NOW - 3 * HOUR);
        ResetPlan plan = plan(time(NOW - 2 * HOUR), position(1, 40), position(2, 50));
        assertThat(plan.positions()).containsExactly(position(1, 40), position(2, 0));
    }

    /** Keys are used again. */
    @Test
    void toATimeAnotherFileOfThatTimeSaysNothingOfThisOne() {
        there(1, NOW);
        FilePosition other = new FilePosition("/logs/old", "1:1", 5, "bb", 30, NOW);
        asOf = Optional.of(new CheckpointHistory.Entry(NOW - HOUR, List.of(other)));
        assertThat(plan(time(NOW - HOUR), position(1, 40)).positions())
                .containsExactly(position(1, 0));
    }
}
