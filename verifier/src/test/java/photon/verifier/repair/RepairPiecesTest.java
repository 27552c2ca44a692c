package photon.verifier.repair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static photon.verifier.repair.RepairWorld.DEAD;
import static photon.verifier.repair.RepairWorld.LIVE;
import static photon.verifier.repair.RepairWorld.id;
import static photon.verifier.repair.RepairWorld.token;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import photon.core.error.BugException;
import photon.proto.v1.AddRepairRowsRequest;
import photon.registry.api.ControlClient.Fenced;
import photon.registry.api.ControlClient.ScanPage;
import photon.registry.api.RegistryClient.Commit;
import photon.registry.api.RegistryClient.Shard;
import photon.verifier.source.MemoryLogs;

final class RepairPiecesTest {
    private static final Fenced FIRST = new Fenced(new Shard(0, 0), 4);
    private static final Fenced SECOND = new Fenced(new Shard(0, 1), 5);

    private static ScanPage page(boolean more, int... numbers) {
        List<Commit> held = new ArrayList<>();
        for (int n : numbers) {
            held.add(new Commit(id(n), token(n, DEAD)));
        }
        return new ScanPage(held, more, 0);
    }

    private static List<Integer> taken(HeldScan scan) {
        List<Integer> numbers = new ArrayList<>();
        while (scan.known()) {
            Commit held = scan.next();
            if (held == null) {
                break;
            }
            numbers.add((int) held.token().sequence());
        }
        return numbers;
    }

    @Test
    void groupsAreScannedPageByPageAndTakenAsOneInIdOrder() {
        HeldScan scan = new HeldScan(DEAD, List.of(FIRST, SECOND), 100);
        List<GroupScan> groups = scan.wanting();
        groups.forEach(GroupScan::ask);
        assertThat(scan.wanting()).as("asked once").isEmpty();
        assertThat(groups.get(0).after()).isNull();
        groups.get(0).passed(page(true, 1, 4));
        assertThat(scan.known()).as("the other group may have an earlier one").isFalse();
        groups.get(1).passed(page(false, 2, 9));
        assertThat(taken(scan)).as("the next page may come before 9").containsExactly(1, 2, 4);
        assertThat(scan.wanting()).containsExactly(groups.get(0));
        assertThat(groups.get(0).after()).isEqualTo(id(4));
        groups.get(0).passed(page(false, 5, 12));
        assertThat(taken(scan)).containsExactly(5, 9, 12);
        assertThat(scan.next()).isNull();
        assertThat(scan.wanting()).isEmpty();
    }

    @Test
    void pagesAreSmallerTheMoreGroupsThereAre() {
        List<Fenced> many = new ArrayList<>();
        for (int i = 0; i < 64; i++) {
            many.add(new Fenced(new Shard(0, i), 4));
        }
        assertThat(new HeldScan(DEAD, many, 10_000).page()).isEqualTo(1_250);
        assertThat(new HeldScan(DEAD, List.of(FIRST), 10_000).page()).isEqualTo(10_000);
    }

    @Test
    void aPageThatWouldSkipIdsIsABug() {
        GroupScan scan = new GroupScan(DEAD, FIRST);
        assertThatThrownBy(() -> scan.passed(page(true)))
                .isInstanceOf(BugException.class)
                .hasMessageContaining("a last id to go on from");
        scan.passed(page(true, 5));
        assertThatThrownBy(() -> scan.passed(page(true, 5)))
                .isInstanceOf(BugException.class)
                .hasMessageContaining("Expected ids behind");
        ScanPage ofAnother = new ScanPage(List.of(new Commit(id(9), token(9, LIVE))), false, 0);
        assertThatThrownBy(() -> scan.passed(ofAnother)).isInstanceOf(BugException.class);
    }

    @Test
    void rowsAreCutByNumberAndBytesAndARequestStaysUntilItIsAnswered() {
        RepairRows rows = new RepairRows(3, 250);
        List<Integer> sizes = new ArrayList<>();
        for (int n = 1; n <= 6; n++) {
            String content = n == 5 ? "x".repeat(1_000) : "{}";
            rows.add(RepairRows.of(MemoryLogs.event(id(n), content), token(n, DEAD)));
        }
        while (!rows.isEmpty()) {
            AddRepairRowsRequest request = rows.request();
            assertThat(rows.request()).isSameAs(request);
            sizes.add(rows.answered());
        }
        assertThat(sizes.stream().mapToInt(Integer::intValue).sum()).isEqualTo(6);
        assertThat(sizes).allMatch(size -> size >= 1 && size <= 3);
        assertThat(sizes).as("the large one goes alone").hasSizeGreaterThan(2);
    }

    @Test
    void delaysDoubleUpToTheLongest() {
        RepairLimits limits = RepairLimits.DEFAULTS;
        assertThat(limits.retryDelay(1)).isEqualTo(limits.retryMin());
        assertThat(limits.retryDelay(3)).isEqualTo(limits.retryMin().multipliedBy(4));
        assertThat(limits.retryDelay(1_000)).isEqualTo(limits.retryMax());
    }
}
