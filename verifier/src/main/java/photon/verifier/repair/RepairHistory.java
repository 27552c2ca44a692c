package photon.verifier.repair;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.core.id.Incarnation;
import photon.storage.files.FileStore;
import photon.storage.ledger.Ledger;
import photon.storage.ledger.LedgerEntry;

/**
 * What a datacenter's verifier has written down of its repairs, for people: which events each
 * incarnation had lost, and which of them were written off. Reads files that a verifier may be
 * writing to; changes nothing. Memory: some 200 bytes per lost event. Thread-safe.
 */
public final class RepairHistory {
    private final RepairRecords records;
    private final Map<EventId, WriteOff> writtenOff;

    private RepairHistory(RepairRecords records, Map<EventId, WriteOff> writtenOff) {
        this.records = records;
        this.writtenOff = Map.copyOf(writtenOff);
    }

    /**
     * @param stateDirectory the verifier's
     * @param ledgerDirectory the verifier's
     */
    public static RepairHistory read(FileStore files, String stateDirectory, String ledgerDirectory)
            throws IOException {
        Map<EventId, WriteOff> writtenOff = new HashMap<>();
        Ledger.forEach(
                files,
                ledgerDirectory,
                entry -> {
                    EventId id = entry.id();
                    if (entry.kind() == LedgerEntry.Kind.OUTCOME_LOST && id != null) {
                        writtenOff.put(id, new WriteOff(entry.reason(), entry.atMillis()));
                    }
                });
        return new RepairHistory(new RepairRecords(files, stateDirectory), writtenOff);
    }

    /**
     * An event that was given up.
     *
     * @param reason for people
     * @param atMillis when, in milliseconds since 1970, by the verifier's clock
     */
    public record WriteOff(String reason, long atMillis) {}

    /**
     * An event that an incarnation had committed and not written.
     *
     * @param token that held it
     * @param writtenOff empty: it was handed over to a dispatcher, or is still looked for
     */
    public record LostEvent(EventId id, CommitToken token, Optional<WriteOff> writtenOff) {}

    /** All that this one had lost, as far as its repair has come, in order of their finding. */
    public List<LostEvent> of(Incarnation incarnation) throws IOException {
        List<LostEvent> lost = new ArrayList<>();
        records.read(incarnation)
                .forEach(
                        (id, token) ->
                                lost.add(
                                        new LostEvent(
                                                id,
                                                token,
                                                Optional.ofNullable(writtenOff.get(id)))));
        return lost;
    }
}
