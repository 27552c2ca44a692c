package photon.eventstore.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static photon.eventstore.Events.event;
import static photon.eventstore.Events.key;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import photon.core.config.IdConfig;
import photon.proto.v1.Event;
import photon.storage.tail.FilePosition;

class RocksLogIndexTest {
    private static final IndexKeys USER = IndexKeys.of(new IdConfig.User(List.of("id")));
    private static final IndexKeys COLLIDING = key -> new byte[] {7};

    @TempDir Path directory;

    @Test
    void aPrimaryEventIsFoundByItsWholeKeyAndItsRecordIsUnchanged() {
        try (LogIndex index = open(USER)) {
            Event query = event("q1", "{\"query\":\"flowers\"}");
            index.put(batch(query));
            assertThat(index.get(List.of(key("q2"), key("q1")))).containsExactly(null, query);
        }
    }

    @Test
    void keysThatHashAlikeNeverAnswerForEachOther() {
        try (LogIndex index = open(COLLIDING)) {
            index.put(batch(event("one", "{}")));
            assertThat(index.get(List.of(key("two")))).containsExactly((Event) null);
            index.put(batch(event("two", "{}")));
            assertThat(index.get(List.of(key("two"), key("one"), key("three"))))
                    .containsExactly(event("two", "{}"), null, null);
        }
    }

    @Test
    void theLastPrimaryEventOfAnIdIsHeldInABatchAndAcrossBatches() {
        try (LogIndex index = open(USER)) {
            Event first = event("job", "{\"n\":1}");
            Event second = event("job", "{\"n\":2}");
            index.put(batch(first, second));
            assertThat(index.get(List.of(key("job")))).containsExactly(second);
            index.put(batch(first));
            assertThat(index.get(List.of(key("job")))).containsExactly(first);
        }
    }

    @Test
    void aForgottenPositionIsGoneAndTheEventsStay() {
        FilePosition kept = position("f1", 1).modifiedAt(77);
        try (LogIndex index = open(USER)) {
            List<FilePosition> positions = List.of(kept, position("f2", 5), position("f3", 6));
            index.put(new IndexBatch(List.of(event("a", "{}")), positions, 0));
            index.forget(List.of("f2", "f3", "never heard of"));
        }
        try (LogIndex index = open(USER)) {
            assertThat(index.opened().positions()).containsExactly(kept);
            assertThat(index.get(List.of(key("a")))).doesNotContainNull();
        }
    }

    @Test
    void eventsPositionsAndCountsAreThereAgainAfterAClose() {
        try (LogIndex index = open(USER)) {
            index.put(
                    new IndexBatch(
                            List.of(event("a", "{}")),
                            List.of(position("f1", 10), position("f2", 5)),
                            2));
            index.put(new IndexBatch(List.of(event("b", "{}")), List.of(position("f1", 30)), 1));
        }
        try (LogIndex index = open(USER)) {
            assertThat(index.opened())
                    .isEqualTo(
                            new IndexState(List.of(position("f1", 30), position("f2", 5)), 2, 3));
            assertThat(index.get(List.of(key("a"), key("b")))).doesNotContainNull();
        }
    }

    /** What kill -9 leaves is what the files hold while the index is still open. */
    @Test
    void afterAKillEventsAndPositionsAgree() throws IOException {
        Path killed = Files.createDirectory(directory.resolve("killed"));
        try (LogIndex index = open(USER)) {
            for (int i = 0; i < 100; i++) {
                index.put(
                        new IndexBatch(
                                List.of(event("e" + i, "{}")), List.of(position("f", i + 1)), 0));
            }
            copy(directory.resolve("index"), killed.resolve("index"));
        }
        try (LogIndex index = new IndexDirectory(killed).open(USER, "s")) {
            assertThat(index.opened().positions()).containsExactly(position("f", 100));
            assertThat(index.opened().primaryEvents()).isEqualTo(100);
            assertThat(index.get(List.of(key("e0"), key("e99")))).doesNotContainNull();
        }
    }

    /** A power cut takes the end of the write-ahead log: a batch goes as a whole, or stays. */
    @Test
    void aTornWriteAheadLogLosesEventsAndTheirPositionsTogether() throws IOException {
        Path cut = Files.createDirectory(directory.resolve("cut"));
        try (LogIndex index = open(USER)) {
            for (int i = 0; i < 100; i++) {
                index.put(
                        new IndexBatch(
                                List.of(event("e" + i, "{}")), List.of(position("f", i + 1)), 0));
            }
            copy(directory.resolve("index"), cut.resolve("index"));
        }
        Path log = newest(cut.resolve("index"), ".log");
        byte[] whole = Files.readAllBytes(log);
        Files.write(log, java.util.Arrays.copyOf(whole, whole.length / 2));
        try (LogIndex index = new IndexDirectory(cut).open(USER, "s")) {
            int held = (int) index.opened().primaryEvents();
            assertThat(held).isBetween(1, 99);
            assertThat(index.opened().positions()).containsExactly(position("f", held));
            assertThat(index.get(List.of(key("e" + (held - 1)), key("e" + held))))
                    .extracting(e -> e != null)
                    .containsExactly(true, false);
        }
    }

    @Test
    void aCorruptIndexIsMovedAsideAndStartsEmpty() throws IOException {
        try (LogIndex index = open(USER)) {
            index.put(batch(event("a", "{}")));
        }
        Files.writeString(newest(directory.resolve("index"), "CURRENT"), "nonsense");
        try (LogIndex index = open(USER)) {
            assertThat(index.opened()).isEqualTo(IndexState.EMPTY);
            assertThat(index.get(List.of(key("a")))).containsExactly((Event) null);
        }
        assertThat(directory.resolve("index.corrupt")).isDirectory();
    }

