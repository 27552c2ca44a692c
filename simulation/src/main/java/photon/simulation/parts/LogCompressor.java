package photon.simulation.parts;

import static java.util.Objects.requireNonNull;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.zip.GZIPOutputStream;
import photon.simulation.kernel.Timeline;
import photon.storage.files.FileStore;

/**
 * Compresses logs of a datacenter's producers some time after their rotation, as logrotate has gzip
 * do it: the compressed file grows beside the log, which goes when that is whole. Some logs stay.
 * After a power cut it begins anew. The names tell nobody what is compressed.
 */
final class LogCompressor {
    private static final int ONE_IN = 2;
    private static final int STAYS_ONE_IN = 8;
    private static final Duration BEGINS_MAX = Duration.ofSeconds(60);
    private static final Duration TAKES_MAX = Duration.ofSeconds(5);
    private static final String SUFFIX = ".jsonl";

    private final Timeline timeline;
    private final FileStore files;
    private final RandomGenerator random;

    /** The logs whose compressed file is not whole, with the path of that. */
    private final Map<String, String> under = new LinkedHashMap<>();

    private boolean power = true;
    private int powerCuts;
    private int compressed;

    /**
     * @param files where no fault meets the producers
     */
    LogCompressor(Timeline timeline, FileStore files, RandomGenerator random) {
        this.timeline = timeline;
        this.files = files;
        this.random = random;
    }

    /** Nobody writes to this log any more. */
    void rotated(String path) {
        if (random.nextInt(ONE_IN) == 0) {
            under.put(
                    path, path.substring(0, path.length() - SUFFIX.length()) + ".packed" + SUFFIX);
            begin(path);
        }
    }

    private void begin(String path) {
        int cuts = powerCuts;
        after(BEGINS_MAX, cuts, () -> compress(path, cuts));
    }

    private void after(Duration max, int cuts, Work work) {
        timeline.after(
                Duration.ofNanos(random.nextLong(max.toNanos())),
                () -> {
                    if (cuts == powerCuts) {
                        try {
                            work.run();
                        } catch (IOException e) {
                            throw new UncheckedIOException(
                                    "Expected the producer's disk to be in order", e);
                        }
                    }
                });
    }

    private void compress(String path, int cuts) throws IOException {
        if (files.stat(path) == null) {
            under.remove(path);
            return;
        }
        byte[] lines = read(path);
        if (lines.length == 0 || lines[lines.length - 1] != '\n') {
            under.remove(path); // What a power cut has left of a line would be a record.
            return;
        }
        byte[] packed = gzip(lines);
        int first = random.nextInt(packed.length);
        FileStore.AppendFile file = files.create(requireNonNull(under.get(path)));
        files.syncDirectory(directory(path));
        file.write(packed, 0, first);
        file.sync();
        after(
                TAKES_MAX,
                cuts,
                () -> {
                    file.write(packed, first, packed.length - first);
                    file.sync();
                    file.close();
                    under.remove(path);
                    compressed++;
                    if (random.nextInt(STAYS_ONE_IN) > 0 && files.stat(path) != null) {
                        files.delete(path);
                        files.syncDirectory(directory(path));
                    }
                });
    }

    private byte[] read(String path) throws IOException {
        try (FileStore.ReadFile file = files.open(path)) {
            byte[] bytes = new byte[Math.toIntExact(file.length())];
            int read = 0;
            while (read < bytes.length) {
                read += file.read(read, bytes, read, bytes.length - read);
            }
            return bytes;
        }
    }

    private static byte[] gzip(byte[] bytes) throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
            gzip.write(bytes);
        }
        return packed.toByteArray();
    }

    private static String directory(String path) {
        return path.substring(0, path.lastIndexOf('/'));
    }

    void powerLost() {
        power = false;
        powerCuts++;
    }

    void powerBack() {
        if (power) {
            return;
        }
        power = true;
        for (Map.Entry<String, String> begun : List.copyOf(under.entrySet())) {
            try {
                if (files.stat(begun.getValue()) != null) {
                    files.delete(begun.getValue());
                    files.syncDirectory(directory(begun.getValue()));
                }
            } catch (IOException e) {
                throw new UncheckedIOException("Expected the producer's disk to be in order", e);
            }
            begin(begun.getKey());
        }
    }

    /** Logs whose compressed file is whole. */
    int compressed() {
        return compressed;
    }

    /** Work on files. */
    @FunctionalInterface
    private interface Work {
        void run() throws IOException;
    }
}
