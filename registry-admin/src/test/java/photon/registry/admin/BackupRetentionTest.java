package photon.registry.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import photon.registry.admin.BackupRetention.Found;

final class BackupRetentionTest {
    private static final Instant NOW = Instant.parse("2026-01-05T02:00:00.999Z");
    private static final String MADE = "photon-20260105T020000Z";

    private static String day(int day) {
        return "photon-202601%02dT020000Z".formatted(day);
    }

    private static List<Found> whole(String... names) {
        return java.util.Arrays.stream(names).map(name -> new Found(name, true)).toList();
    }

    private static BackupRetention of(int keep, String... names) {
        return BackupRetention.of(MADE, whole(names), keep);
    }

    @Test
    void theOldestAreDeletedFirstUntilSoManyAreLeft() {
        BackupRetention retention = of(3, day(2), MADE, day(4), day(1), day(3));
        assertThat(retention.kept()).containsExactly(MADE, day(4), day(3));
        assertThat(retention.deleted()).containsExactly(day(1), day(2));
        assertThat(of(5, day(4), day(3), MADE).deleted()).isEmpty();
        assertThat(of(1, day(4), day(3), MADE).deleted()).containsExactly(day(3), day(4));
        assertThat(of(1).kept()).as("alone").containsExactly(MADE);
        assertThatThrownBy(() -> of(0, day(1))).isInstanceOf(IllegalArgumentException.class);
    }

    /** Else a week of damaged ones would push out the last good one. */
    @Test
    void aDamagedOneNeitherCountsNorIsDeleted() {
        BackupRetention retention =
                BackupRetention.of(
                        MADE,
                        List.of(
                                new Found(day(4), false),
                                new Found(day(3), true),
                                new Found(day(2), false),
                                new Found(day(1), true)),
                        2);
        assertThat(retention.kept()).containsExactly(MADE, day(3));
        assertThat(retention.deleted()).containsExactly(day(1));
        assertThat(retention.damaged()).containsExactly(day(4), day(2));
    }

    /** The one just made is never the oldest, and those that seem to be of the future stay. */
    @Test
    void aClockThatGoesBackDeletesNothingThatIsNewer() {
        BackupRetention retention = of(1, day(4), day(6), day(7));
        assertThat(retention.kept()).containsExactly(MADE);
        assertThat(retention.later()).containsExactly(day(7), day(6));
        assertThat(retention.deleted()).containsExactly(day(4));

        String longAgo = "photon-19700101T000000Z";
        BackupRetention behind =
                BackupRetention.of(longAgo, whole(day(1), day(2), day(3), longAgo), 1);
        assertThat(behind.kept()).containsExactly(longAgo);
        assertThat(behind.deleted()).isEmpty();
    }

    @Test
    void everyOneIsInOneListAndTheNewOneIsKept() {
        Random random = new Random(7);
        for (int run = 0; run < 2_000; run++) {
            List<Found> found = new ArrayList<>();
            Set<String> names = new HashSet<>(Set.of(MADE));
            for (int day = 1; day <= 28; day++) {
                if (day != 5 && random.nextInt(3) == 0) {
                    found.add(new Found(day(day), random.nextInt(4) > 0));
                    names.add(day(day));
                }
            }
            int keep = 1 + random.nextInt(6);
            BackupRetention retention = BackupRetention.of(MADE, found, keep);
            List<String> all = new ArrayList<>(retention.kept());
            all.addAll(retention.deleted());
            all.addAll(retention.later());
            all.addAll(retention.damaged());
            assertThat(all).containsExactlyInAnyOrderElementsOf(names);
            assertThat(retention.kept()).contains(MADE).hasSizeLessThanOrEqualTo(keep);
            assertThat(retention.deleted().isEmpty() || retention.kept().size() == keep).isTrue();
        }
    }

    @Test
    void aNameThatIsTakenIsNotGivenAgain() {
        assertThat(BackupNames.next(NOW, Set.of())).isEqualTo(MADE);
        assertThat(BackupNames.next(NOW, Set.of(MADE, "photon-20260105T020001Z")))
                .isEqualTo("photon-20260105T020002Z");
        assertThatThrownBy(() -> BackupNames.next(Instant.MAX, Set.of()))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void onlyNamesOfOurFormAreOurs() {
        assertThat(BackupNames.isBackup(MADE)).isTrue();
        assertThat(BackupNames.isRemnant(MADE)).isFalse();
        for (String ours : List.of(BackupNames.partial(MADE), BackupNames.deleted(MADE))) {
            assertThat(BackupNames.isRemnant(ours)).as(ours).isTrue();
            assertThat(BackupNames.isBackup(ours)).as(ours).isFalse();
        }
        for (String other :
                List.of(
                        "monday",
                        "photon-",
                        "photon-20261399T020000Z",
                        "photon-20260230T020000Z",
                        "photon-20260105T020000",
                        MADE + "-copy",
                        "old-" + MADE,
                        "photon-monday.partial",
                        MADE + ".partial.partial",
                        ".partial",
                        "")) {
            assertThat(BackupNames.isBackup(other)).as(other).isFalse();
            assertThat(BackupNames.isRemnant(other)).as(other).isFalse();
        }
    }
}
