package photon.demo.generate;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import photon.demo.generate.model.LogRecord;
import photon.demo.generate.model.LogStream;

/**
 * The log files of one process, one open at a time. Not thread-safe.
 *
 * <p>Every other process rotates by renaming: it writes to {@code p0.log}, which becomes {@code
 * p0.log.000000}. The others begin a file of a new name: {@code p1.000000.log}. A late file is
 * written in a directory of its own, and moved to its place when it is due.
 */
final class ProcessLog {
    private final GeneratorSettings settings;
    private final LogStore files;
    private final FinishedLogs finished;
    private final Path directory;
    private final Path aside;
    private final String name;
    private final boolean renames;
    private final SplittableRandom random;
    private @Nullable RecordFile open;
    private Path place = Path.of(""); // of the open file, once it is seen
    private @Nullable Path hidden; // where it is until then
    private final List<LogRecord> hiddenRecords = new ArrayList<>();
    private long begunMicros;
    private int begun;
    private int late;

    /**
     * @param directory of its stream; made already
     * @param aside on the same file system, for what is not to be seen yet; made already
     */
    ProcessLog(
            LogStream stream,
            int process,
            GeneratorSettings settings,
            LogStore files,
            FinishedLogs finished,
            Path directory,
            Path aside) {
        this.settings = settings;
        this.files = files;
        this.finished = finished;
        this.directory = directory;
        this.aside = aside;
        this.name = "p" + process;
        this.renames = process % 2 == 0;
        this.random =
                new SplittableRandom(settings.shape().seed() * 31 + process * 2L + stream.index());
    }

    void append(byte[] record, int length, long nowMicros) throws IOException {
        RecordFile file = open;
        if (file == null) {
            file = begin(nowMicros);
        }
        file.append(record, length);
        if (file.length() >= settings.rotateBytes()) {
            rotate();
        }
    }

    /** True while readers cannot see the open file. */
    boolean isHidden() {
        return hidden != null;
    }

    /** Kept until it can be seen. */
    void keepHidden(LogRecord record) {
        hiddenRecords.add(record);
    }

    /** Takes out what was hidden and can be seen now. */
    List<LogRecord> takeSeen() {
        if (hidden != null || hiddenRecords.isEmpty()) {
            return List.of();
        }
        List<LogRecord> seen = List.copyOf(hiddenRecords);
        hiddenRecords.clear();
        return seen;
    }

    void flush() throws IOException {
        if (open != null) {
            open.flush();
        }
    }

    /** Does what is due by the time alone. */
    void tick(long nowMicros) throws IOException {
        if (open == null) {
            return;
        }
        long age = nowMicros - begunMicros;
        if (hidden != null && age >= settings.lateBy().toNanos() / 1_000) {
            appear();
        }
        if (age >= settings.rotateEvery().toNanos() / 1_000) {
            rotate();
        }
    }

    /** Ends the open file, which keeps its name. */
    void close() throws IOException {
        RecordFile file = open;
        if (file != null) {
            file.close();
            appear();
            open = null;
        }
    }

    int filesBegun() {
        return begun;
    }

    int lateFiles() {
        return late;
    }

    private RecordFile begin(long nowMicros) throws IOException {
        place = directory.resolve(renames ? name + ".log" : numbered(".%06d.log", begun));
        boolean isLate = random.nextDouble() < settings.lateFileShare();
        hidden = isLate ? aside.resolve(directory.getFileName() + "-" + name) : null;
        RecordFile file =
                RecordFile.of(
                        files.create(hidden == null ? place : hidden),
                        settings.format() == GeneratorSettings.Format.FRAMED);
        begunMicros = nowMicros;
        begun++;
        late += isLate ? 1 : 0;
        open = file;
        return file;
    }

    private void rotate() throws IOException {
        close();
        Path done = place;
        if (renames) {
            done = directory.resolve(numbered(".log.%06d", begun - 1));
            files.rename(place, done);
        }
        finished.take(done);
    }

    private void appear() throws IOException {
        if (hidden != null) {
            Files.move(hidden, place);
            hidden = null;
        }
    }

    private String numbered(String ending, int number) {
        return name + String.format(Locale.ROOT, ending, number);
    }
}
