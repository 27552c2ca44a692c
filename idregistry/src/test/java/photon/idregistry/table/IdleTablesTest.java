package photon.idregistry.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import photon.core.id.CommitToken;
import photon.core.id.EventId;

/** Tables that get no entries, beside others that share a budget with them. */
final class IdleTablesTest {
    private static final long BYTES = 1 << 20;
    private static final int IDS_A_CELL = 500;

    private final MemoryBudget budget = MemoryBudget.of(BYTES);
    private final TestHome home = new TestHome(new MemoryTableFiles(), budget);
    private long entries;

    private IdTable table() {
        return new IdTable(home.home);
    }

    /** One entry of ids of one cell. */
    private void fill(IdTable table, int cell) {
        table.begin(++entries);
        IdRow row = new IdRow();
        for (int i = 0; i < IDS_A_CELL; i++) {
            row.set(new EventId(cell * Cell.MICROS + i, i * 0x9E3779B97F4A7C15L, cell, 1));
            row.set(new CommitToken(1, 1, i));
            table.putIfAbsent(row);
        }
    }

    private void fillUntilExceeded(IdTable table) {
        for (int cell = 0; budget.usedBytes() <= BYTES; cell++) {
            fill(table, cell);
            table.begin(++entries);
        }
    }

    private long lookUntilWithin(IdTable table, Consumer<Integer> eachTurn) {
        int turns = 0;
        while (budget.usedBytes() > BYTES && turns < 100) {
            table.lookAfterIdle();
            eachTurn.accept(turns++);
        }
        return budget.usedBytes();
    }

    @Test
    void whatATableWithoutEntriesHoldsIsSealed() {
        IdTable idle = table();
        fillUntilExceeded(idle);
        // Its own entries began one; that fails, and it gets none again.
        home.runNext(true);
        long left =
                lookUntilWithin(
                        idle,
                        turn -> {
                            for (int i = 0; i < 700; i++) {
                                idle.lookAfterIdle();
                            }
                            home.runNext(false);
                        });
        assertThat(left).isLessThanOrEqualTo(BYTES);
        assertThat(idle.sealedFiles()).isPositive();
        assertThat(idle.sealingFailures()).isEqualTo(1);
    }

    @Test
    void aTableWithoutEntriesIsNotSealedWithoutNeed() {
        IdTable idle = table();
        fill(idle, 0);
        fill(idle, 1);
        idle.lookAfterIdle();
        assertThat(home.waiting()).isZero();
    }

    @Test
    void idleTablesLeaveNoMoreThanTheBudgetToAllOthers() {
        List<IdTable> idle = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            idle.add(table());
        }
        for (int cell = 0; budget.usedBytes() < BYTES * 95 / 100; cell++) {
            fill(idle.get(cell % idle.size()), cell);
        }
        List<IdTable> busy = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            busy.add(table());
        }
        for (int cell = 0; cell < 60; cell++) {
            for (IdTable table : busy) {
                fill(table, cell);
                while (home.waiting() > 0) {
                    home.runNext(false);
                }
            }
        }
        assertThat(budget.usedBytes()).isLessThan(BYTES * 2 + busy.size() * 2L * IDS_A_CELL * 64);
    }
}
