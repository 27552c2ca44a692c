package photon.dispatcher.flow;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import photon.core.loop.EventLoop;
import photon.storage.tail.FilePosition;
import photon.storage.tail.LogTail;
import photon.storage.tail.TailBatch;

/** Owns the tail, in the reader's loop; called from the main loop, where answers arrive. */
final class LogReader {
    private static final Logger log = LoggerFactory.getLogger(LogReader.class);

    /** How long to wait before asking a store again that failed as a whole. */
    private static final Duration STORE_RETRY = Duration.ofSeconds(2);

    private final EventLoop loop;
    private final EventLoop main;
    private final LogTail tail;
    private boolean closed;

    /** Why the store fails; empty: it does not. Read in any thread. */
    private volatile String trouble = "";

    LogReader(EventLoop loop, EventLoop main, LogTail tail) {
        this.loop = loop;
        this.main = main;
        this.tail = tail;
    }

    /** What a poll has read, and how much is known to wait behind it. */
    record Polled(TailBatch batch, long lagBytes) {}

    /** Reads on; a store that fails is asked again until it answers. */
    void poll(int recordsMax, Consumer<Polled> answer) {
        loop.execute(() -> pollNow(recordsMax, answer));
    }

    private void pollNow(int recordsMax, Consumer<Polled> answer) {
        if (closed) {
            return;
        }
        Polled polled;
        try {
            TailBatch batch = tail.poll(recordsMax, loop.nanoTime());
            polled = new Polled(batch, tail.lagBytes());
            trouble = "";
        } catch (IOException e) {
            trouble = e.toString();
            log.warn("The foreign logs cannot be read; trying again in {}", STORE_RETRY, e);
            loop.schedule(STORE_RETRY, () -> pollNow(recordsMax, answer));
            return;
        }
        main.execute(() -> answer.accept(polled));
    }

    String trouble() {
        return trouble;
    }

    /**
     * What a checkpoint stores.
     *
     * @param positions by number of the file
     * @param retired numbers that name nothing any more
     * @param longAbsent positions of files that have been absent for long, if these were asked for
     */
    record Positions(
            Map<Integer, FilePosition> positions,
            List<Integer> retired,
            List<FilePosition> longAbsent) {}

    /** Of these files, by number, each done up to its offset. */
    void positions(Map<Integer, Long> offsets, boolean absentToo, Consumer<Positions> answer) {
        loop.execute(
                () -> {
                    if (closed) {
                        return;
                    }
                    Map<Integer, FilePosition> positions = new TreeMap<>();
                    offsets.forEach(
                            (file, offset) -> positions.put(file, tail.position(file, offset)));
                    List<Integer> retired = tail.retire(loop.nanoTime());
                    List<FilePosition> longAbsent =
                            absentToo ? tail.longAbsent(loop.nanoTime()) : List.of();
                    main.execute(
                            () -> answer.accept(new Positions(positions, retired, longAbsent)));
                });
    }

    /** The tail keeps nothing of these files, by key, unless they are back. */
    void forget(List<String> keys) {
        loop.execute(() -> tail.forget(keys));
    }

    void close() {
        loop.execute(
                () -> {
                    closed = true;
                    tail.close();
                });
    }
}
