package photon.eventstore.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static photon.eventstore.Events.event;
import static photon.eventstore.Events.key;
import static photon.eventstore.Events.logEvent;
import static photon.eventstore.Events.nativeEvent;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import photon.core.config.IdConfig;
import photon.core.id.EventId;
import photon.proto.v1.Event;
import photon.storage.files.FileStore;
import photon.storage.files.MemoryFileStore.Operation;
import photon.storage.tail.FilePosition;

class FileLogIndexTest extends IndexOnMemoryFiles {
    private static final IndexKeys COLLIDING = key -> new Place(7, 7);

    @Test
    void aPrimaryEventIsFoundByItsWholeKeyAndItsRecordIsUnchanged() {
        try (LogIndex index = open(USER)) {
            Event query = event("q1", "{\"query\":\"flowers\"}");
            index.put(batch(query));
            assertThat(index.get(List.of(key("q2"), key("q1")))).containsExactly(null, query);
        }
    }

    @Test
    void nativeIdsAreFoundAsUsersOwnAre() {
        IndexKeys natives = IndexKeys.of(new IdConfig.Native());
        // Each differs from the first in one part.
        List<Event> events =
                List.of(
                        nativeEvent(new EventId(1, 2, 3, 4), "{\"n\":1}"),
                        nativeEvent(new EventId(9, 2, 3, 4), "{\"n\":2}"),
                        nativeEvent(new EventId(1, 9L << 32, 3, 4), "{\"n\":3}"),
                        nativeEvent(new EventId(1, 2, 9, 4), "{\"n\":4}"),
                        nativeEvent(new EventId(1, 2, 3, 9), "{\"n\":5}"));
        List<ByteString> keys = events.stream().map(Event::getKey).toList();
        assertThat(keys.stream().map(natives::place).distinct()).hasSameSizeAs(keys);
        assertThat(keys.stream().map(natives::place).map(Place::low).distinct())
                .hasSameSizeAs(keys);
        ByteString other = nativeEvent(new EventId(1, 2, 3, 5), "{}").getKey();
        try (LogIndex index = open(natives)) {
            index.put(new IndexBatch(events, List.of(), 0));
            assertThat(index.get(keys)).isEqualTo(events);
            ByteString before1970 = ByteString.copyFrom(new byte[] {-1}).concat(other.substring(1));
            assertThat(index.get(List.of(other, key("no packed id"), before1970)))
                    .containsOnlyNulls();
        }
        try (LogIndex index = open(natives)) {
            assertThat(index.get(keys)).isEqualTo(events);
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
    void theLastPrimaryEventOfAnIdIsHeldInABatchAndAcrossBatchesAndParts() {
        limits = SMALL;
        try (FileLogIndex index = open(USER)) {
            Event first = event("job", "{\"n\":1}");
            Event second = event("job", "{\"n\":2}");
            index.put(batch(first, second));
            assertThat(index.get(List.of(key("job")))).containsExactly(second);
            index.put(batch(first));
            assertThat(index.get(List.of(key("job")))).containsExactly(first);
            fill(index, 0, 200);
            assertThat(index.figures().parts()).isPositive();
            assertThat(index.get(List.of(key("job")))).containsExactly(first);
            index.put(batch(second));
            assertThat(index.get(List.of(key("job")))).containsExactly(second);
            fill(index, 200, 1_500);
            assertThat(index.get(List.of(key("job")))).containsExactly(second);
        }
    }

    /** The newest rows are found as they are put, the list of segments as it was before. */
    @Test
    void anEventThatComesAgainInTheNextSegmentWhileItIsLookedUpIsFound() {
        limits = SMALL;
        List<Runnable> between = new ArrayList<>();
        IndexKeys keys =
                key -> {
                    List<Runnable> now = List.copyOf(between);
                    between.clear();
                    now.forEach(Runnable::run);
                    return USER.place(key);
                };
        Event again = event("job", "{\"n\":2}");
        try (FileLogIndex index = open(keys)) {
            index.put(batch(event("job", "{\"n\":1}")));
            between.add(
                    () -> {
                        for (int i = 0; index.figures().segments() == 1; i++) {
                            index.put(batch(event("e" + i, "{}")));
                        }
                        index.put(batch(again));
                    });
            assertThat(index.get(List.of(key("job")))).containsExactly(again);
            assertThat(index.figures().parts()).isZero();
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
    void positionsOfManyFilesGoOnFromSegmentToSegment() {
        limits = SMALL;
        List<FilePosition> many = new ArrayList<>();
        for (int i = 0; i < 2_500; i++) {
            many.add(position("f" + i, i));
        }
        try (LogIndex index = open(USER)) {
            index.put(new IndexBatch(List.of(event("a", "{}")), many, 0));
            fill(index, 0, 100);
        }
        try (LogIndex index = open(USER)) {
            assertThat(index.opened().positions()).containsAll(many);
        }
    }

    /** What kill -9 leaves: all that was flushed. */
    @Test
    void afterAKillEventsAndPositionsAgree() {
        limits = SMALL;
        LogIndex killed = open(USER);
        for (int i = 0; i < 100; i++) {
            killed.put(new IndexBatch(List.of(event("e" + i, "{}")), List.of(position("f", i)), 0));
        }
        files.endHandles();
        try (LogIndex index = open(USER)) {
            assertThat(index.opened().positions()).containsExactly(position("f", 99));
            assertThat(index.opened().primaryEvents()).isEqualTo(100);
            assertThat(index.get(List.of(key("e0"), key("e50"), key("e99")))).doesNotContainNull();
        }
    }

    @Test
    void aTornEndLosesEventsAndTheirPositionsTogether() throws IOException {
        LogIndex killed = open(USER);
        for (int i = 0; i < 100; i++) {
            killed.put(
                    new IndexBatch(
                            List.of(event("e" + i, "{}")), List.of(position("f", i + 1)), 0));
        }
        files.endHandles();
        String segment = newest("segment-");
        files.truncate(segment, files.content(segment).length / 2);
        int held;
        try (LogIndex index = open(USER)) {
            held = (int) index.opened().primaryEvents();
            assertThat(held).isBetween(1, 99);
            assertThat(index.opened().positions()).containsExactly(position("f", held));
            assertThat(index.get(List.of(key("e" + (held - 1)), key("e" + held))))
                    .extracting(Objects::nonNull)
                    .containsExactly(true, false);
            // What is read again counts.
            index.put(
                    new IndexBatch(
                            List.of(event("e" + held, "{}")), List.of(position("f", held + 1)), 0));
        }
        files.crashLosingAllUnsynced();
        try (LogIndex index = open(USER)) {
            assertThat(index.opened().primaryEvents()).isGreaterThanOrEqualTo(held);
        }
    }

    /** What was flushed only is copied and durable once it was found at a start. */
    @Test
    void whatAStartHasFoundSurvivesAPowerCut() {
        open(USER).put(batch(event("a", "{}")));
        files.endHandles();
        open(USER);
        files.crashLosingAllUnsynced();
        try (LogIndex index = open(USER)) {
            assertThat(index.get(List.of(key("a")))).doesNotContainNull();
        }
    }

    @Test
    void startsDoNotMakeMoreFiles() {
        open(USER).put(batch(event("a", "{}")));
        for (int i = 0; i < 20; i++) {
            files.endHandles();
            open(USER);
        }
        assertThat(files.peek(STATE + "/index")).hasSize(1);
    }

    @Test
    void manyEventsLieInFewPartsAndAllAreFound() {
        limits = SMALL;
        try (FileLogIndex index = open(USER)) {
            fill(index, 0, 5_000);
            IndexFigures figures = index.figures();
            assertThat(figures.segments()).isGreaterThan(50);
            assertThat(figures.parts()).isBetween(1, 12);
            assertThat(figures.events()).isEqualTo(5_000);
            assertAllFound(index, 0, 5_000);
            assertThat(index.get(List.of(key("e5000"), key("other")))).containsOnlyNulls();
            assertThat(files.peek(STATE + "/index")).hasSize(figures.segments() + figures.parts());
        }
        try (FileLogIndex index = open(USER)) {
            assertAllFound(index, 0, 5_000);
        }
    }

    @Test
    void aTableThatIsBeingSealedIsStillFound() {
        limits = SMALL;
        Deque<Runnable> tasks = new ArrayDeque<>();
        background = tasks::add;
        FileLogIndex index = open(USER);
        fill(index, 0, 400);
        assertThat(tasks).isNotEmpty();
        assertAllFound(index, 0, 400);
        // Nobody runs them: the one that puts seals by itself, and dies before the last is.
        files.endHandles();
        background = AT_ONCE;
        try (FileLogIndex again = open(USER)) {
            assertAllFound(again, 0, 400);
        }
    }

    @Test
    void aSealThatFailsIsToldToTheNextPut() throws IOException {
        limits = SMALL;
        Deque<Runnable> tasks = new ArrayDeque<>();
        background = tasks::add;
        FileLogIndex index = open(USER);
        int put = 0;
        while (tasks.isEmpty()) {
            fill(index, put, put + 10);
            put += 10;
        }
        files.failAt(Operation.CREATE, 1);
        tasks.remove().run();
        assertAllFound(index, 0, put);
        assertThatThrownBy(() -> index.put(batch(event("a", "{}"))))
                .isInstanceOf(LogIndexException.class);
        int held = put;
        index.close();
        background = AT_ONCE;
        try (FileLogIndex again = open(USER)) {
            assertAllFound(again, 0, held);
        }
    }

    @Test
    void oldSegmentsAreDroppedWholeAndTheirPartsGo() throws IOException {
        limits = SMALL;
        try (FileLogIndex index = open(USER)) {
            for (int i = 0; i < 3_000; i += 20) {
                List<Event> events = new ArrayList<>();
                for (int n = i; n < i + 20; n++) {
                    events.add(logEvent("e" + n, n, "{\"n\":" + n + "}").toProto());
                }
                index.put(new IndexBatch(events, List.of(), 0));
            }
            long before = index.figures().diskBytes();
            assertThat(index.expire(2_000)).isBetween(1_800L, 2_000L);
            assertThat(index.expire(2_000)).isZero();
            assertAllFound(index, 2_000, 3_000);
            assertThat(index.get(List.of(key("e0"), key("e1500")))).containsOnlyNulls();
            assertThat(index.figures().diskBytes()).isLessThan(before / 2);
            assertThat(index.figures().expired()).isBetween(1_800L, 2_000L);
            assertThat(index.opened().primaryEvents()).isZero();
            assertThat(diskBytes()).isLessThan(before / 2);
        }
        files.crashLosingAllUnsynced();
        try (FileLogIndex index = open(USER)) {
            assertAllFound(index, 2_000, 2_900);
            assertThat(index.get(List.of(key("e0"), key("e1500")))).containsOnlyNulls();
            assertThat(index.expire(10_000)).isPositive();
            assertThat(index.figures().parts()).isZero();
        }
    }

    @Test
    void aDamagedPartIsWrittenAnewFromTheSegments() throws IOException {
        limits = SMALL;
        try (FileLogIndex index = open(USER)) {
            fill(index, 0, 3_000);
        }
        for (FileStore.FileInfo file : files.peek(STATE + "/index")) {
            if (file.path().contains("/part-")) {
                files.corrupt(file.path(), (int) file.length() - 60);
            }
        }
        try (FileLogIndex index = open(USER)) {
            assertThat(index.opened().primaryEvents()).isEqualTo(3_000);
            assertAllFound(index, 0, 3_000);
        }
        files.delete(newest("part-"));
        try (FileLogIndex index = open(USER)) {
            assertAllFound(index, 0, 3_000);
        }
    }

    @Test
    void aPartThatRotsIsNeverTakenForAbsenceAndTheNextStartWritesItAnew() throws IOException {
        limits = SMALL;
        FileLogIndex index = open(USER);
        fill(index, 0, 3_000);
        for (FileStore.FileInfo file : files.peek(STATE + "/index")) {
            if (file.path().contains("/part-")) {
                for (int at = 100; at < file.length() / 2; at += 512) {
                    files.corrupt(file.path(), at);
                }
            }
        }
        assertThatThrownBy(() -> assertAllFound(index, 0, 3_000))
                .isInstanceOf(LogIndexException.class)
                .hasMessageContaining("checksum");
        index.close();
        int starts = 0;
        while (true) {
            try (FileLogIndex again = open(USER)) {
                assertThat(again.opened().primaryEvents()).isEqualTo(3_000);
                assertAllFound(again, 0, 3_000);
                break;
            } catch (LogIndexException e) { // another part
                assertThat(++starts).isLessThan(20);
            }
        }
    }

    @Test
    void aSegmentThatRotsStopsTheReadAndTheNextStartRebuilds() throws IOException {
        limits = SMALL;
        FileLogIndex index = open(USER);
        fill(index, 0, 1_000);
        String first =
                files.peek(STATE + "/index").stream()
                        .map(FileStore.FileInfo::path)
                        .filter(path -> path.contains("/segment-"))
                        .min(String::compareTo)
                        .orElseThrow();
        files.corrupt(first, files.content(first).length / 2);
        assertThatThrownBy(() -> assertAllFound(index, 0, 1_000))
                .isInstanceOf(LogIndexException.class);
        index.close();
        try (FileLogIndex again = open(USER)) {
            assertThat(again.opened()).isEqualTo(IndexState.EMPTY);
        }
        assertThat(files.stat(STATE + "/index.corrupt")).isNotNull();
        try (FileLogIndex again = open(USER)) {
            assertThat(again.opened()).isEqualTo(IndexState.EMPTY);
        }
    }

    @Test
    void aMissingSegmentCountsAsDamage() throws IOException {
        limits = SMALL;
        try (FileLogIndex index = open(USER)) {
            fill(index, 0, 1_000);
        }
        files.delete(STATE + "/index/" + IndexNames.segment(3));
        try (FileLogIndex index = open(USER)) {
            assertThat(index.opened()).isEqualTo(IndexState.EMPTY);
            assertThat(index.get(List.of(key("e1")))).containsOnlyNulls();
        }
        assertThat(files.stat(STATE + "/index.corrupt")).isNotNull();
    }

    @Test
    void anIndexOfOtherSettingsIsBuiltAnew() {
        try (LogIndex index = open(USER)) {
            index.put(batch(event("a", "{}")));
        }
        for (int i = 0; i < 2; i++) {
            try (LogIndex index =
                    new IndexDirectory(files, STATE, limits).open(USER, "others", AT_ONCE)) {
                assertThat(index.opened()).isEqualTo(IndexState.EMPTY);
                assertThat(index.get(List.of(key("a")))).containsOnlyNulls();
            }
        }
    }

    @Test
    void tablesOfNewestRowsStayWithinTheirBoundAlsoAfterAStart() {
        // A table is full long before a segment is, and no batch fits exactly.
        limits = new IndexLimits(100_000, 1_000, 1L << 20, 1_000, 3, 1_000_000, 4, 0);
        // Nobody seals: the one that puts does, once it has a second full table.
        background = task -> {};
        for (int life = 0; life < 4; life++) {
            FileLogIndex index = open(USER);
            for (int i = 3_000 * life; i < 3_000 * life + 3_000; i += 10) {
                assertThat(index.tableBytes()).isLessThanOrEqualTo(limits.recentBytes());
                fill(index, i, i + 10);
            }
            assertAllFound(index, 0, 3_000 * (life + 1));
            files.endHandles();
        }
    }

    @Test
    void aBatchOfMoreRowsThanATableHoldsIsHeld() {
        limits = SMALL;
        List<Event> many = new ArrayList<>();
        for (int i = 0; i < 5_000; i++) {
            many.add(event("e" + i, "{\"n\":" + i + "}"));
        }
        try (FileLogIndex index = open(USER)) {
            fill(index, 0, 10);
            index.put(new IndexBatch(many, List.of(), 0));
            fill(index, 5_000, 5_020);
            assertAllFound(index, 0, 5_020);
            assertThat(index.tableBytes()).isLessThan(100_000);
        }
        try (FileLogIndex index = open(USER)) {
            assertAllFound(index, 0, 5_020);
        }
    }

    @Test
    void anEventFromTheFutureDoesNotKeepItsSegment() {
        limits = SMALL;
        try (FileLogIndex index = open(USER)) {
            Event future = logEvent("future", Long.MAX_VALUE, "{}").toProto();
            index.put(new IndexBatch(List.of(future), List.of(), 0, 1_000));
            fill(index, 0, 50);
            assertThat(index.expire(1_001)).isPositive();
            assertThat(index.get(List.of(key("future")))).containsOnlyNulls();
        }
    }

    @Test
    void theNewestEventsAreFoundWithoutReadingUpToABoundOnMemory() {
        limits = SMALL.withCacheBytes(3_000);
        try (FileLogIndex index = open(USER)) {
            fill(index, 0, 1_000);
            long without = index.figures().memoryBytes() - 3_000;
            assertThat(index.get(List.of(key("e999"), key("e998")))).doesNotContainNull();
            assertThat(index.figures().cacheHits()).isEqualTo(2);
            assertThat(index.figures().diskHits()).isZero();
            assertAllFound(index, 0, 1_000);
            assertThat(index.figures().diskHits()).isGreaterThan(900);
            fill(index, 1_000, 2_000);
            assertThat(index.figures().memoryBytes()).isGreaterThan(without);
        }
    }

    @Test
    void anEventLargerThanABlockIsHeld() {
        Event large = event("large", "{\"text\":\"" + "x1y2".repeat(200_000) + "\"}");
        try (LogIndex index = open(USER)) {
            index.put(batch(event("a", "{}"), large, event("b", "{}")));
            assertThat(index.get(List.of(key("b"), key("large"), key("a"))))
                    .containsExactly(event("b", "{}"), large, event("a", "{}"));
        }
    }
}
