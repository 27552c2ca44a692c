package photon.demo.generate;

import static photon.core.error.Checks.check;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import photon.demo.generate.model.EventModel;
import photon.demo.generate.model.LogRecord;
import photon.demo.generate.model.LogStream;

/**
 * One run from the first record to the answer: takes what the model decides and writes it. Not
 * thread-safe.
 */
final class LogSession {
    private final Path directory;
    private final Path aside;
    private final GeneratorSettings settings;
    private final EventModel model;
    private final RecordEncoder encoder;
    private final AnswerBook book;
    private final FinishedLogs finished;
    private final LogStore files;
    private final ProcessLog[][] logs = new ProcessLog[LogStream.values().length][];
    private final @Nullable Sightings sightings;
    private final List<LogRecord> fresh = new ArrayList<>(); // since the last flush
    private final byte[] bytes = new byte[RecordEncoder.BYTES_MAX];
    private long records;

    /**
     * @param directory new or empty; made if it is not there
     * @param startMicros when the generated world begins
     * @param compressor compresses finished files
     * @param listener hears of pairs at {@link #show}; null: nobody wants to
     */
    LogSession(
            Path directory,
            GeneratorSettings settings,
            long startMicros,
            LogStore files,
            Executor compressor,
            @Nullable JoinableListener listener)
            throws IOException {
        int processes = settings.shape().processes();
        boolean framed = settings.format() == GeneratorSettings.Format.FRAMED;
        this.directory = directory;
        this.aside = directory.resolve(".aside");
        this.settings = settings;
        this.files = files;
        this.model = new EventModel(settings.shape(), startMicros);
        this.encoder = new RecordEncoder(framed, model, processes);
        IdText text = new IdText(framed, model, processes);
        this.book = new AnswerBook(model, text);
        this.sightings = listener == null ? null : new Sightings(model, text, listener);
        this.finished = new FinishedLogs(settings.gzip(), aside, compressor);
        Files.createDirectories(aside);
        for (LogStream stream : LogStream.values()) {
            Path of = Files.createDirectories(directory.resolve(stream.directory()));
            ProcessLog[] ofStream = new ProcessLog[processes];
            for (int i = 0; i < processes; i++) {
                ofStream[i] = new ProcessLog(stream, i, settings, files, finished, of, aside);
            }
            logs[stream.index()] = ofStream;
        }
        PipelineFile.write(directory, settings.format());
    }

    /** True once all the events are there that were asked for. */
    boolean done() {
        return model.events() >= settings.eventsMax();
    }

    /** When the next thing happens, in the time of the generated world. */
    long dueMicros() {
        return model.dueMicros();
    }

    /** Lets the next thing happen, and logs what is to be logged. */
    void step(long trueMicros) throws IOException {
        LogRecord record = model.step(trueMicros);
        if (record != null) {
            log(record, trueMicros);
        }
    }

    /** Records so far, repeats among them. */
    long records() {
        return records;
    }

    /** Late files appear and old ones are rotated when it is their time. */
    void tick(long trueMicros) throws IOException {
        for (ProcessLog[] ofStream : logs) {
            for (ProcessLog log : ofStream) {
                log.tick(trueMicros);
            }
        }
    }

    /** Readers see all that was logged, and the listener hears of it. */
    void show(LongSupplier clockMicros) throws IOException {
        for (ProcessLog[] ofStream : logs) {
            for (ProcessLog log : ofStream) {
                log.flush();
            }
        }
        if (sightings == null) {
            return;
        }
        long now = clockMicros.getAsLong();
        for (ProcessLog[] ofStream : logs) {
            for (ProcessLog log : ofStream) {
                log.takeSeen().forEach(record -> sightings.seen(record, now));
            }
        }
        fresh.forEach(record -> sightings.seen(record, now));
        fresh.clear();
    }

    /** Logs the primary events that clicks wait for, ends all files and writes the answer. */
    Answer finish(LongSupplier clockMicros) throws IOException {
        long now = clockMicros.getAsLong();
        for (LogRecord record : model.end()) {
            log(record, now);
        }
        int files = 0;
        int late = 0;
        for (ProcessLog[] ofStream : logs) {
            for (ProcessLog log : ofStream) {
                log.close();
                files += log.filesBegun();
                late += log.lateFiles();
            }
        }
        if (sightings != null) {
            show(clockMicros);
            check(
                    sightings.joinable() == book.joinable(),
                    "Expected %s pairs to be seen in the logs, but got %s",
                    book.joinable(),
                    sightings.joinable());
        }
        finished.finish();
        this.files.finish();
        Files.delete(aside);
        return book.write(directory, settings, files, late);
    }

    private void log(LogRecord record, long nowMicros) throws IOException {
        ProcessLog log = logs[record.stream().index()][record.process()];
        log.append(bytes, encoder.encode(record, bytes), nowMicros);
        records++;
        book.logged(record);
        if (sightings != null) {
            if (log.isHidden()) {
                sightings.hidden(record);
                log.keepHidden(record);
            } else {
                fresh.add(record);
            }
        }
    }
}
