package photon.dispatcher.flow;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Keeps the events of a file until a durable checkpoint names it (docs/protocol.md section 7): what
 * was sent and is lost is looked for in the files that the checkpoint names. Main loop.
 */
final class UnnamedFiles {
    private final Set<Integer> named = new HashSet<>();
    private final ArrayDeque<OfFile> waiting = new ArrayDeque<>();

    private record OfFile(int file, PendingEvent pending) {}

    /**
     * @param file the tail's number of the file that the event comes from
     * @param passed takes it if its file is named
     */
    void add(int file, PendingEvent pending, Consumer<PendingEvent> passed) {
        if (named.contains(file)) {
            passed.accept(pending);
        } else {
            waiting.add(new OfFile(file, pending));
        }
    }

    /** A checkpoint that names these is durable: hands their events on, in the order read. */
    void named(Collection<Integer> files, Consumer<PendingEvent> passed) {
        if (!named.addAll(files)) {
            return;
        }
        for (Iterator<OfFile> all = waiting.iterator(); all.hasNext(); ) {
            OfFile next = all.next();
            if (named.contains(next.file())) {
                all.remove();
                passed.accept(next.pending());
            }
        }
    }

    /** Nothing more comes of these files. */
    void retired(Collection<Integer> files) {
        named.removeAll(files);
    }

    int size() {
        return waiting.size();
    }

    void clear() {
        waiting.clear();
    }
}
