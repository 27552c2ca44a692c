package photon.simulation.disk;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import photon.simulation.kernel.Life;
import photon.simulation.kernel.Timeline;
import photon.storage.files.MemoryFileStore;
import photon.storage.files.MemoryFileStore.Operation;

/** What is wrong with a datacenter's disk now, and what it has done to its processes. */
public final class DiskFaults {
    private final Timeline timeline;
    private final MemoryFileStore store;
    private final RandomGenerator random;
    private final List<Failing> failing = new ArrayList<>();
    private final List<Slow> slow = new ArrayList<>();
    private final List<Away> away = new ArrayList<>();
    private Interruption interruption = (life, operation, path) -> {};
    private long capacityBytes = Long.MAX_VALUE;
    private long fullUntilNanos;
    private long failures;
    private long delays;

    DiskFaults(Timeline timeline, MemoryFileStore store) {
        this.timeline = timeline;
        this.store = store;
        this.random = timeline.random().split();
    }

    /** Comes before each operation that changes something. */
    @FunctionalInterface
    public interface Interruption {
        /** May end the life, or block it: the operation is carried out afterwards. */
        void before(Life life, Operation operation, String path);
    }

    private record Failing(Set<Operation> operations, double rate, long untilNanos) {}

    private record Slow(
            Set<Operation> operations, double rate, Duration longest, long untilNanos) {}

    /** Which files a machine does not see: a share of those in this place, told by their names. */
    private record Away(String process, String place, int oneIn, long untilNanos) {}

    public void setInterruption(Interruption interruption) {
        this.interruption = interruption;
    }

    /** For so long these operations fail with an IOException, this share of them. */
    public void fail(Set<Operation> operations, double rate, Duration length) {
        failing.add(new Failing(copy(operations), rate, end(length)));
    }

    /** For so long this share of these operations takes up to so long. */
    public void slow(Set<Operation> operations, double rate, Duration longest, Duration length) {
        slow.add(new Slow(copy(operations), rate, longest, end(length)));
    }

    /**
     * For so long a process does not see some of the files in a directory, as behind a mount that
     * has not followed. What is in directories of it whose names begin with {@code _} it sees.
     *
     * @param oneIn every how many-th
     */
    public void hide(String process, String directory, int oneIn, Duration length) {
        away.add(new Away(process, directory + "/", oneIn, end(length)));
    }

    /** For so long a process sees neither this directory nor anything in it. */
    public void hideDirectory(String process, String directory, Duration length) {
        away.add(new Away(process, directory, 1, end(length)));
    }

    boolean hides(Life life, String path) {
        if (away.isEmpty()) {
            return false;
        }
        away.removeIf(one -> one.untilNanos <= timeline.nowNanos());
        for (Away one : away) {
            if (one.process.equals(life.process())
                    && path.startsWith(one.place)
                    && !path.contains("/_")
                    && Math.floorMod(path.hashCode(), one.oneIn) == 0) {
                return true;
            }
        }
        return false;
    }

    /**
     * For so long the disk has only this much room left.
     *
     * @param roomBytes bytes, all files together
     */
    public void full(long roomBytes, Duration length) {
        capacityBytes = store.usedBytes() + roomBytes;
        fullUntilNanos = end(length);
    }

    /** All is well again. */
    public void mend() {
        failing.clear();
        slow.clear();
        away.clear();
        fullUntilNanos = 0;
    }

    /** Operations that failed so far, a full disk's not counted. */
    public long failures() {
        return failures;
    }

    /** Operations that took long so far. */
    public long delays() {
        return delays;
    }

    private static Set<Operation> copy(Set<Operation> operations) {
        Set<Operation> copy = EnumSet.noneOf(Operation.class);
        copy.addAll(operations);
        return copy;
    }

    private long end(Duration length) {
        return timeline.nowNanos() + length.toNanos();
    }

    /** Whether what comes now finds the disk full, if it is. */
    void limit(boolean harmed) {
        boolean full = harmed && timeline.nowNanos() < fullUntilNanos;
        store.setCapacityBytes(full ? capacityBytes : Long.MAX_VALUE);
    }

    void before(Life life, Operation operation, String path) throws IOException {
        life.checkAlive();
        life.awaitPause();
        if (operation.changes()) {
            interruption.before(life, operation, path);
            life.checkAlive();
            life.awaitPause();
        }
        delay(life, operation);
        limit(true); // whoever went on meanwhile may have left it otherwise, or time may have
        fail(life, operation, path);
    }

    private void delay(Life life, Operation operation) {
        if (slow.isEmpty()) {
            return;
        }
        slow.removeIf(one -> one.untilNanos <= timeline.nowNanos());
        for (Slow one : List.copyOf(slow)) {
            if (one.operations.contains(operation) && random.nextDouble() < one.rate) {
                delays++;
                long nanos = (long) (one.longest.toNanos() * random.nextDouble());
                life.block(Duration.ofNanos(nanos));
            }
        }
    }

    private void fail(Life life, Operation operation, String path) throws IOException {
        if (failing.isEmpty()) {
            return;
        }
        failing.removeIf(one -> one.untilNanos <= timeline.nowNanos());
        for (Failing one : failing) {
            if (one.operations.contains(operation) && random.nextDouble() < one.rate) {
                failures++;
                timeline.trace().add(life.process(), "disk: %s of %s fails", operation, path);
                throw new IOException("Input/output error: " + operation + " " + path);
            }
        }
    }
}
