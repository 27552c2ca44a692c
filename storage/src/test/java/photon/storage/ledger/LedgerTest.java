package photon.storage.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import photon.core.id.EventId;
import photon.storage.files.FileStore;
import photon.storage.files.MemoryFileStore;

class LedgerTest {
    private static final String DIRECTORY = "/state/ledger";

    private final MemoryFileStore files = new MemoryFileStore();

    private static LedgerEntry entry(int number) {
        EventId id = number % 3 == 0 ? null : new EventId(number, 1, 2, 3);
        return new LedgerEntry(
                number % 2 == 0 ? LedgerEntry.Kind.SKIPPED : LedgerEntry.Kind.DEAD_LETTER,
                id,
                "id:" + number,
                "because \"" + number + "\"\n",
                "/logs/a.csv",
                number * 10L,
                "{\"n\":" + number + "}",
                99);
    }

    private List<LedgerEntry> read() throws IOException {
        List<LedgerEntry> entries = new ArrayList<>();
        Ledger.forEach(files, DIRECTORY, entries::add);
        return entries;
    }

    @Test
    void whatWasWrittenIsReadBackInOrderOverSeveralLivesAndSegments() throws IOException {
        List<LedgerEntry> written = new ArrayList<>();
        for (int life = 0; life < 3; life++) {
            try (Ledger ledger = Ledger.open(files, DIRECTORY, 400)) {
                for (int i = 0; i < 10; i++) {
                    written.add(entry(written.size()));
                    ledger.append(written.get(written.size() - 1));
                    if (i % 3 == 0) {
                        ledger.sync();
                    }
                }
            }
        }
        assertThat(read()).isEqualTo(written);
        assertThat(files.list(DIRECTORY)).hasSizeGreaterThan(3);
    }

    /** One of them was taken over by the other, and does not know yet. */
    @Test
    void twoWhoWriteAtOneTimeDoNotStopEachOther() throws IOException {
        List<LedgerEntry> written = new ArrayList<>();
        try (Ledger one = Ledger.open(files, DIRECTORY, 400);
                Ledger two = Ledger.open(files, DIRECTORY, 400)) {
            for (int i = 0; i < 40; i++) {
                LedgerEntry entry = entry(i);
                written.add(entry);
                (i % 2 == 0 ? one : two).append(entry);
                (i % 2 == 0 ? one : two).sync();
            }
        }
        assertThat(read()).containsExactlyInAnyOrderElementsOf(written);
    }

    @Test
    void aLedgerThatNobodyWroteIsEmpty() throws IOException {
        assertThat(read()).isEmpty();
        Ledger.open(files, DIRECTORY).close();
        assertThat(read()).isEmpty();
    }

    @Test
    void everyLineIsJsonForOtherReadersToo() throws IOException {
        try (Ledger ledger = Ledger.open(files, DIRECTORY)) {
            ledger.append(entry(1));
        }
        String path = files.list(DIRECTORY).get(0).path();
        String line = new String(files.content(path), StandardCharsets.UTF_8);
        assertThat(line).startsWith("{\"crc\":\"").endsWith("}}\n");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
    void whatWasSyncedSurvivesAnyCrash(int seed) throws IOException {
        SplittableRandom random = new SplittableRandom(seed);
        MemoryFileStore disk = new MemoryFileStore(seed);
        List<LedgerEntry> synced = new ArrayList<>();
        for (int life = 0; life < 8; life++) {
            Ledger ledger = Ledger.open(disk, DIRECTORY, 2_000);
            List<LedgerEntry> pending = new ArrayList<>();
            for (int step = random.nextInt(30); step >= 0; step--) {
                pending.add(entry(random.nextInt(1_000)));
                ledger.append(pending.get(pending.size() - 1));
                if (random.nextInt(4) == 0) {
                    ledger.sync();
                    synced.addAll(pending);
                    pending.clear();
                }
            }
            if (!pending.isEmpty() && random.nextBoolean()) {
                disk.failAt(MemoryFileStore.Operation.SYNC, 1);
                assertThatThrownBy(ledger::close).isInstanceOf(IOException.class);
            }
            disk.crash();
            List<LedgerEntry> read = new ArrayList<>();
            Ledger.forEach(disk, DIRECTORY, read::add);
            assertThat(read).as("seed %d", seed).containsSubsequence(synced);
            synced = read;
        }
    }

    @Test
    void aSegmentWhoseNameMayNotBeDurableIsNotWrittenEvenWhenClosing() throws IOException {
        Ledger ledger = Ledger.open(files, DIRECTORY);
        ledger.append(entry(1));
        files.failAt(MemoryFileStore.Operation.SYNC_DIRECTORY, 1);
        assertThatThrownBy(ledger::sync).isInstanceOf(IOException.class);
        assertThatThrownBy(ledger::sync)
                .isInstanceOf(IOException.class)
                .hasMessageContaining(DIRECTORY);
        ledger.close();
        assertThat(read()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(
            value = MemoryFileStore.Operation.class,
            names = {"WRITE", "SYNC"})
    void aFileThatFailedIsNotWrittenAgain(MemoryFileStore.Operation failing) throws IOException {
        Ledger ledger = Ledger.open(files, DIRECTORY);
        ledger.append(entry(1));
        ledger.sync();
        ledger.append(entry(2));
        files.failAt(failing, 1);
        assertThatThrownBy(ledger::sync).isInstanceOf(IOException.class);
        List<MemoryFileStore.Operation> after = new ArrayList<>();
        files.setHook((operation, path) -> after.add(operation));
        ledger.close();
        assertThat(after)
                .doesNotContain(MemoryFileStore.Operation.WRITE, MemoryFileStore.Operation.SYNC);
    }

    @Test
    void damageInTheMiddleIsAnErrorNotAnEnd() throws IOException {
        try (Ledger ledger = Ledger.open(files, DIRECTORY)) {
            for (int i = 0; i < 4; i++) {
                ledger.append(entry(i));
                ledger.sync();
            }
        }
        FileStore.FileInfo segment = files.list(DIRECTORY).get(0);
        files.corrupt(segment.path(), (int) segment.length() / 2);
        assertThatThrownBy(this::read)
                .isInstanceOf(IOException.class)
                .hasMessageContaining(segment.path());
    }

    @Test
    void aTornLastBatchIsCut() throws IOException {
        try (Ledger ledger = Ledger.open(files, DIRECTORY)) {
            ledger.append(entry(0));
            ledger.sync();
            ledger.append(entry(1));
            ledger.append(entry(2));
        }
        FileStore.FileInfo segment = files.list(DIRECTORY).get(0);
        files.truncate(segment.path(), (int) segment.length() - 5);
        assertThat(read()).containsExactly(entry(0), entry(1));
    }
}
