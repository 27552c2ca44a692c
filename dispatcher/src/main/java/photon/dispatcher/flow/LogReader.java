package photon.dispatcher.flow;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import photon.core.loop.EventLoop;
import photon.proto.v1.LogsResponse;
import photon.storage.tail.FilePosition;
import photon.storage.tail.LogOutage;
import photon.storage.tail.LogReadings;
import photon.storage.tail.LogTail;
import photon.storage.tail.TailBatch;
import photon.storage.tail.TailLag;

/** Owns the tail, in the reader's loop; called from the main loop, where answers arrive. */
final class LogReader {
    private final EventLoop loop;
    private final EventLoop main;
    private final LogTail tail;
    private boolean closed;

    private final LogOutage outage = new LogOutage("foreign");

    LogReader(EventLoop loop, EventLoop main, LogTail tail) {
        this.loop = loop;
        this.main = main;
        this.tail = tail;
    }

    /** What a poll has read, and how much is known to wait behind it. */
    record Polled(TailBatch batch, TailLag lag) {}

    /**
     * Reads on; a store that fails is asked again until it answers.
     *
     * @param backlogMax of the records, those of files with a backlog, beside others
     * @param failed told, in the main loop, of each time that it does
     */
    void poll(int recordsMax, int backlogMax, Consumer<Polled> answer, Runnable failed) {
        loop.execute(() -> pollNow(recordsMax, backlogMax, answer, failed));
    }

    private void pollNow(int recordsMax, int backlogMax, Consumer<Polled> answer, Runnable failed) {
        if (closed) {
            return;
        }
        Polled polled;
        try {
            TailBatch batch = tail.poll(recordsMax, backlogMax, loop.nanoTime());
            polled = new Polled(batch, tail.lag());
            outage.polled(batch, loop.nanoTime());
        } catch (IOException e) {
            Duration delay = outage.failed(e, loop.nanoTime());
            main.execute(failed);
            loop.schedule(delay, () -> pollNow(recordsMax, backlogMax, answer, failed));
            return;
        }
        main.execute(() -> answer.accept(polled));
    }

    /** How far they are read, for people. Answers in the main loop. */
    void tell(int filesMax, Consumer<LogsResponse.Builder> answer) {
        loop.execute(
                () -> {
                    LogsResponse.Builder told =
                            LogReadings.response(tail, outage, filesMax, loop.nanoTime());
                    main.execute(() -> answer.accept(told));
                });
    }

    /** Of what is read, what files with a backlog have for themselves. Thread-safe. */
    int backlogPercent() {
        return tail.backlogPercent();
    }

    /** Whether the logs can be read. */
    LogOutage outage() {
        return outage;
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
