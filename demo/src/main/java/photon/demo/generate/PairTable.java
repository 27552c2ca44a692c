package photon.demo.generate;

import java.util.Arrays;

/** Pairs of numbers, many of them, 16 bytes each. Not thread-safe. */
final class PairTable {
    private static final int SMALL = 16;

    private long[] first = new long[1_024];
    private long[] second = new long[1_024];
    private int size;

    void add(long a, long b) {
        if (size == first.length) {
            first = Arrays.copyOf(first, size * 2);
            second = Arrays.copyOf(second, size * 2);
        }
        first[size] = a;
        second[size++] = b;
    }

    int size() {
        return size;
    }

    long first(int index) {
        return first[index];
    }

    long second(int index) {
        return second[index];
    }

    /** By the first, then by the second. */
    void sort() {
        sort(0, size - 1);
    }

    /** Quicksort with the middle of three; recursion into the smaller part only. */
    private void sort(int from, int to) {
        int low = from;
        int high = to;
        while (high - low > SMALL) {
            int border = partition(low, high);
            if (border - low < high - border) {
                sort(low, border);
                low = border + 1;
            } else {
                sort(border + 1, high);
                high = border;
            }
        }
        for (int i = low + 1; i <= high; i++) {
            for (int j = i; j > low && compare(j - 1, first[j], second[j]) > 0; j--) {
                swap(j - 1, j);
            }
        }
    }

    /** Hoare's: what stands up to the border is not above what stands behind it. */
    private int partition(int low, int high) {
        int middle = (low + high) >>> 1;
        order(low, middle);
        order(middle, high);
        order(low, middle);
        long a = first[middle];
        long b = second[middle];
        int i = low - 1;
        int j = high + 1;
        while (true) {
            do {
                i++;
            } while (compare(i, a, b) < 0);
            do {
                j--;
            } while (compare(j, a, b) > 0);
            if (i >= j) {
                return j;
            }
            swap(i, j);
        }
    }

    private void order(int i, int j) {
        if (compare(i, first[j], second[j]) > 0) {
            swap(i, j);
        }
    }

    private int compare(int index, long a, long b) {
        int c = Long.compare(first[index], a);
        return c != 0 ? c : Long.compare(second[index], b);
    }

    private void swap(int i, int j) {
        long a = first[i];
        long b = second[i];
        first[i] = first[j];
        second[i] = second[j];
        first[j] = a;
        second[j] = b;
    }
}
