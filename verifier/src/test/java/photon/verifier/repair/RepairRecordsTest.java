package photon.verifier.repair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.core.id.Incarnation;
import photon.storage.files.FileStore;
import photon.storage.files.MemoryFileStore;

class RepairRecordsTest {
    private static final String STATE = "/state/verifier";
    private static final Incarnation THIRD = new Incarnation(3, 1);
    private static final Incarnation THIRTIETH = new Incarnation(3, 10);

    private final MemoryFileStore files = new MemoryFileStore();
    private final RepairRecords records = new RepairRecords(files, STATE);

    private static Map<EventId, CommitToken> lost(Incarnation incarnation, int from, int to) {
        Map<EventId, CommitToken> lost = new LinkedHashMap<>();
        for (int n = from; n < to; n++) {
            lost.put(new EventId(1_000 + n, n, -n, n), CommitToken.of(incarnation, n));
        }
        return lost;
    }

    @Test
    void whatWasWrittenIsReadEachIncarnationByItself() throws IOException {
        assertThat(records.incarnations()).isEmpty();
        assertThat(records.read(THIRD)).isEmpty();
        records.add(THIRD, lost(THIRD, 0, 3));
        records.add(THIRTIETH, lost(THIRTIETH, 5, 6));
        assertThat(records.read(THIRD)).isEqualTo(lost(THIRD, 0, 3));
        assertThat(records.read(THIRTIETH)).isEqualTo(lost(THIRTIETH, 5, 6));
        assertThat(records.incarnations()).containsExactly(THIRD, THIRTIETH);
    }

    @Test
    void aRepairThatStartsOverWritesOnlyWhatIsNew() throws IOException {
        records.add(THIRD, lost(THIRD, 0, 3));
        records.add(THIRD, lost(THIRD, 1, 3));
        assertThat(files.list(STATE + "/repairs")).hasSize(1);
        records.add(THIRD, lost(THIRD, 2, 5));
        assertThat(files.list(STATE + "/repairs"))
                .extracting(FileStore.FileInfo::path)
                .containsExactlyInAnyOrder(
                        STATE + "/repairs/3-1.jsonl", STATE + "/repairs/3-1.2.jsonl");
        assertThat(records.read(THIRD)).isEqualTo(lost(THIRD, 0, 5));
    }

    @Test
    void aFileLeftBehindHalfWrittenIsNotRead() throws IOException {
        files.createDirectories(STATE + "/repairs");
        try (FileStore.AppendFile half = files.create(STATE + "/repairs/_3-1.jsonl.aside")) {
            half.write(new byte[] {'{'}, 0, 1);
        }
        assertThat(records.incarnations()).isEmpty();
        records.add(THIRD, lost(THIRD, 0, 2));
        assertThat(records.read(THIRD)).isEqualTo(lost(THIRD, 0, 2));
    }

    @Test
    void aRecordThatIsDamagedIsNotTakenForNone() throws IOException {
        files.createDirectories(STATE + "/repairs");
        try (FileStore.AppendFile bad = files.create(STATE + "/repairs/3-1.jsonl")) {
            bad.write(new byte[] {'{', '\n'}, 0, 2);
        }
        assertThatThrownBy(() -> records.read(THIRD)).isInstanceOf(IOException.class);
    }
}
