package photon.demo.hdfs;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import photon.storage.files.FileStore;
import photon.storage.files.FileStore.AppendFile;

/**
 * Writes logs into one file system, in a thread of its own, in the order in which they were handed
 * to it. Thread-safe.
 */
final class LogCarrier implements AutoCloseable {
    private static final long EVERY_MILLIS = 100;
    private static final long WAITING_BYTES_MAX = 256L << 20;
    private static final long END_SECONDS_MAX = 120;

    private final FileStore files;
    private final String directory;
    private final Thread thread;
    private final CountDownLatch ended = new CountDownLatch(1);

    // Under the lock of this.
    private Deque<Step> waiting = new ArrayDeque<>();
    private long waitingBytes;
    private @Nullable IOException failure;

    // The thread's own.
    private final Map<Integer, AppendFile> open = new HashMap<>();
    private final Set<Integer> unflushed = new HashSet<>();

    private interface Step {
        void run() throws IOException;
    }

    LogCarrier(FileStore files, String directory) {
        this.files = files;
        this.directory = directory;
        this.thread = new Thread(this::carry, "logs to " + directory);
        thread.setDaemon(true);
        thread.start();
    }

    String directory() {
        return directory;
    }

    /** Why no more is carried. */
    synchronized Optional<IOException> failure() {
        return Optional.ofNullable(failure);
    }

    void create(int number, String name) {
        add(0, () -> open.put(number, files.create(directory + "/" + name)));
    }

    void append(int number, byte[] bytes) {
        add(
                bytes.length,
                () -> {
                    of(number).write(bytes, 0, bytes.length);
                    unflushed.add(number);
                });
    }

    /** No more comes for this log. */
    void end(int number) {
        add(
                0,
                () -> {
                    of(number).close();
                    open.remove(number);
                    unflushed.remove(number);
                });
    }

    void rename(String from, String to) {
        add(0, () -> files.rename(directory + "/" + from, directory + "/" + to));
    }

    /** Returns when all is carried, or cannot be. */
    void finish() throws IOException {
        ended.countDown();
        try {
            thread.join(TimeUnit.SECONDS.toMillis(END_SECONDS_MAX));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (thread.isAlive()) {
            throw new IOException(
                    "Expected %s to take the last of the logs within %d s"
                            .formatted(directory, END_SECONDS_MAX));
        }
    }

    @Override
    public synchronized void close() {
        waiting.clear();
        ended.countDown();
    }

    private synchronized void add(long bytes, Step step) {
        if (failure == null && waitingBytes + bytes > WAITING_BYTES_MAX) {
            failure = new IOException("%,d bytes wait to be written".formatted(waitingBytes));
        }
        if (failure == null) {
            waitingBytes += bytes;
            waiting.add(step);
        }
    }

    private AppendFile of(int number) {
        return requireNonNull(open.get(number), "Expected an open log");
    }

    private void carry() {
        try {
            for (Deque<Step> steps = next(); steps != null; steps = next()) {
                for (Step step : steps) {
                    step.run();
                }
                for (int number : unflushed) {
                    of(number).flush();
                }
                unflushed.clear();
            }
        } catch (IOException | RuntimeException e) {
            synchronized (this) {
                failure = e instanceof IOException io ? io : new IOException(e);
                waiting.clear();
            }
        }
    }

    /** What has come meanwhile, after a while; null when that was all. */
    private @Nullable Deque<Step> next() {
        boolean last;
        try {
            last = ended.await(EVERY_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            return null;
        }
        synchronized (this) {
            if (last && waiting.isEmpty()) {
                return null;
            }
            Deque<Step> steps = waiting;
            waiting = new ArrayDeque<>();
            waitingBytes = 0;
            return steps;
        }
    }
}
