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

    @Test
    void aScanGoesThroughEachGroupPageByPage() {
        GroupScan scan = new GroupScan(DEAD, List.of(FIRST, SECOND));
        assertThat(scan.after()).isNull();
        scan.passed(page(true, 1, 2));
        assertThat(scan.group()).isEqualTo(FIRST);
        assertThat(scan.after()).isEqualTo(id(2));
        scan.passed(page(false, 7));
        assertThat(scan.group()).isEqualTo(SECOND);
        assertThat(scan.after()).isNull();
        scan.passed(page(false));
        assertThat(scan.done()).isTrue();
    }

    @Test
    void aPageThatWouldSkipIdsIsABug() {
        GroupScan scan = new GroupScan(DEAD, List.of(FIRST));
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
