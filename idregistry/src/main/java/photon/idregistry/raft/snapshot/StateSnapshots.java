package photon.idregistry.raft.snapshot;

import static photon.core.error.Checks.check;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.storage.RaftStorage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import photon.core.error.BugHandler;
import photon.idregistry.replicated.FrozenState;
import photon.idregistry.replicated.GradualRemoval;
import photon.idregistry.replicated.ReplicatedState;

/**
 * Takes snapshots of one state and puts them back. The state is frozen under its own monitor, where
 * entries are applied too, and written outside of it. Thread-safe.
 */
public final class StateSnapshots {
    private static final Logger LOG = LoggerFactory.getLogger(StateSnapshots.class);

    private final String name;
    private final ReplicatedState state;
    private final BugHandler bugs;
    private final SnapshotStorage storage;
    private final ReentrantLock oneAtATime = new ReentrantLock();
    private final AtomicLong failures = new AtomicLong();
    private volatile boolean unwanted;

    public StateSnapshots(
            String name, ReplicatedState state, BugHandler bugs, SnapshotStorage storage) {
        this.name = name;
        this.state = state;
        this.bugs = bugs;
        this.storage = storage;
    }

    public SnapshotStorage storage() {
        return storage;
    }

    /** Since the start; each left the log and the last snapshot as they were. */
    public long failures() {
        return failures.get();
    }

    /** The end of a freeze: it is closed in any case. */
    private record Frozen(FrozenState state, TermIndex at) {}

    /**
     * Takes one, unless nothing was applied since the last.
     *
     * @param applied what the state holds; asked while it is held still; null for nothing
     * @param frozen told, while the state is held still, that what is applied from now on is not in
     *     it
     * @param nanoTime monotonic
     * @return the index that is safe on disk now; -1 for none
     * @throws IOException if there is none now; the last one is as it was
     */
    public long take(
            Supplier<@Nullable TermIndex> applied, Runnable frozen, Pace pace, long nanoTime)
            throws IOException {
        oneAtATime.lock();
        try {
            StoredSnapshot last = storage.getLatestSnapshot();
            Frozen taken = freeze(applied, frozen, last);
            if (taken == null) {
                return lastIndex();
            }
            StoredSnapshot made;
            try (FrozenState content = taken.state()) {
                made = storage.write(content, taken.at(), last, pace, () -> unwanted);
            }
            deleteOld(nanoTime);
            return made.getIndex();
        } catch (IOException | UncheckedIOException e) {
            if (unwanted) {
                return lastIndex();
            }
            failures.incrementAndGet();
            throw e;
        } catch (RuntimeException | Error bug) {
            failures.incrementAndGet();
            bugs.onBug("Taking a snapshot of " + name, bug);
            throw bug;
        } finally {
            oneAtATime.unlock();
        }
    }

    /**
     * The lowest index of a snapshot that is being sent to a follower, or was minutes ago; {@link
     * Long#MAX_VALUE}: there is none.
     */
    public long lowestSent(long nanoTime) {
        oneAtATime.lock();
        try {
            return storage.lowestSent(nanoTime);
        } finally {
            oneAtATime.unlock();
        }
    }

    private void deleteOld(long nanoTime) {
        try {
            storage.deleteOld(
                    freed -> {
                        // Nobody waits for the disk of one that ends; the snapshots of all other
                        // groups wait for this one.
                        if (!unwanted) {
                            GradualRemoval.rest(freed);
                        }
                    },
                    nanoTime);
        } catch (IOException e) {
            LOG.warn("An old snapshot of {} stays until the next", name, e);
        }
    }

    private long lastIndex() {
        StoredSnapshot last = storage.getLatestSnapshot();
        return last == null ? -1 : last.getIndex();
    }

    private @Nullable Frozen freeze(
            Supplier<@Nullable TermIndex> applied, Runnable frozen, @Nullable StoredSnapshot last) {
        synchronized (state) {
            TermIndex at = applied.get();
            if (unwanted
                    || at == null
                    || at.getIndex() < 0
                    || (last != null && last.getIndex() >= at.getIndex())) {
                return null;
            }
            FrozenState content;
            try {
                content = state.freeze();
            } catch (UncheckedIOException damaged) {
                // Not a snapshot that cannot be written now, but a state that cannot be read.
                bugs.onBug("Freezing " + name, damaged);
                throw damaged;
            }
            frozen.run();
            return new Frozen(content, at);
        }
    }

    /** Ends one that is under way; none is begun until {@link #restore}. */
    public void abandon() {
        unwanted = true;
    }

    /** Waits for the end of one that is under way, and gives the state up. */
    public void close() {
        unwanted = true;
        oneAtATime.lock();
        try {
            synchronized (state) {
                state.close();
            }
        } finally {
            oneAtATime.unlock();
        }
    }

    /** What Ratis has received is on disk when this returns. */
    public void syncReceived() throws IOException {
        storage.syncReceived();
    }

    /** Finds and reads the latest when the replica starts. */
    public @Nullable TermIndex open(RaftStorage raft) throws IOException {
        storage.init(raft);
        return restored(storage.getLatestSnapshot());
    }

    /** Finds and reads the one that a leader has sent. */
    public @Nullable TermIndex restore() throws IOException {
        unwanted = true;
        oneAtATime.lock();
        try {
            TermIndex at = restored(storage.reload());
            unwanted = false;
            return at;
        } finally {
            oneAtATime.unlock();
        }
    }

    private @Nullable TermIndex restored(@Nullable StoredSnapshot from) throws IOException {
        if (from == null) {
            return null;
        }
        from.verify();
        synchronized (state) {
            try {
                state.restore(from);
            } catch (IOException | RuntimeException e) {
                throw new IOException(
                        "Cannot read the snapshot " + from + ": " + e.getMessage(), e);
            }
            check(
                    state.lastIndex() <= from.getIndex(),
                    "Expected a snapshot of at most index %s, but it holds %s",
                    from.getIndex(),
                    state.lastIndex());
        }
        return from.getTermIndex();
    }
}
