package photon.simulation.parts;

import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import photon.eventstore.index.IndexBatch;
import photon.eventstore.index.IndexState;
import photon.eventstore.index.LogIndex;
import photon.eventstore.index.MemoryLogIndex;
import photon.proto.v1.Event;

/**
 * An event store's index across the lives of its process, as RocksDB keeps it: a batch survives the
 * process's death, and a power cut loses some of the last batches, never one without those after
 * it.
 */
final class SurvivingIndex {
    private final RandomGenerator random;
    private final List<IndexBatch> batches = new ArrayList<>();
    private Opened open = new Opened(new MemoryLogIndex());

    SurvivingIndex(RandomGenerator random) {
        this.random = random;
    }

    /** For a new life; the one before may do nothing more. */
    Opened open() {
        MemoryLogIndex index = new MemoryLogIndex();
        batches.forEach(index::put);
        index.reopen();
        open = new Opened(index);
        return open;
    }

    /** Half of the time all was on the disk by chance. */
    void powerLost() {
        int lost = Math.min(batches.size(), random.nextInt(2) * random.nextInt(20));
        batches.subList(batches.size() - lost, batches.size()).clear();
    }

    /** What one life has opened. */
    final class Opened implements LogIndex {
        private final MemoryLogIndex index;

        Opened(MemoryLogIndex index) {
            this.index = index;
        }

        @Override
        public IndexState opened() {
            return index.opened();
        }

        @Override
        public void put(IndexBatch batch) {
            if (open == this) { // RocksDB's lock keeps an earlier process out
                batches.add(batch);
            }
            index.put(batch);
        }

        /** A power cut may bring them back, which costs memory only. */
        @Override
        public void forget(List<String> fileKeys) {
            index.forget(fileKeys);
        }

        @Override
        public List<@Nullable Event> get(List<ByteString> keys) {
            return index.get(keys);
        }

        @Override
        public void close() {}
    }
}
