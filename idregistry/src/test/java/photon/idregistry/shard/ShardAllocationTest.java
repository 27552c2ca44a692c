package photon.idregistry.shard;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.core.id.Packed;
import photon.idregistry.table.LookupBatch;
import photon.idregistry.table.MemoryBudget;
import photon.idregistry.table.MemoryTableFiles;
import photon.idregistry.table.TableHome;
import photon.registry.api.RegistryClient.Shard;
import photon.registry.api.ShardMap;

/** Speed, kept: an entry makes its answer, and no object an id. */
final class ShardAllocationTest {
    private static final int IDS = 4_096;
    private static final int TIMES = 20;

    /** A page of a scan, twice, since it grows. */
    private static final int ANSWER_BYTES = 2 * (EventId.BYTES + CommitToken.BYTES);

    private final List<EventId> ids = new ArrayList<>();
    private final List<CommitToken> tokens = new ArrayList<>();
    private final List<CommitToken> others = new ArrayList<>();
    private long index;

    private ShardState shard(TableHome home) {
        for (int i = 0; i < IDS; i++) {
            ids.add(new EventId(1_000_000L * (i % 300), i, i, 1));
            tokens.add(new CommitToken(500 + i % 3, 3, i));
            others.add(new CommitToken(900 + i % 3, 3, i));
        }
        ShardState shard = new ShardState(home);
        apply(shard, ShardEntries.install(ShardMap.initial(1), new Shard(1, 0), Map.of(900, 2)));
        apply(shard, ShardEntries.commit(Packed.ids(ids), Packed.tokens(tokens)));
        return shard;
    }

    private void apply(ShardState shard, byte[] entry) {
        shard.apply(++index, ByteBuffer.wrap(entry));
    }

    private static long allocated() {
        return ((ThreadMXBean) ManagementFactory.getThreadMXBean())
                .getCurrentThreadAllocatedBytes();
    }

    private double bytesAnId(Runnable once) {
        once.run();
        long before = allocated();
        for (int i = 0; i < TIMES; i++) {
            once.run();
        }
        return (double) (allocated() - before) / IDS / TIMES;
    }

    @Test
    void inMemory() {
        check(shard(TableHome.inMemory()), ANSWER_BYTES + 32);
    }

    @Test
    void inSealedFiles() {
        ShardState shard =
                shard(
                        new TableHome(
                                new MemoryTableFiles(), MemoryBudget.of(20_000), Runnable::run));
        for (int i = 0; i < 20; i++) {
            apply(shard, ShardEntries.fence(1, 1));
        }
        assertThat(shard.ids().sealedRows()).isGreaterThan(IDS / 2);
        // What is read of a file, and put in order, grows likewise.
        check(shard, ANSWER_BYTES + 250);
    }

    private static void lookUp(ShardState shard, ByteBuffer asked) {
        try (LookupBatch batch = new LookupBatch(asked)) {
            shard.ask(batch, IDS);
            batch.readFiles();
            assertThat(batch.holders().remaining()).isEqualTo(IDS * CommitToken.BYTES);
        }
    }

    /**
     * @param scanBytes that a scan may take, an id
     */
    private void check(ShardState shard, int scanBytes) {
        byte[] again = ShardEntries.commit(Packed.ids(ids), Packed.tokens(tokens));
        assertThat(bytesAnId(() -> apply(shard, again))).isLessThan(4);
        byte[] taken = ShardEntries.commit(Packed.ids(ids), Packed.tokens(others));
        assertThat(bytesAnId(() -> apply(shard, taken))).isLessThan(2 * CommitToken.BYTES + 4);
        ByteBuffer asked = ByteBuffer.wrap(Packed.ids(ids).toByteArray());
        // What is known of each, and its holder twice: as it is found, and packed.
        assertThat(bytesAnId(() -> lookUp(shard, asked)))
                .isLessThan(1 + Integer.BYTES + 2 * CommitToken.BYTES + 3);
        assertThat(bytesAnId(() -> shard.scan(null, 0, Long.MAX_VALUE, null, IDS)))
                .isLessThan(scanBytes);
    }
}
