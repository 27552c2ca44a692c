package photon.eventstore.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static photon.eventstore.Events.key;
import static photon.eventstore.Events.logEvent;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Test;
import photon.core.config.IdConfig;
import photon.proto.v1.Event;
import photon.storage.files.FileStore;
import photon.storage.files.MemoryFileStore;
import photon.storage.files.MemoryFileStore.Operation;
import photon.storage.tail.FilePosition;

/** Rules that only one history breaks, each with that history. */
class FileLogIndexRulesTest {
    private static final String STATE = "/state";
    private static final IndexKeys USER = IndexKeys.of(new IdConfig.User(List.of("id")));

    /** Many segments and parts with few events, and one file open at a time. */
    private static final IndexLimits SMALL = new IndexLimits(1, 3, 1_500, 200, 3, 1_000_000, 1, 0);

    private final MemoryFileStore files = new MemoryFileStore(1);
    private final Deque<Runnable> waiting = new ArrayDeque<>();
    private IndexLimits limits = SMALL;
    private Executor background = Runnable::run;

    FileLogIndexRulesTest() throws IOException {
        files.createDirectories(STATE);
    }

    /** A disk need not keep what was flushed in the order in which it came. */
    @Test
    void batchesBehindDamageDoNotCount() throws IOException {
        limits = IndexLimits.DEFAULTS;
        FileLogIndex killed = open();
        for (int i = 1; i <= 100; i++) {
            put(killed, i);
        }
        files.endHandles();
        String segment = STATE + "/index/" + IndexNames.segment(1);
        files.corrupt(segment, files.content(segment).length / 2);
        try (FileLogIndex index = open()) {
            int held = (int) index.opened().primaryEvents();
            assertThat(held).isBetween(10, 90);
            assertThat(index.opened().positions()).containsExactly(position(held));
            List<ByteString> wanted = keys(1, 100);
            assertThat(index.get(wanted.subList(0, held))).doesNotContainNull();
            assertThat(index.get(wanted.subList(held, 100))).containsOnlyNulls();
        }
    }

    /** Else each power cut would make a start read all segments of the newest parts. */
    @Test
    void aPowerCutLeavesNoPartToBeWrittenAnew() {
        FileLogIndex index = open();
        for (int number = 1; index.figures().parts() == 0; number++) {
            put(index, number);
        }
        files.crashLosingAllUnsynced();
        List<String> created = new ArrayList<>();
        files.setHook(
                (operation, path) -> {
                    if (operation == Operation.CREATE) {
                        created.add(path);
                    }
                });
        try (FileLogIndex again = open()) {
            assertThat(again.figures().parts()).isEqualTo(1);
            assertThat(created).noneMatch(path -> path.contains("/part-"));
        }
    }

    /** The first row of each part: no lookup could find it by its place any more. */
    @Test
    void aPlaceThatTheDiskHasChangedIsAnErrorAndNoAbsence() throws IOException {
        FileLogIndex index = open();
        int put = 0;
        while (index.figures().parts() == 0) {
            put(index, ++put);
        }
        for (FileStore.FileInfo file : files.peek(STATE + "/index")) {
            if (IndexNames.part(IndexNames.of(file.path())).isPresent()) {
                files.corrupt(file.path(), PartFormat.BLOCK_HEADER + Long.BYTES - 1);
            }
        }
        List<ByteString> all = keys(1, put);
        assertThatThrownBy(() -> index.get(all))
                .isInstanceOf(LogIndexException.class)
                .hasMessageContaining("checksum");
    }

    @Test
    void aSegmentIsAsOldAsItsNewestEventWhereverThatStands() {
        try (FileLogIndex index = open()) {
            put(index, 5_000);
            for (int number = 1; number <= 500; number++) {
                put(index, number);
            }
            assertThat(index.expire(1_000)).isPositive();
            assertThat(index.get(List.of(key("e5000")))).doesNotContainNull();
            assertThat(index.get(List.of(key("e300")))).containsOnlyNulls();
        }
    }

    @Test
    void aLookupUnderWhichPartsAreMergedFindsAll() {
        background = waiting::add;
        FileLogIndex index = open();
        int put = 0;
        while (index.figures().parts() < SMALL.partsMerged()) {
            put(index, ++put);
        }
        int[] partsThen = {0};
        files.setHook(
                (operation, path) -> {
                    if (operation == Operation.OPEN && path.contains("/part-")) {
                        files.setHook((later, anyPath) -> {});
                        runWaiting();
                        partsThen[0] = index.figures().parts();
                        assertThat(exists(path)).isFalse();
                    }
                });
        assertThat(index.get(keys(1, put))).doesNotContainNull();
        assertThat(partsThen[0]).isPositive();
    }

    private void runWaiting() {
        while (!waiting.isEmpty()) {
            waiting.remove().run();
        }
    }

    private boolean exists(String path) {
        return files.peek(STATE + "/index").stream()
                .map(FileStore.FileInfo::path)
                .anyMatch(path::equals);
    }

    /** A batch of one event, which has its number as time. */
    private static void put(FileLogIndex index, int number) {
        Event event = logEvent("e" + number, number, "{\"n\":" + number + "}").toProto();
        index.put(new IndexBatch(List.of(event), List.of(position(number)), 0));
    }

    private static List<ByteString> keys(int from, int to) {
        List<ByteString> keys = new ArrayList<>();
        for (int i = from; i <= to; i++) {
            keys.add(key("e" + i));
        }
        return keys;
    }

    private static FilePosition position(int offset) {
        return new FilePosition("/logs/f", "f", 4, "abcd", offset);
    }

    private FileLogIndex open() {
        return new IndexDirectory(files, STATE, limits).open(USER, "s", background);
    }
}
