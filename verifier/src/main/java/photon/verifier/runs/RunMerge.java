package photon.verifier.runs;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import photon.core.id.EventId;
import photon.verifier.runs.ScratchFile.RunReader;

/**
 * Merges runs: a heap of their first rows. Memory: a block a run, some 20 KB. Where runs follow one
 * another in time, as they do for an incarnation that kept up, a step is two comparisons. Not
 * thread-safe.
 */
final class RunMerge implements SortedIds {
    private final List<RunReader> heap = new ArrayList<>();
    private final long rows;
    private long read;
    private @Nullable RunReader now;

    /** Of all runs of these files. */
    RunMerge(List<ScratchFile> files) throws IOException {
        long all = 0;
        for (ScratchFile file : files) {
            for (ScratchFile.Run run : file.runs()) {
                all += run.rows();
                RunReader reader = file.read(run);
                if (reader.next()) {
                    heap.add(reader);
                }
            }
        }
        rows = all;
        for (int i = heap.size() / 2 - 1; i >= 0; i--) {
            siftDown(i);
        }
    }

    @Override
    public boolean next() throws IOException {
        if (now != null) {
            moveFirst();
        }
        if (heap.isEmpty()) {
            now = null;
            if (read != rows) {
                throw new IOException(
                        "Expected %s identities in the scratch file, but read %s"
                                .formatted(rows, read));
            }
            return false;
        }
        now = heap.get(0);
        read++;
        return true;
    }

    private void moveFirst() throws IOException {
        RunReader first = heap.get(0);
        if (first.next()) {
            siftDown(0);
            return;
        }
        RunReader last = heap.remove(heap.size() - 1);
        if (!heap.isEmpty()) {
            heap.set(0, last);
            siftDown(0);
        }
    }

    private void siftDown(int from) {
        int i = from;
        RunReader sinking = heap.get(i);
        while (2 * i + 1 < heap.size()) {
            int child = 2 * i + 1;
            if (child + 1 < heap.size() && before(heap.get(child + 1), heap.get(child))) {
                child++;
            }
            if (!before(heap.get(child), sinking)) {
                break;
            }
            heap.set(i, heap.get(child));
            i = child;
        }
        heap.set(i, sinking);
    }

    private static boolean before(RunReader a, RunReader b) {
        return a.rows().compare(a.at(), b.rows(), b.at()) < 0;
    }

    /** The block in which the row stands that this stands on. */
    IdColumns rows() {
        return first().rows();
    }

    int at() {
        return first().at();
    }

    @Override
    public int compareTo(EventId id) {
        return first().rows().compare(first().at(), id);
    }

    @Override
    public EventId id() {
        return first().rows().id(first().at());
    }

    @Override
    public long sequence() {
        return first().rows().sequence(first().at());
    }

    private RunReader first() {
        if (now == null) {
            throw new IllegalStateException("Expected to stand on an identity");
        }
        return now;
    }
}
