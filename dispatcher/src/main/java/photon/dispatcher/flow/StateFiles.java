package photon.dispatcher.flow;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import photon.dispatcher.state.StateDirectory;
import photon.storage.document.VersionedDocument;
import photon.storage.files.DurableDirectories;
import photon.storage.files.FileStore;
import photon.storage.journal.OpenJournal;
import photon.storage.ledger.Ledger;
import photon.storage.ledger.LedgerRetention;
import photon.storage.tail.Checkpoint;
import photon.storage.tail.CheckpointFiles;
import photon.storage.tail.CheckpointHistory;
import photon.storage.tail.FilePosition;

/**
 * The dispatcher's durable state, claimed: first the checkpoint, then the journal, so that an
 * earlier owner that only slept can neither pass an event nor add a row that is read
 * (docs/protocol.md section 7). Not thread-safe: the journal's loop owns it once it is open.
 */
public final class StateFiles implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(StateFiles.class);

    private static final int JOURNAL_TRIES = 3;

    private final FileStore files;
    private final String directory;
    private final VersionedDocument document;
    private final long owner;
    private final CheckpointFiles checkpoints;
    private final Checkpoint resume;
    private final OpenJournal journal;
    private final Ledger ledger;
    private final LedgerRetention ledgerRetention;
    private long version;

    private StateFiles(
            FileStore files,
            String directory,
            VersionedDocument document,
            long version,
            CheckpointFiles checkpoints,
            Checkpoint claimed,
            OpenJournal journal,
            Ledger ledger,
            LedgerRetention ledgerRetention) {
        this.files = files;
        this.directory = directory;
        this.document = document;
        this.version = version;
        this.checkpoints = checkpoints;
        this.owner = claimed.owner();
        this.resume = claimed;
        this.journal = journal;
        this.ledger = ledger;
        this.ledgerRetention = ledgerRetention;
    }

    /**
     * Opens and claims; makes what is not there.
     *
     * @throws IOException if the files cannot be read, or somebody else claims them at the same
     *     time
     */
    public static StateFiles open(FileStore files, StateDirectory state) throws IOException {
        return open(files, state, OpenJournal.SEGMENT_BYTES_MAX);
    }

    /**
     * With another size of the journal's segments, see {@link #open(FileStore, StateDirectory)}.
     */
    public static StateFiles open(FileStore files, StateDirectory state, long segmentBytesMax)
            throws IOException {
        return open(
                files,
                state,
                // Higher than the journal's too: a checkpoint may have been damaged or removed.
                before -> Math.max(before, OpenJournal.lastOwner(files, state.journal())) + 1,
                segmentBytesMax);
    }

    /** The highest owner number that was ever used in this state; 0 if none was. */
    public static long lastOwner(FileStore files, StateDirectory state) throws IOException {
        long ofCheckpoint =
                files.stat(state.checkpoint()) == null
                        ? 0
                        : CheckpointFiles.read(files, state.checkpoint())
                                .map(Checkpoint::owner)
                                .orElse(0L);
        return Math.max(ofCheckpoint, OpenJournal.lastOwner(files, state.journal()));
    }

    /**
     * Claims as the holder of a lease does.
     *
     * @param number of the lease: a later claim with a lower one is refused
     * @throws IOException as {@link #open(FileStore, StateDirectory)}, and if a later owner has
     *     claimed already
     */
    public static StateFiles openAs(long number, FileStore files, StateDirectory state)
            throws IOException {
        return openAs(number, files, state, OpenJournal.SEGMENT_BYTES_MAX);
    }

    /** With another size of the journal's segments. */
    public static StateFiles openAs(
            long number, FileStore files, StateDirectory state, long segmentBytesMax)
            throws IOException {
        return open(files, state, before -> later(number, before, state), segmentBytesMax);
    }

    private static long later(long number, long standing, StateDirectory state) throws IOException {
        if (standing >= number) {
            throw new LateOwnerException(
                    "The checkpoint in %s belongs to owner %d by now: owner %d comes too late"
                            .formatted(state.checkpoint(), standing, number));
        }
        return number;
    }

    /** Which number an owner has. */
    @FunctionalInterface
    private interface OwnNumber {
        /**
         * @param standing of the owner before; 0: there was none
         */
        long above(long standing) throws IOException;
    }

    private static StateFiles open(
            FileStore files, StateDirectory state, OwnNumber own, long segmentBytesMax)
            throws IOException {
        String checkpointDirectory = state.checkpoint();
        DurableDirectories.create(files, checkpointDirectory);
        VersionedDocument document =
                new VersionedDocument(files, checkpointDirectory, StateDirectory.CHECKPOINT);
        Optional<VersionedDocument.Version> last = document.read();
        long version = last.map(VersionedDocument.Version::number).orElse(0L);
        CheckpointFiles checkpoints = new CheckpointFiles(files, checkpointDirectory);
        Checkpoint before =
                last.isPresent()
                        ? checkpoints.resume(last.get().content())
                        : new Checkpoint(0, List.of());
        Checkpoint claimed =
                new Checkpoint(own.above(before.owner()), before.positions(), before.gone());
        byte[] content = checkpoints.claim(claimed.owner());
        write(document, version, content, checkpointDirectory);
        OpenJournal journal = openJournal(files, state, claimed.owner(), segmentBytesMax);
        Ledger ledger;
        LedgerRetention ledgerRetention = new LedgerRetention(files, state.ledger());
        try {
            ledger = Ledger.open(files, state.ledger());
            ledgerRetention.look();
        } catch (IOException e) {
            journal.close();
            throw e;
        }
        return new StateFiles(
                files,
                checkpointDirectory,
                document,
                version + 1,
                checkpoints,
                claimed,
                journal,
                ledger,
                ledgerRetention);
    }

    /**
     * Only now: who comes before has no right to pass an event any more. But it may not know yet,
     * and drop a segment that it has named so far.
     */
    private static OpenJournal openJournal(
            FileStore files, StateDirectory state, long owner, long segmentBytesMax)
            throws IOException {
        for (int i = 1; ; i++) {
            try {
                return OpenJournal.open(files, state.journal(), owner, segmentBytesMax);
            } catch (NoSuchFileException e) {
                if (i == JOURNAL_TRIES) {
                    throw e;
                }
            }
        }
    }

    private static void write(
            VersionedDocument document, long version, byte[] content, String directory)
            throws IOException {
        if (!document.write(version, content)) {
            throw new IOException(
                    "Expected to write version %d of the checkpoint in %s, but another dispatcher has written it: this one owns it no more"
                            .formatted(version + 1, directory));
        }
    }

    /** How far the files were done when this dispatcher started. */
    public List<FilePosition> resume() {
        return resume.positions();
    }

    /** The checkpoint as this dispatcher has claimed it. */
    Checkpoint claimed() {
        return resume;
    }

    OpenJournal journal() {
        return journal;
    }

    Ledger ledger() {
        return ledger;
    }

    LedgerRetention ledgerRetention() {
        return ledgerRetention;
    }

    String directory() {
        return directory;
    }

    void writeCheckpoint(CheckpointFiles.Change change) throws IOException {
        write(document, version, checkpoints.write(owner, change), directory);
        version++;
        checkpoints.written(owner, change);
    }

    /**
     * Notes how far the files were done when ({@link CheckpointHistory}). Nobody depends on it, so
     * what fails is left out.
     *
     * @param positions that were written
     * @param latestMillis what the time is at most, in milliseconds since 1970
     */
    void noteHistory(List<FilePosition> positions, long latestMillis) {
        try {
            CheckpointHistory.add(
                    files, directory, new CheckpointHistory.Entry(latestMillis, positions));
        } catch (IOException e) {
            log.warn("The history of the checkpoint in {} is not written", directory, e);
        }
    }

    /**
     * To be asked after something was made durable and before others are told so: whoever takes
     * over claims the checkpoint before it reads the journal, so it reads what stands there by now.
     *
     * @throws IOException if another dispatcher has claimed the checkpoint
     */
    void checkOwned() throws IOException {
        if (!document.isNewest(version)) {
            throw new IOException(
                    "Expected version %d of the checkpoint in %s to be the newest, but another dispatcher has written on: this one owns it no more"
                            .formatted(version, directory));
        }
    }

    @Override
    public void close() throws IOException {
        try {
            ledger.close();
        } finally {
            journal.close();
        }
    }
}
