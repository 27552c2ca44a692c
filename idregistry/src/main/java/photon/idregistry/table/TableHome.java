package photon.idregistry.table;

import java.util.concurrent.Executor;

/**
 * What a table has from outside.
 *
 * @param files of this table alone
 * @param budget shared by all tables of the process
 * @param sealing where files are written, at once or later; may refuse by never running
 */
public record TableHome(TableFiles files, MemoryBudget budget, Executor sealing) {
    /** All ids stay in memory. */
    public static TableHome inMemory() {
        return new TableHome(new MemoryTableFiles(), MemoryBudget.unlimited(), Runnable::run);
    }
}
