package photon.dispatcher.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import photon.core.time.IntervalClock;
import photon.dispatcher.rules.ResetPlan;
import photon.dispatcher.rules.ResetPlan.Facts;
import photon.dispatcher.rules.ResetTarget;
import photon.storage.document.DocumentFolder;
import photon.storage.files.FileStore.AppendFile;
import photon.storage.files.FileStore.FileInfo;
import photon.storage.files.MemoryFileStore;
import photon.storage.lease.Lease;
import photon.storage.lease.LeaseDocument;
import photon.storage.ledger.Ledger;
import photon.storage.ledger.LedgerEntry;
import photon.storage.tail.Checkpoint;
import photon.storage.tail.CheckpointFiles;
import photon.storage.tail.CheckpointHistory;
import photon.storage.tail.FilePosition;
import photon.storage.tail.GoneFiles;
import photon.storage.tail.ResetNotes;

class StateResetTest {
    private static final String LOG = "/logs/a.jsonl";
    private static final int EVENTS = 10;
    private static final ResetNotes.Note NOTE =
            new ResetNotes.Note(1_700_000_009_000L, "ops", "latest", "", 0, 1);
    private static final IntervalClock CLOCK =
            () -> new IntervalClock.Interval(1_700_000_000_000_000L, 1_700_000_000_000_000L);

    private final MemoryFileStore files = new MemoryFileStore();
    private final LogRange logs = new LogRange(files, World.FOREIGN, CLOCK);
    private final StateReset reset = new StateReset(files, World.STATE, logs);
    private final List<FilePosition> behind = new ArrayList<>();

