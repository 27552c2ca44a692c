package photon.simulation.kernel;

import static photon.core.error.Checks.check;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Tasks by the moment at which they are due, those of one moment in the order in which they came. A
 * heap of four children a node: a world puts hundreds of thousands of tasks through it, so what is
 * moved and compared lies side by side in one array, and the tasks stay where they are.
 */
final class DueQueue {
    private static final int FIRST_ROOM = 1_024;

    /** Below a task's number stands its place: so many bits. */
    private static final int PLACE_BITS = 22;

    private static final long PLACE_MASK = (1L << PLACE_BITS) - 1;

    /** Of each entry of the heap: when it is due, and its number and place. */
    private long[] heap = new long[2 * FIRST_ROOM];

    private @Nullable Runnable[] tasks = new Runnable[FIRST_ROOM];

    /** Places without a task, as many as there are. */
    private int[] free = new int[FIRST_ROOM];

    private int freeCount;
    private int size;
    private long added;

    DueQueue() {
        free(0);
    }

    boolean isEmpty() {
        return size == 0;
    }

    /** When the first is due; there must be one. */
    long firstNanos() {
        return heap[0];
    }

    void add(long dueNanos, Runnable task) {
        if (freeCount == 0) {
            grow();
        }
        int place = free[--freeCount];
        tasks[place] = task;
        long key = added++ << PLACE_BITS | place;
        int at = size++;
        while (at > 0) {
            int parent = (at - 1) >>> 2;
            if (heap[2 * parent] <= dueNanos) {
                break;
            }
            move(parent, at);
            at = parent;
        }
        heap[2 * at] = dueNanos;
        heap[2 * at + 1] = key;
    }

    /** Takes the first away; there must be one. */
    Runnable remove() {
        int place = (int) (heap[1] & PLACE_MASK);
        Runnable first = Objects.requireNonNull(tasks[place]);
        tasks[place] = null;
        free[freeCount++] = place;
        int last = --size;
        if (last > 0) {
            sink(heap[2 * last], heap[2 * last + 1]);
        }
        return first;
    }

    /** Puts the entry that was the last where it belongs, from the root on. */
    private void sink(long dueNanos, long key) {
        int at = 0;
        for (int child = 1; child < size; child = 4 * at + 1) {
            int end = Math.min(child + 4, size);
            int least = child;
            for (int other = child + 1; other < end; other++) {
                if (before(heap[2 * other], heap[2 * other + 1], least)) {
                    least = other;
                }
            }
            if (before(dueNanos, key, least)) {
                break;
            }
            move(least, at);
            at = least;
        }
        heap[2 * at] = dueNanos;
        heap[2 * at + 1] = key;
    }

    private boolean before(long dueNanos, long key, int other) {
        long otherNanos = heap[2 * other];
        return dueNanos < otherNanos || (dueNanos == otherNanos && key < heap[2 * other + 1]);
    }

    private void move(int from, int to) {
        heap[2 * to] = heap[2 * from];
        heap[2 * to + 1] = heap[2 * from + 1];
    }

    private void grow() {
        int before = tasks.length;
        check(2L * before <= PLACE_MASK, "Expected fewer than %s tasks in a world", before);
        heap = Arrays.copyOf(heap, 4 * before);
        tasks = Arrays.copyOf(tasks, 2 * before);
        free = Arrays.copyOf(free, 2 * before);
        free(before);
    }

    private void free(int from) {
        for (int place = tasks.length - 1; place >= from; place--) {
            free[freeCount++] = place;
        }
    }
}
