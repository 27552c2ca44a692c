package photon.dispatcher.flow;

import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import photon.core.event.LogEvent;
import photon.dispatcher.rules.ResetPlan;
import photon.dispatcher.rules.ResetPlan.Fate;
import photon.dispatcher.rules.ResetPlan.FileReset;
import photon.dispatcher.state.StateDirectory;
import photon.storage.files.FileStore;
import photon.storage.lease.Lease;
import photon.storage.lease.LeaseDocument;
import photon.storage.ledger.Ledger;
import photon.storage.ledger.LedgerEntry;
import photon.storage.tail.Checkpoint;
import photon.storage.tail.CheckpointFiles;
import photon.storage.tail.FilePosition;
import photon.storage.tail.ResetNotes;
import photon.storage.tail.TailBatch;

/**
 * Writes a plan into one partition of a dispatcher's state, which it claims as a dispatcher does,
 * with a number of its own: one that only slept cannot write over it, and ends (docs/protocol.md
 * section 7). Rows of the journal stay.
 */
public final class StateReset {
    private static final int ENTRIES_PER_SYNC = 10_000;

    private final FileStore files;
    private final StateDirectory state;
    private final LogRange logs;

    /**
     * @param logs in which skipped events are read, for the ledger
     */
    public StateReset(FileStore files, StateDirectory state, LogRange logs) {
        this.files = files;
        this.state = state;
        this.logs = logs;
    }

    /**
     * The lease of a partition, where several machines share the state.
     *
     * @param seen that nobody who works held when it was read
     * @param holder in whose name it is taken for the moment
     */
    public record Shared(LeaseDocument document, LeaseDocument.Standing seen, String holder) {}

    /**
     * Durable on return.
     *
     * @param lease empty: the caller has locked the state
     * @param planned the checkpoint of which the plan was made
     * @param note who has ordered it
     * @throws IOException if the checkpoint is another one by now, another one claims it or the
     *     files cannot be read or written. Nothing has been reset then
     */
    public void apply(
            Optional<Shared> lease, Checkpoint planned, ResetPlan plan, ResetNotes.Note note)
            throws IOException {
        if (lease.isEmpty()) {
            try (StateFiles claimed = StateFiles.open(files, state)) {
                write(claimed, planned, plan, note);
            }
            return;
        }
        Shared shared = lease.get();
        LeaseDocument.Standing seen = shared.seen();
        Lease mine =
                shared.document()
                        .take(seen, shared.holder(), StateFiles.lastOwner(files, state))
                        .orElseThrow(
                                () ->
                                        new IOException(
                                                "a dispatcher has taken the lease of %s just now"
                                                        .formatted(state.path())));
        try (StateFiles claimed = StateFiles.openAs(mine.number(), files, state)) {
            write(claimed, planned, plan, note);
        } finally {
            shared.document().write(seen.version() + 1, mine.asReleased());
        }
    }

    private void write(StateFiles claimed, Checkpoint planned, ResetPlan plan, ResetNotes.Note note)
            throws IOException {
        List<FilePosition> before = claimed.resume();
        if (!new HashSet<>(before).equals(new HashSet<>(planned.positions()))) {
            throw new IOException(
                    "the checkpoint in %s has moved since the plan was made: a dispatcher has worked on it"
                            .formatted(state.checkpoint()));
        }
        List<FileReset> back = plan.of(Fate.BACK);
        List<FileReset> forward = plan.of(Fate.FORWARD);
        // First of all: from then on a repair knows how far was read, whatever the checkpoint says.
        ResetNotes.add(
                files,
                state.checkpoint(),
                note,
                before,
                back.stream().map(FileReset::before).toList());
        for (FileReset file : forward) {
            enterSkipped(claimed, file, note);
        }
        claimed.writeCheckpoint(
                new CheckpointFiles.Change(List.of(), plan.positions(), planned.gone()));
        claimed.noteHistory(plan.positions(), note.atMillis());
    }

    /** No offset passes an event of which nothing is written down. */
    private void enterSkipped(StateFiles claimed, FileReset file, ResetNotes.Note note)
            throws IOException {
        Ledger ledger = claimed.ledger();
        String path = file.after().path();
        int[] appended = {0};
        Optional<FilePosition> reached =
                logs.read(
                        path,
                        Optional.of(file.before()).filter(before -> before.offset() > 0),
                        file.after().offset(),
                        Long.MAX_VALUE,
                        item -> {
                            LedgerEntry entry = entry(item, note);
                            if (entry != null) {
                                ledger.append(entry);
                                appended[0]++;
                            }
                            if (appended[0] == ENTRIES_PER_SYNC) {
                                appended[0] = 0;
                                ledger.sync();
                            }
                        });
        ledger.sync();
        if (reached.map(FilePosition::offset).orElse(-1L) < file.after().offset()) {
            throw new IOException(
                    "%s cannot be read up to its byte %s any more"
                            .formatted(path, file.after().offset()));
        }
    }

    private static @Nullable LedgerEntry entry(TailBatch.Item item, ResetNotes.Note note) {
        LogEvent event = item.event();
        TailBatch.BadRecord bad = item.bad();
        if (event != null) {
            return new LedgerEntry(
                    LedgerEntry.Kind.SKIPPED,
                    event.id(),
                    event.idText(),
                    "skipped by a reset to " + note.to(),
                    item.path(),
                    item.offset(),
                    event.json().toStringUtf8(),
                    note.atMillis());
        }
        return bad == null ? null : Settler.badEntry(item, bad, note.atMillis());
    }
}
