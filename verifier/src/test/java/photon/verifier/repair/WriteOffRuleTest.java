package photon.verifier.repair;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import photon.storage.tail.FilePosition;
import photon.storage.tail.GoneFiles;
import photon.verifier.repair.WriteOffRule.Look;
import photon.verifier.repair.WriteOffRule.Named;
import photon.verifier.repair.WriteOffRule.Terms;
import photon.verifier.repair.WriteOffRule.Verdict;

final class WriteOffRuleTest {
    private static final long NOW_MILLIS = Duration.ofDays(100).toMillis();
    private static final Look NOTHING_IN_THE_WAY =
            new Look(List.of(), Optional.empty(), List.of(), GoneFiles.NONE, List.of(), NOW_MILLIS);
    private static final Look DIRECTORY_AWAY =
            new Look(
                    List.of("/logs"),
                    Optional.empty(),
                    List.of(),
                    GoneFiles.NONE,
                    List.of(),
                    NOW_MILLIS);

    private final WriteOffRule rule =
            new WriteOffRule(new Terms(Duration.ofHours(1), Optional.of(Duration.ofDays(3))), 0);

    private Verdict lookAt(Look look, int minute) {
        long nanos = Duration.ofMinutes(minute).toNanos();
        return rule.judge(look, nanos, nanos);
    }

    /** Looks at 0 and at 60 minutes; what stands in the way is there in one of them, or both. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            textBlock =
                    """
                    # read to | modified, days ago | of 100 bytes that the dispatcher has read; the rest is said
                    100 |  1 | -           | true
                    250 |  1 | -           | true
                    99  |  1 | -           | false
                    99  |  4 | -           | true
                    -1  |  1 | -           | false
                    -1  |  2 | -           | false
                    -1  |  4 | -           | true
                    -1  | 100 | -          | false
                    100 |  1 | directory   | false
                    -1  |  4 | directory   | false
                    100 |  1 | unreadable  | false
                    100 |  1 | checkpoint  | false
                    100 |  1 | gone        | false
                    -1  |  4 | gone        | true
                    """)
    void allConditionsHaveToHold(long readTo, long daysAgo, String inTheWay, boolean writtenOff) {
        long modified = NOW_MILLIS - Duration.ofDays(daysAgo).toMillis(); // 0: not known
        FilePosition position = new FilePosition("/logs/a", "1", 100, "x", 100, modified);
        Look look =
                new Look(
                        "directory".equals(inTheWay) ? List.of("/logs") : List.of(),
                        "checkpoint".equals(inTheWay)
                                ? Optional.of(new UUID(1, 2))
                                : Optional.empty(),
                        List.of(new Named(position, readTo)),
                        "gone".equals(inTheWay) ? GoneFiles.NONE.and(position) : GoneFiles.NONE,
                        "unreadable".equals(inTheWay) ? List.of("/logs/b: torn") : List.of(),
                        NOW_MILLIS);
        assertThat(lookAt(look, 0).writeOff()).as("after one look").isFalse();
        Verdict last = lookAt(look, 60);
        assertThat(last.writeOff()).isEqualTo(writtenOff);
        assertThat(last.obstacle().isEmpty()).isEqualTo(writtenOff);
    }

    @Test
    void theTimeIsWholeAndToldAsItPasses() {
        assertThat(lookAt(NOTHING_IN_THE_WAY, 5).left()).isEqualTo(Duration.ofHours(1));
        assertThat(lookAt(NOTHING_IN_THE_WAY, 64))
                .isEqualTo(new Verdict(false, "", Duration.ofMinutes(1)));
        assertThat(lookAt(NOTHING_IN_THE_WAY, 65).writeOff()).isTrue();
    }

    @Test
    void oneLookWithSomethingInTheWayStartsTheTimeAnew() {
        lookAt(NOTHING_IN_THE_WAY, 0);
        assertThat(lookAt(DIRECTORY_AWAY, 30))
                .isEqualTo(
                        new Verdict(
                                false, "the directory /logs is not there", Duration.ofHours(1)));
        assertThat(lookAt(NOTHING_IN_THE_WAY, 61).writeOff()).isFalse();
        assertThat(lookAt(NOTHING_IN_THE_WAY, 120).writeOff()).isFalse();
        assertThat(lookAt(NOTHING_IN_THE_WAY, 121).writeOff()).isTrue();
    }

    /** What it has seen is as old as its beginning. */
    @Test
    void aLookThatSleepsConcludesNothingFromItsSleep() {
        lookAt(NOTHING_IN_THE_WAY, 0);
        long begin = Duration.ofMinutes(1).toNanos();
        long end = Duration.ofHours(9).toNanos();
        assertThat(rule.judge(NOTHING_IN_THE_WAY, begin, end).writeOff()).isFalse();
        assertThat(rule.judge(NOTHING_IN_THE_WAY, end, end).writeOff()).isTrue();
    }

    @Test
    void withUnlimitedRetentionNoFileIsTooOldToBeThere() {
        WriteOffRule keepsAll =
                new WriteOffRule(new Terms(Duration.ofSeconds(1), Optional.empty()), 0);
        Look look =
                new Look(
                        List.of(),
                        Optional.empty(),
                        List.of(new Named(new FilePosition("/logs/a", "1", 9, "x", 9, 1), -1)),
                        GoneFiles.NONE,
                        List.of(),
                        NOW_MILLIS);
        keepsAll.judge(look, 0, 0);
        assertThat(keepsAll.judge(look, Long.MAX_VALUE / 2, Long.MAX_VALUE / 2))
                .extracting(Verdict::writeOff, Verdict::obstacle)
                .containsExactly(
                        false,
                        "the file /logs/a is not there, of which the dispatcher has read 9 bytes");
    }

    /** What it had read, nobody knows: a file that nothing names may be away. */
    @ParameterizedTest
    @CsvSource({"2, false", "4, true"})
    void afterALostStateNothingIsWrittenOffWithinTheRetention(int daysAgo, boolean writtenOff) {
        long lostMillis = NOW_MILLIS - Duration.ofDays(daysAgo).toMillis();
        WriteOffRule afterLoss =
                new WriteOffRule(
                        new Terms(Duration.ofHours(1), Optional.of(Duration.ofDays(3))),
                        TimeUnit.MILLISECONDS.toMicros(lostMillis));
        afterLoss.judge(NOTHING_IN_THE_WAY, 0, 0);
        long later = Duration.ofHours(2).toNanos();
        Verdict verdict = afterLoss.judge(NOTHING_IN_THE_WAY, later, later);
        assertThat(verdict.writeOff()).isEqualTo(writtenOff);
        assertThat(verdict.obstacle())
                .isEqualTo(
                        writtenOff
                                ? ""
                                : "the dispatcher's state was lost at 1970-04-09T00:00:00Z, and a file"
                                        + " that it had read may be away");
    }

    @Test
    void manyThingsInTheWayAreToldInPart() {
        List<String> directories = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            directories.add("/logs" + i);
        }
        Look look =
                new Look(
                        directories,
                        Optional.empty(),
                        List.of(),
                        GoneFiles.NONE,
                        List.of(),
                        NOW_MILLIS);
        assertThat(lookAt(look, 0).obstacle())
                .contains("/logs2", "and 2 more")
                .doesNotContain("/logs3");
    }
}
