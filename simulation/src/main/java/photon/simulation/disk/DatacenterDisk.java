package photon.simulation.disk;

import java.io.IOException;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import photon.simulation.kernel.Life;
import photon.simulation.kernel.Timeline;
import photon.storage.files.FileStore;
import photon.storage.files.MemoryFileStore;

/** One datacenter's files, which outlive its processes. A world's one thread uses it. */
public final class DatacenterDisk {
    private final MemoryFileStore store;
    private final DiskFaults faults;
    private DiskFaults.Interruption watch = (life, operation, path) -> {};

    /** Whose operation is being carried out; null: nobody's who could be hurt. */
    private @Nullable Life caller;

    public DatacenterDisk(Timeline timeline) {
        RandomGenerator random = timeline.random().split();
        this.store = new MemoryFileStore(random, () -> timeline.nowMicros() / 1_000);
        this.faults = new DiskFaults(timeline, store);
        store.setHook(
                (operation, path) -> {
                    Life life = caller;
                    if (life != null) {
                        faults.before(life, operation, path);
                        watch.before(life, operation, path);
                    }
                });
    }

    /** Told of each operation that changes something, right before it is carried out. */
    public void setWatch(DiskFaults.Interruption watch) {
        this.watch = watch;
    }

    /** The files as this life sees them. */
    public FileStore of(Life life) {
        return new ProcessFiles(this, life);
    }

    /** The files as producers and checkers see them: never full, never slow, never failing. */
    public FileStore unharmed() {
        return new ProcessFiles(this, null);
    }

    public DiskFaults faults() {
        return faults;
    }

    /** The store itself: to be copied by whoever wants to look at it undisturbed. */
    public MemoryFileStore store() {
        return store;
    }

    /** The power is cut: what was not synced is lost or torn. All lives must have ended before. */
    public void losePower() {
        store.crash();
    }

    /** Carries out one operation; others may happen within it, where its process blocks. */
    <T> T carryOut(@Nullable Life life, Operation<T> operation) throws IOException {
        Life before = caller;
        caller = life;
        faults.limit(life != null);
        try {
            return operation.run();
        } finally {
            caller = before;
            faults.limit(before != null);
        }
    }

    /**
     * Something that is done to the store.
     *
     * @param <T> its result
     */
    @FunctionalInterface
    interface Operation<T> {
        T run() throws IOException;
    }
}
