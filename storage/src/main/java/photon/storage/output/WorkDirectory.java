package photon.storage.output;

import static photon.core.error.Checks.check;

import java.io.IOException;
import photon.core.crash.CrashPoints;
import photon.core.id.Incarnation;
import photon.core.time.IntervalClock;
import photon.storage.files.FileStore;
import photon.storage.output.Publication.Prepared;
import photon.storage.output.format.OutputFormats;

/**
 * Where a live incarnation writes. Only its joiner uses it; a failed call ends the incarnation (it
 * fences itself and starts over). Not thread-safe: the joiner's output loop owns it.
 */
public final class WorkDirectory {
    private final FileStore files;
    private final String directory;
    private final Incarnation incarnation;
    private final OutputFormats formats;
    private final Publication publication;
    private long lastSequence;
    private boolean usable = true;

    WorkDirectory(
            FileStore files,
            String outputDirectory,
            String directory,
            Incarnation incarnation,
            OutputFormats formats,
            CrashPoints crashPoints,
            IntervalClock clock) {
        this.files = files;
        this.directory = directory;
        this.incarnation = incarnation;
        this.formats = formats;
        this.publication =
                new Publication(files, outputDirectory, directory, formats, crashPoints, clock);
    }

    public Incarnation incarnation() {
        return incarnation;
    }

    /** Creates the next work log; sequences begin at 1. */
    public WorkLog createLog() throws IOException {
        begin();
        long sequence = lastSequence + 1;
        var file = files.create(path(OutputNames.workLog(sequence)));
        // Before any record: a record must not be answered for while its file may still vanish.
        files.syncDirectory(directory);
        lastSequence = sequence;
        OpenWorkLog log = new OpenWorkLog(incarnation, sequence, formats, file);
        usable = true;
        return log;
    }

    /**
     * Publishes a log that was finished: written aside in the user's format, synced, manifest, then
     * its name, exclusively. Removes the work log afterwards.
     *
     * @throws IOException also if the name is taken: somebody sealed this incarnation
     */
    public Manifest publish(WorkLog finished) throws IOException {
        begin();
        check(
                finished instanceof OpenWorkLog log && log.isFinishedOf(incarnation),
                "Expected a finished work log of %s, but got number %s",
                incarnation,
                finished.sequence());
        long sequence = finished.sequence();
        String path = path(OutputNames.workLog(sequence));
        Prepared prepared;
        try (WorkLogReader reader = WorkLogReader.read(files, path)) {
            reader.expect(incarnation, sequence);
            prepared = publication.prepare(incarnation, sequence, reader);
            int read = prepared.manifest().entries().size();
            if (read != finished.records() || reader.torn()) {
                throw new IOException(
                        "Expected %d records in work log %s, but read %d"
                                .formatted(finished.records(), path, read));
            }
        }
        if (!publication.takeManifest(prepared.manifest())) {
            throw new IOException(
                    "Expected no manifest of work log %s yet, but one stands".formatted(path));
        }
        publication.move(prepared, false);
        files.delete(path); // its published names are durable
        usable = true;
        return prepared.manifest();
    }

    private String path(String name) {
        return directory + "/" + name;
    }

    /** Whoever does not come to the end of a call has failed, and may not go on. */
    private void begin() throws IOException {
        if (!usable) {
            throw new IOException("A call failed before: " + incarnation + " must not write on");
        }
        usable = false;
    }

    /** An open work log. */
    public interface WorkLog extends AutoCloseable {
        long sequence();

        /**
         * Appends one record; it is not durable before {@link #sync}.
         *
         * @throws photon.core.error.BugException if the token is not of this incarnation, or the
         *     record is longer than {@link WorkRecord#BYTES_MAX}, or has an event for an output
         *     that cannot be, or one that its format refuses, where that can be told at little cost
         */
        void append(WorkRecord record) throws IOException;

        /** Readers see it; survives the death of this process. */
        void flush() throws IOException;

        /** Survives a power cut. */
        void sync() throws IOException;

        long bytes();

        int records();

        /** No record comes after this. Syncs. */
        void finish() throws IOException;

        /** Gives the file handle back, if there is one; does not sync. For a log given up. */
        @Override
        default void close() throws IOException {}
    }
}
