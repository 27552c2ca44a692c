package photon.idregistry.shard;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.core.id.Packed;
import photon.idregistry.table.LocalTableFiles;
import photon.idregistry.table.MemoryBudget;
import photon.idregistry.table.TableHome;
import photon.registry.api.RegistryClient.Shard;
import photon.registry.api.ShardMap;

/** Dropping ids holds up commits no longer than a commit does (docs/protocol.md section 5). */
final class DroppedIdsTest {
    /** As many as a step drops, three times. */
    private static final int CELLS = 3 * ShardState.DROPPED_AT_ONCE;

    private static final long CELL_MICROS = 2_000_000;
    private static final int IDS_A_CELL = Integer.getInteger("photon.dropped.idsACell", 400);

    @TempDir Path directory;

    private final Queue<Runnable> removals = new ArrayDeque<>();
    private long index;

    private byte[] apply(ShardState shard, byte[] entry) {
        return shard.apply(++index, ByteBuffer.wrap(entry));
    }

    private void fill(ShardState shard) {
        apply(shard, ShardEntries.install(ShardMap.initial(1), new Shard(1, 0), Map.of()));
        for (int cell = 0; cell < CELLS; cell++) {
            List<EventId> ids = new ArrayList<>();
            List<CommitToken> tokens = new ArrayList<>();
            for (int i = 0; i < IDS_A_CELL; i++) {
                ids.add(new EventId(cell * CELL_MICROS + i, i * 0x9E3779B97F4A7C15L, cell, 1));
                tokens.add(new CommitToken(1, 1, (long) cell * IDS_A_CELL + i));
            }
            apply(shard, ShardEntries.commit(Packed.ids(ids), Packed.tokens(tokens)));
        }
    }

    private long files() throws IOException {
        try (Stream<Path> all = Files.list(directory)) {
            return all.count();
        }
    }

    @Test
    void anEntryDropsSoManyCellsAndWaitsForNoFile() throws IOException {
        // About half of them stay in memory.
        MemoryBudget budget = MemoryBudget.of((long) CELLS * IDS_A_CELL * 40);
        try (LocalTableFiles files = LocalTableFiles.in(directory, removals::add, freed -> {})) {
            ShardState shard = new ShardState(new TableHome(files, budget, Runnable::run));
            fill(shard);
            removals.forEach(Runnable::run);
            removals.clear();
            assertThat(files()).isPositive();
            long filesBefore = files();
            long target = CELLS * CELL_MICROS;
            List<Long> took = new ArrayList<>();
            long stands = Long.MIN_VALUE;
            while (stands < target) {
                long held = shard.ids().count();
                byte[] entry = ShardEntries.advanceBoundary(shard.boundaryTowards(target));
                long begun = cpuNanos();
                stands = ShardResults.boundary(apply(shard, entry));
                took.add(cpuNanos() - begun);
                assertThat(held - shard.ids().count())
                        .isLessThanOrEqualTo((long) ShardState.DROPPED_AT_ONCE * IDS_A_CELL);
            }
            assertThat(stands).isEqualTo(target);
            assertThat(took).hasSize(CELLS / ShardState.DROPPED_AT_ONCE);
            assertThat(shard.ids().count()).isZero();
            System.out.printf(
                    "%,d ids in %d steps, microseconds each: %s%n",
                    (long) CELLS * IDS_A_CELL,
                    took.size(),
                    took.stream().map(TimeUnit.NANOSECONDS::toMicros).toList());

            assertThat(files()).as("removed beside the entries").isEqualTo(filesBefore);
            removals.forEach(Runnable::run);
            assertThat(files()).isZero();
        }
    }

    private static long cpuNanos() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }
}