    @Test
    void aMissingTableFileCountsAsCorruption() throws IOException {
        try (LogIndex index = open(USER)) {
            index.put(batch(event("a", "{}")));
        }
        Files.delete(newest(directory.resolve("index"), "MANIFEST-"));
        try (LogIndex index = open(USER)) {
            assertThat(index.opened()).isEqualTo(IndexState.EMPTY);
        }
    }

    @Test
    void bytesThatRotWhileTheIndexIsOpenStopTheReadAndTheNextStartRebuilds() throws IOException {
        List<Event> events = new ArrayList<>();
        for (int i = 0; i < 2_000; i++) {
            events.add(event("e" + i, "{\"n\":\"" + Integer.toHexString(i * 0x9E3779B1) + "\"}"));
        }
        try (LogIndex index = open(USER)) {
            index.put(new IndexBatch(events, List.of(position("f", 1)), 0));
        }
        // The second start writes the log of the first into a table.
        open(USER).close();
        Path table = newest(directory.resolve("index"), ".sst");
        byte[] bytes = Files.readAllBytes(table);
        // Not the beginning, where the settings stand: they are read at the start.
        java.util.Arrays.fill(bytes, bytes.length / 2, bytes.length * 2 / 3, (byte) 0x5A);
        Files.write(table, bytes);
        assertThatThrownBy(
                        () -> {
                            try (LogIndex index = open(USER)) {
                                index.get(events.stream().map(Event::getKey).toList());
                            }
                        })
                .isInstanceOf(LogIndexException.class);
        try (LogIndex index = open(USER)) {
            assertThat(index.opened()).isEqualTo(IndexState.EMPTY);
        }
    }

    @Test
    void anIndexOfOtherSettingsIsBuiltAnew() {
        try (LogIndex index = open(USER)) {
            index.put(batch(event("a", "{}")));
        }
        try (LogIndex index = new IndexDirectory(directory).open(USER, "others")) {
            assertThat(index.opened()).isEqualTo(IndexState.EMPTY);
        }
        try (LogIndex index = new IndexDirectory(directory).open(USER, "others")) {
            assertThat(index.get(List.of(key("a")))).containsExactly((Event) null);
        }
    }

    @Test
    void anIndexThatAnotherHoldsIsNotTouched() {
        try (LogIndex index = open(USER)) {
            index.put(batch(event("a", "{}")));
            assertThatThrownBy(() -> open(USER))
                    .isInstanceOf(LogIndexException.class)
                    .hasMessageContaining("lock");
            assertThat(index.get(List.of(key("a")))).doesNotContainNull();
        }
        assertThat(directory.resolve("index.corrupt")).doesNotExist();
    }

    /** Against a plain map, with reopening, repeats, and keys that collide. */
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4})
    void theIndexIsAMapThatKeepsTheLast(long seed) {
        Random random = new Random(seed);
        IndexKeys keys = seed % 2 == 0 ? USER : key -> new byte[] {key.byteAt(key.size() - 1)};
        Map<ByteString, Event> model = new HashMap<>();
        Map<String, FilePosition> positions = new java.util.TreeMap<>();
        long bad = 0;
        long put = 0;
        LogIndex index = open(keys);
        try {
            for (int step = 0; step < 200; step++) {
                if (random.nextInt(20) == 0) {
                    index.close();
                    index = open(keys);
                    assertThat(index.opened())
                            .isEqualTo(new IndexState(List.copyOf(positions.values()), put, bad));
                } else if (random.nextBoolean()) {
                    List<Event> events = new ArrayList<>();
                    for (int i = random.nextInt(30); i > 0; i--) {
                        events.add(event("e" + random.nextInt(400), "{\"n\":" + step + "}"));
                    }
                    FilePosition position = position("f" + random.nextInt(5), step);
                    int badNow = random.nextInt(3);
                    for (Event e : events) {
                        model.put(ByteString.copyFrom(keys.place(e.getKey())), e);
                    }
                    put += events.size();
                    positions.put(position.key(), position);
                    bad += badNow;
                    index.put(new IndexBatch(events, List.of(position), badNow));
                } else {
                    List<ByteString> wanted = new ArrayList<>();
                    for (int i = random.nextInt(50); i > 0; i--) {
                        wanted.add(key("e" + random.nextInt(500)));
                    }
                    List<Event> expected = new ArrayList<>();
                    for (ByteString k : wanted) {
                        Event held = model.get(ByteString.copyFrom(keys.place(k)));
                        expected.add(held != null && held.getKey().equals(k) ? held : null);
                    }
                    assertThat(index.get(wanted)).isEqualTo(expected);
                }
            }
        } finally {
            index.close();
        }
    }

    private LogIndex open(IndexKeys keys) {
        return new IndexDirectory(directory).open(keys, "s");
    }

    private static IndexBatch batch(Event... events) {
        return new IndexBatch(List.of(events), List.of(), 0);
    }

    private static FilePosition position(String file, long offset) {
        return new FilePosition("/logs/" + file, file, 4, "abcd", offset);
    }

    private static void copy(Path from, Path to) throws IOException {
        Files.createDirectory(to);
        try (Stream<Path> files = Files.list(from)) {
            for (Path file : files.toList()) {
                Files.copy(file, to.resolve(file.getFileName()));
            }
        }
    }

    private static Path newest(Path in, String part) throws IOException {
        try (Stream<Path> files = Files.list(in)) {
            return files.filter(f -> f.getFileName().toString().contains(part))
                    .max(java.util.Comparator.comparing(f -> f.getFileName().toString()))
                    .orElseThrow();
        }
    }
}
