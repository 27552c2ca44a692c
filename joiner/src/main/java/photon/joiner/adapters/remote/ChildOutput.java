package photon.joiner.adapters.remote;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import photon.core.config.DurationText;

/**
 * Writes what an adapter's process prints into the log, up to a number of lines in a time, and
 * remembers the last line. Thread-safe.
 */
final class ChildOutput {
    private static final Logger log = LoggerFactory.getLogger(ChildOutput.class);
    static final int LINE_BYTES_MAX = 2_000;
    static final int LINES_MAX = 100;
    private static final Duration PERIOD = Duration.ofSeconds(10);

    private final long pid;
    private final Duration period;
    private final CountDownLatch ended = new CountDownLatch(1);
    private int lines;
    private long left;
    private String last = "";

    private ChildOutput(long pid, Duration period) {
        this.pid = pid;
        this.period = period;
    }

    /** Until the process ends. */
    static ChildOutput follow(Process process) {
        return follow(process, PERIOD);
    }

    /**
     * @param period in which no more than {@link #LINES_MAX} lines are written
     */
    static ChildOutput follow(Process process, Duration period) {
        ChildOutput output = new ChildOutput(process.pid(), period);
        Thread reader =
                new Thread(() -> output.read(process.getInputStream()), "adapter-process-output");
        reader.setDaemon(true);
        reader.start();
        return output;
    }

    private void read(InputStream stream) {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        try (InputStream in = new BufferedInputStream(stream)) {
            for (int next = in.read(); next >= 0; next = in.read()) {
                if (next == '\n') {
                    line(line);
                } else if (line.size() < LINE_BYTES_MAX) {
                    line.write(next);
                }
            }
        } catch (IOException e) {
            log.debug("The adapter's output has ended", e);
        }
        line(line);
        ended.countDown();
    }

    /** Waits until all is read: a process ends before its last words are heard. */
    void awaitEnd(Duration max) throws InterruptedException {
        ended.await(max.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void line(ByteArrayOutputStream bytes) {
        String text = bytes.toString(StandardCharsets.UTF_8).strip();
        bytes.reset();
        if (!text.isEmpty() && take(text)) {
            log.warn("adapter[{}]: {}", pid, text);
        }
    }

    /** False: there were too many. */
    private synchronized boolean take(String text) {
        last = text;
        if (lines++ == 0) {
            CompletableFuture.delayedExecutor(period.toMillis(), TimeUnit.MILLISECONDS)
                    .execute(this::periodEnds);
        }
        if (lines > LINES_MAX) {
            left++;
            return false;
        }
        return true;
    }

    private synchronized void periodEnds() {
        if (left > 0) {
            log.warn(
                    "adapter[{}]: {} more lines within {} are left out",
                    pid,
                    left,
                    DurationText.of(period));
        }
        lines = 0;
        left = 0;
    }

    /** How many lines are not in the log, in this period. */
    synchronized long leftOut() {
        return left;
    }

    /** The last line that is not empty. */
    synchronized String last() {
        return last;
    }
}
