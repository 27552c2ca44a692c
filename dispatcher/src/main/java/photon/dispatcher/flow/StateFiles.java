package photon.dispatcher.flow;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import photon.dispatcher.StateDirectory;
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
        // Higher than the journal's too: a checkpoint may have been damaged or removed.
        long lastOwner = Math.max(before.owner(), OpenJournal.lastOwner(files, state.journal()));
        Checkpoint claimed = new Checkpoint(lastOwner + 1, before.positions(), before.gone());
        byte[] content = checkpoints.claim(claimed.owner());
        write(document, version, content, checkpointDirectory);
        OpenJournal journal =
                OpenJournal.open(files, state.journal(), claimed.owner(), segmentBytesMax);
        Ledger ledger = Ledger.open(files, state.ledger());
        LedgerRetention ledgerRetention = new LedgerRetention(files, state.ledger());
        ledgerRetention.look();
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
