package photon.simulation.kernel;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Tasks by the moment at which they are due, those of one moment in the order in which they came. A
 * binary heap in arrays: a world puts hundreds of thousands of tasks through it.
 */
final class DueQueue {
    private long[] nanos = new long[1_024];
    private long[] numbers = new long[1_024];
    private @Nullable Runnable[] tasks = new Runnable[1_024];
    private int size;
    private long added;

    boolean isEmpty() {
        return size == 0;
    }

    /** When the first is due; there must be one. */
    long firstNanos() {
        return nanos[0];
    }

    void add(long dueNanos, Runnable task) {
        if (size == tasks.length) {
            int longer = size * 2;
            nanos = Arrays.copyOf(nanos, longer);
            numbers = Arrays.copyOf(numbers, longer);
            tasks = Arrays.copyOf(tasks, longer);
        }
        long number = added++;
        int at = size++;
        while (at > 0) {
            int parent = (at - 1) >>> 1;
            if (nanos[parent] <= dueNanos) {
                break;
            }
            move(parent, at);
            at = parent;
        }
        set(at, dueNanos, number, task);
    }

    /** Takes the first away; there must be one. */
    Runnable remove() {
        Runnable first = Objects.requireNonNull(tasks[0]);
        int last = --size;
        long lastNanos = nanos[last];
        long lastNumber = numbers[last];
        Runnable lastTask = tasks[last];
        tasks[last] = null;
        if (last > 0) {
            int at = 0;
            int child = 1;
            while (child < last) {
                if (child + 1 < last && before(child + 1, child)) {
                    child++;
                }
                if (nanos[child] > lastNanos
                        || (nanos[child] == lastNanos && numbers[child] > lastNumber)) {
                    break;
                }
                move(child, at);
                at = child;
                child = 2 * at + 1;
            }
            set(at, lastNanos, lastNumber, lastTask);
        }
        return first;
    }

    private boolean before(int one, int other) {
        return nanos[one] < nanos[other]
                || (nanos[one] == nanos[other] && numbers[one] < numbers[other]);
    }

    private void move(int from, int to) {
        set(to, nanos[from], numbers[from], tasks[from]);
    }

    private void set(int at, long dueNanos, long number, @Nullable Runnable task) {
        nanos[at] = dueNanos;
        numbers[at] = number;
        tasks[at] = task;
    }
}
