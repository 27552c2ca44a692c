package photon.simulation.parts;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import photon.simulation.kernel.Timeline;
import photon.storage.files.FileStore;

/**
 * A producer that appends lines to one log: rotates it now and then, writes some lines in two
 * halves, some twice, and some that are no record. What it has written is synced.
 */
final class LogWriter {
    private static final Duration HALF_MAX = Duration.ofSeconds(5);
    private static final Duration REPEAT_MAX = Duration.ofSeconds(40);

    private final Timeline timeline;
    private final RandomGenerator random;
    private final FileStore files;
    private final String directory;
    private final String name;
    private final Consumer<byte[]> written;
    private final Consumer<String> rotated;
    private final ArrayDeque<Line> waiting = new ArrayDeque<>();
    private FileStore.@Nullable AppendFile file;
    private int rotations;
    private int powerCuts;
    private boolean power = true;
    private boolean halfWritten;

    /**
     * @param again true: it is a repeat, and not repeated once more
     */
    private record Line(byte[] bytes, boolean again) {}

    /**
     * @param written told of each line when it is in the log
     * @param rotated told of each file that nobody writes to any more
     */
    LogWriter(
            Timeline timeline,
            FileStore files,
            String directory,
            String name,
            Consumer<byte[]> written,
            Consumer<String> rotated) {
        this.timeline = timeline;
        this.random = timeline.random().split();
        this.files = files;
        this.directory = directory;
        this.name = name;
        this.written = written;
        this.rotated = rotated;
    }

    void write(byte[] line) {
        add(new Line(line, false));
    }

    private void add(Line line) {
        waiting.add(line);
        writeOn();
    }

    private void writeOn() {
        while (power && !halfWritten && !waiting.isEmpty()) {
            try {
                writeFirst(waiting.element());
            } catch (IOException e) {
                throw new UncheckedIOException("Expected the producer's disk to be in order", e);
            }
        }
    }

    private void writeFirst(Line line) throws IOException {
        int what = random.nextInt(100);
        if (what < 3) {
            rotate(what == 0);
        }
        if (what >= 95) {
            append("{\"no\": \"record".getBytes(UTF_8), true);
        }
        if (what >= 80 && what < 90 && line.bytes.length > 1) {
            beginHalf(line);
            return;
        }
        append(line.bytes, true);
        written(line, what);
    }

    private void beginHalf(Line line) throws IOException {
        int first = 1 + random.nextInt(line.bytes.length - 1);
        append(java.util.Arrays.copyOf(line.bytes, first), false);
        halfWritten = true;
        int cuts = powerCuts;
        timeline.after(
                Duration.ofNanos(random.nextLong(HALF_MAX.toNanos())),
                () -> {
                    if (cuts == powerCuts) {
                        finishHalf(line, first);
                    }
                });
    }

    private void finishHalf(Line line, int from) {
        try {
            append(java.util.Arrays.copyOfRange(line.bytes, from, line.bytes.length), true);
        } catch (IOException e) {
            throw new UncheckedIOException("Expected the producer's disk to be in order", e);
        }
        halfWritten = false;
        written(line, 50);
        writeOn();
    }

    private void written(Line line, int what) {
        waiting.remove();
        written.accept(line.bytes);
        if (what >= 40 && what < 43 && !line.again) {
            timeline.after(
                    Duration.ofNanos(random.nextLong(REPEAT_MAX.toNanos())),
                    () -> add(new Line(line.bytes, true)));
        }
    }

    private void append(byte[] bytes, boolean end) throws IOException {
        FileStore.AppendFile open = file;
        if (open == null) {
            open = open();
            file = open;
        }
        open.write(bytes, 0, bytes.length);
        if (end) {
            open.write(new byte[] {'\n'}, 0, 1);
        }
        open.sync();
    }

    private String active() {
        return directory + "/" + name + ".jsonl";
    }

    private FileStore.AppendFile open() throws IOException {
        files.createDirectories(directory);
        if (files.stat(active()) != null) {
            String aside = directory + "/" + name + "." + ++rotations + ".jsonl";
            files.rename(active(), aside);
            rotated.accept(aside);
        }
        FileStore.AppendFile made = files.create(active());
        files.syncDirectory(directory);
        return made;
    }

    /**
     * @param twice an empty file comes between
     */
    private void rotate(boolean twice) throws IOException {
        FileStore.AppendFile open = file;
        if (open != null) {
            open.close();
            file = twice ? open() : null;
        }
    }

    /** What is written from now on goes into another file, unless a line is half written. */
    void beginFile() {
        if (!halfWritten) {
            try {
                rotate(true);
            } catch (IOException e) {
                throw new UncheckedIOException("Expected the producer's disk to be in order", e);
            }
        }
    }

    void powerLost() {
        power = false;
        powerCuts++;
        halfWritten = false;
        file = null; // its process is dead; half of a line may stand at its end for ever
    }

    void powerBack() {
        power = true;
        writeOn();
    }

    int waiting() {
        return waiting.size();
    }
}
