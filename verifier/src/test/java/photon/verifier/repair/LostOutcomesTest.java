package photon.verifier.repair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static photon.verifier.repair.RepairWorld.id;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.core.id.Incarnation;
import photon.core.time.IntervalClock.Interval;
import photon.storage.files.FileStore;
import photon.storage.files.MemoryFileStore;
import photon.storage.ledger.Ledger;

class LostOutcomesTest {
    private static final String DIRECTORY = "/state/verifier/ledger";
    private static final CommitToken TOKEN = CommitToken.of(new Incarnation(3, 17), 5);
    private static final String REASON = "its event stands in no log";

    private final MemoryFileStore files = new MemoryFileStore();
    private final LostOutcomes outcomes = started(files);

    private static LostOutcomes started(MemoryFileStore files) {
        return new LostOutcomes(
                new LostOutcomes.LedgerStore(files, DIRECTORY),
                () -> new Interval(5_000_000, 5_000_000));
    }

    private List<EventId> written() throws IOException {
        List<EventId> ids = new ArrayList<>();
        Ledger.forEach(files, DIRECTORY, entry -> ids.add(entry.id()));
        return ids;
    }

    @Test
    void anIdIsWrittenOnceHoweverOftenItsRepairBeginsAnew() throws IOException {
        for (int attempt = 0; attempt < 3; attempt++) {
            outcomes.record(id(1), TOKEN, REASON);
            outcomes.record(id(2), TOKEN, REASON);
            outcomes.sync();
        }
        files.crashLosingAllUnsynced();
        assertThat(written()).containsExactly(id(1), id(2));
    }

    @Test
    void theHolderIsToldWhateverItsTokensKind() throws IOException {
        outcomes.record(id(1), TOKEN, REASON);
        outcomes.record(id(2), TOKEN.asUnmatched(), REASON);
        outcomes.record(id(3).upgrade(), TOKEN.asUpgrade(), REASON);
        outcomes.sync();
        List<Optional<Incarnation>> holders = new ArrayList<>();
        Ledger.forEach(files, DIRECTORY, entry -> holders.add(LostOutcomes.holderOf(entry)));
        assertThat(holders).hasSize(3).containsOnly(Optional.of(new Incarnation(3, 17)));
    }

    @Test
    void whatItRemembersIsBounded() throws IOException {
        for (int n = 1; n <= LostOutcomes.KNOWN_MAX + 1; n++) {
            outcomes.record(id(n), TOKEN, REASON);
        }
        outcomes.sync();
        outcomes.record(id(1), TOKEN, REASON);
        outcomes.sync();
        assertThat(written()).as("written once more").hasSize(LostOutcomes.KNOWN_MAX + 2);
    }

    @Test
    void whatARepairThatFailedHasLeftIsDurableWithTheNextSync() throws IOException {
        outcomes.record(id(1), TOKEN, REASON);
        // The repair begins anew before it came to the sync.
        outcomes.record(id(1), TOKEN, REASON);
        outcomes.sync();
        files.crashLosingAllUnsynced();
        assertThat(written()).containsExactly(id(1));
    }

    @ParameterizedTest
    @EnumSource(
            value = MemoryFileStore.Operation.class,
            names = {"CREATE", "SYNC_DIRECTORY", "WRITE", "SYNC"})
    void whatWasNotSyncedIsWrittenAgain(MemoryFileStore.Operation failing) throws IOException {
        outcomes.record(id(1), TOKEN, REASON);
        files.failAt(failing, 1);
        assertThatThrownBy(outcomes::sync).isInstanceOf(IOException.class);
        outcomes.record(id(1), TOKEN, REASON);
        outcomes.sync();
        files.crashLosingAllUnsynced();
        assertThat(written()).contains(id(1));
    }

    @Test
    void whatAPredecessorWroteAndDidNotSyncIsWrittenAgain() throws IOException {
        outcomes.record(id(1), TOKEN, REASON);
        outcomes.sync();
        // As it stands when the process dies between the write and the sync: for all to be read.
        MemoryFileStore next = new MemoryFileStore();
        next.createDirectories(DIRECTORY);
        next.syncAll();
        String segment = files.list(DIRECTORY).get(0).path();
        byte[] bytes = files.content(segment);
        FileStore.AppendFile unsynced = next.create(segment);
        unsynced.write(bytes, 0, bytes.length);
        unsynced.flush();
        next.syncDirectory(DIRECTORY);

        LostOutcomes successor = started(next);
        successor.record(id(1), TOKEN, REASON);
        successor.sync();
        next.crashLosingAllUnsynced();
        List<EventId> ids = new ArrayList<>();
        Ledger.forEach(next, DIRECTORY, entry -> ids.add(entry.id()));
        assertThat(ids).containsExactly(id(1));
    }
}