    /** Ten events, a page view that is filtered out, and a record that is half written. */
    @BeforeEach
    void aLog() throws IOException {
        files.createDirectories("/logs");
        files.createDirectories("/state");
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < EVENTS; i++) {
            text.append(
                    "{\"type\":\"click\",\"id\":\"c%d\",\"of\":\"p\",\"t\":1700000000000000}\n"
                            .formatted(i));
        }
        text.append("{\"type\":\"view\"}\n{\"type\":\"cli");
        byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
        try (AppendFile file = files.create(LOG)) {
            file.write(bytes, 0, bytes.length);
            file.sync();
        }
        for (int n = 1; n <= EVENTS; n++) {
            behind.add(
                    logs.read(LOG, Optional.empty(), Long.MAX_VALUE, n, item -> {}).orElseThrow());
        }
    }

    private FilePosition end() throws IOException {
        return logs.read(LOG, Optional.empty(), Long.MAX_VALUE, Long.MAX_VALUE, item -> {})
                .orElseThrow();
    }

    private static void checkpoint(StateFiles state, FilePosition position) throws IOException {
        state.writeCheckpoint(new CheckpointFiles.Change(List.of(position), null, GoneFiles.NONE));
    }

    private Checkpoint standing() throws IOException {
        return CheckpointFiles.read(files, World.STATE.checkpoint()).orElseThrow();
    }

    private ResetPlan plan(ResetTarget target) throws IOException {
        FileInfo log = files.glob(LOG).get(0);
        return ResetPlan.of(
                target,
                new Facts(
                        standing(),
                        Map.of(log.key(), log),
                        Optional.empty(),
                        Optional.empty(),
                        Map.of(log.key(), end()),
                        Long.MIN_VALUE));
    }

    private List<LedgerEntry> ledger() throws IOException {
        List<LedgerEntry> entries = new ArrayList<>();
        Ledger.forEach(files, World.STATE.ledger(), entries::add);
        return entries;
    }

    @Test
    void aRangeIsReadFromItsPositionToItsEnd() throws IOException {
        List<String> ids = new ArrayList<>();
        logs.read(
                LOG,
                Optional.of(behind.get(2)),
                behind.get(5).offset(),
                Long.MAX_VALUE,
                item -> ids.add(item.event() == null ? "" : item.event().idText()));
        assertThat(ids).containsExactly("c3", "c4", "c5");
        assertThat(end().offset()).isGreaterThan(behind.get(EVENTS - 1).offset());
    }

    @Test
    void whatIsReadAgainIsNotedBeforeAndReadFromItsStart() throws IOException {
        try (StateFiles before = StateFiles.open(files, World.STATE)) {
            checkpoint(before, behind.get(4));
        }
        Checkpoint planned = standing();
        reset.apply(Optional.empty(), planned, plan(ResetTarget.EARLIEST), NOTE);
        try (StateFiles next = StateFiles.open(files, World.STATE)) {
            assertThat(next.resume()).extracting(FilePosition::offset).containsExactly(0L);
        }
        ResetNotes notes = ResetNotes.read(files, World.STATE.checkpoint());
        assertThat(notes.notes()).containsExactly(NOTE);
        assertThat(notes.withReadBefore(standing()).positions()).contains(behind.get(4));
        assertThat(CheckpointHistory.read(files, World.STATE.checkpoint()).entries())
                .singleElement()
                .satisfies(entry -> assertThat(entry.positions().get(0).offset()).isZero());
        assertThat(ledger()).isEmpty();
    }

    @Test
    void eachEventThatIsSkippedIsInTheLedger() throws IOException {
        try (StateFiles before = StateFiles.open(files, World.STATE)) {
            checkpoint(before, behind.get(4));
        }
        reset.apply(Optional.empty(), standing(), plan(ResetTarget.LATEST), NOTE);
        assertThat(standing().positions()).containsExactly(end());
        assertThat(ledger())
                .allSatisfy(
                        entry -> {
                            assertThat(entry.kind()).isEqualTo(LedgerEntry.Kind.SKIPPED);
                            assertThat(entry.reason()).isEqualTo("skipped by a reset to latest");
                        })
                .extracting(LedgerEntry::idText)
                .containsExactly("c5", "c6", "c7", "c8", "c9");
    }

    @Test
    void aPlanOfAnotherCheckpointIsRefused() throws IOException {
        Checkpoint planned = new Checkpoint(1, List.of(behind.get(3)));
        try (StateFiles before = StateFiles.open(files, World.STATE)) {
            checkpoint(before, behind.get(4));
        }
        ResetPlan plan = plan(ResetTarget.EARLIEST);
        assertThatThrownBy(() -> reset.apply(Optional.empty(), planned, plan, NOTE))
                .hasMessageContaining("has moved since the plan was made");
        assertThat(standing().positions()).containsExactly(behind.get(4));
    }

    /**
     * It may wake at any step: it loses the checkpoint, or the reset does, and never both write.
     */
    @Test
    void aDispatcherThatWakesWritesNothingOverAReset() throws IOException {
        int refused = 0;
        int applied = 0;
        for (int n = 1; n <= 120; n++) {
            files.delete("/state");
            StateFiles asleep = StateFiles.open(files, World.STATE);
            checkpoint(asleep, behind.get(4));
            Checkpoint planned = standing();
            ResetPlan plan = plan(ResetTarget.EARLIEST);
            int[] left = {n};
            boolean[] written = {false};
            files.setHook(
                    (operation, path) -> {
                        if (--left[0] == 0) {
                            files.setHook((any, at) -> {});
                            written[0] = writes(asleep);
                        }
                    });
            boolean done = true;
            try {
                reset.apply(Optional.empty(), planned, plan, NOTE);
            } catch (IOException e) {
                done = false;
            }
            files.setHook((any, at) -> {});
            assertThat(done && written[0]).as("woke before operation %s", n).isFalse();
            assertThat(standing().positions().get(0).offset())
                    .as("woke before operation %s", n)
                    .isEqualTo(done ? 0 : behind.get(written[0] ? 6 : 4).offset());
            assertThat(done && writes(asleep)).as("after operation %s", n).isFalse();
            refused += done ? 0 : 1;
            applied += done ? 1 : 0;
        }
        assertThat(refused).isPositive();
        assertThat(applied).isPositive();
    }

    private boolean writes(StateFiles asleep) {
        try {
            checkpoint(asleep, behind.get(6));
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    void theLeaseIsTakenWithANumberOfItsOwnAndGivenBack() throws IOException {
        LeaseDocument document =
                new LeaseDocument(new DocumentFolder(files, "/state/leases"), "partition-0");
        Lease died = document.take(document.read(), "a", 0).orElseThrow();
        StateFiles asleep = StateFiles.openAs(died.number(), files, World.STATE);
        checkpoint(asleep, behind.get(4));
        StateReset.Shared shared = new StateReset.Shared(document, document.read(), "ops");
        reset.apply(Optional.of(shared), standing(), plan(ResetTarget.EARLIEST), NOTE);
        assertThat(document.read().lease())
                .hasValueSatisfying(
                        lease -> {
                            assertThat(lease.released()).isTrue();
                            assertThat(lease.number()).isGreaterThan(died.number());
                        });
        assertThat(standing().owner()).isGreaterThan(died.number());
        assertThat(writes(asleep)).isFalse();

        Checkpoint planned = standing();
        ResetPlan plan = plan(ResetTarget.LATEST);
        assertThatThrownBy(() -> reset.apply(Optional.of(shared), planned, plan, NOTE))
                .hasMessageContaining("a dispatcher has taken the lease");
        assertThat(standing()).isEqualTo(planned);
    }
}
