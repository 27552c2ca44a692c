package photon.eventstore.tail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static photon.eventstore.Events.key;
import static photon.eventstore.Events.logEvent;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import photon.core.loop.ManualLoop;
import photon.core.share.EventStoreShares;
import photon.core.share.StoreShare;
import photon.eventstore.index.IndexBatch;
import photon.eventstore.index.IndexState;
import photon.eventstore.index.LogIndex;
import photon.eventstore.index.LogIndexException;
import photon.eventstore.index.MemoryLogIndex;
import photon.proto.v1.Event;
import photon.storage.tail.LiveReading;
import photon.storage.tail.LogOutage;
import photon.storage.tail.LogTroubles;

class PrimaryIndexerTest {
    private final List<List<Object>> files = new ArrayList<>();
    private final CrashingIndex index = new CrashingIndex();
    private final List<String> ledger = new ArrayList<>();
    private StoreShare share = StoreShare.WHOLE;
    private boolean ledgerFails;
    private ManualLoop loop = new ManualLoop();
    private FakePrimaryLog log = new FakePrimaryLog(List.of(), List.of());
    private @Nullable TailProgress progress;
    private final List<Boolean> history = new ArrayList<>();
    private final List<Long> unread = new ArrayList<>();
    private final List<Optional<LiveReading>> lives = new ArrayList<>();

    @BeforeEach
    void twoLogs() {
        files.add(new ArrayList<>());
        files.add(new ArrayList<>());
    }

    @Test
    void theLogsAreIndexedToTheirEnd() {
        for (int i = 0; i < 10_000; i++) {
            files.get(i % 2).add(logEvent("e" + i, i, "{}"));
        }
        startLife();
        loop.runUntilIdle();
        assertThat(progress).isEqualTo(atTheEnd(10_000, 0, 0));
        assertThat(index.get(List.of(key("e0"), key("e9999")))).doesNotContainNull();
        assertThat(index.puts).isLessThan(5);
    }

    /** What it passes over counts as read, and is not read again. */
    @Test
    void onlyTheShareIsIndexedAndAllIsRead() {
        share = new StoreShare(new EventStoreShares(List.of("a", "b", "c"), 1), "b");
        fill(300);
        startLife();
        loop.runUntilIdle();
        int held = 0;
        for (int i = 0; i < 300; i++) {
            boolean own = share.holds(key("e" + i));
            assertThat(index.get(List.of(key("e" + i))).get(0) != null).isEqualTo(own);
            held += own ? 1 : 0;
        }
        assertThat(held).isBetween(50, 150);
        assertThat(progress).isEqualTo(atTheEnd(held, 0, 0));
        assertThat(told().allRead(loop.nanoTime())).isTrue();
        startLife();
        loop.runUntilIdle();
        assertThat(log.recordsRead).isZero();
    }

    private TailProgress told() {
        return Objects.requireNonNull(progress, "progress");
    }

    private TailProgress atTheEnd(long primaryEvents, long badRecords, long lagBytes) {
        return new TailProgress(
                primaryEvents,
                badRecords,
                true,
                false,
                TailProgress.ALL_READ,
                Optional.empty(),
                told().allReadUntilNanos(),
                lagBytes,
                0,
                LogTroubles.NONE,
                0);
    }

    /** A loop that hangs tells nothing more, and what it told last goes on to be read. */
    @Test
    void allIsReadAsLongAsThatIsLookedAt() {
        fill(10);
        startLife();
        assertThat(TailProgress.begun(index.opened()).allRead(loop.nanoTime())).isFalse();
        loop.runUntilIdle();
        assertThat(told().allRead(loop.nanoTime())).isTrue();
        TailProgress before = told();
        loop.advance(PrimaryIndexer.ALL_READ_FOR.plusMillis(1));
        assertThat(before.allRead(loop.nanoTime())).isFalse();
        assertThat(told().allRead(loop.nanoTime())).isTrue();
        log.failing = true;
        loop.advance(PrimaryIndexer.ALL_READ_FOR.plusSeconds(2));
        assertThat(told().allRead(loop.nanoTime())).isFalse();
    }

    /** What was written into a log behind its turn is not read. */
    @Test
    void whatWasReadInASlowPollDoesNotCountForItsEnd() {
        fill(10);
        startLife();
        loop.runUntilIdle();
        log.pollTook = PrimaryIndexer.ALL_READ_FOR.plusSeconds(1);
        loop.advance(PrimaryIndexer.IDLE_MAX);
        assertThat(told().allRead(loop.nanoTime())).isFalse();
        log.pollTook = PrimaryIndexer.ALL_READ_FOR.dividedBy(2);
        loop.advance(PrimaryIndexer.IDLE_MAX);
        assertThat(told().allRead(loop.nanoTime())).isTrue();
    }

    @Test
    void nothingCountsAsReadWhereTheLogsAreNotInSight() {
        fill(10);
        startLife();
        log.inSight = false;
        loop.runUntilIdle();
        assertThat(told().caughtUp()).isTrue();
        assertThat(told().allRead(loop.nanoTime())).isFalse();
    }

    @Test
    void whatIsAppendedLaterIsFoundAfterTheNextLook() {
        startLife();
        loop.runUntilIdle();
        files.get(1).add(logEvent("late", 7, "{}"));
        loop.advance(PrimaryIndexer.IDLE_MAX);
        assertThat(index.get(List.of(key("late")))).doesNotContainNull();
    }

    @Test
    void aRestartReadsNothingTwice() {
        fill(100);
        startLife();
        loop.runUntilIdle();
        files.get(0).add(logEvent("new", 1, "{}"));
        startLife();
        loop.runUntilIdle();
        assertThat(log.recordsRead).isEqualTo(1);
        assertThat(progress).isEqualTo(atTheEnd(101, 0, 0));
    }

    @Test
    void aCrashBeforeTheIndexIsWrittenReadsTheBatchAgainAndCountsItsBadRecordsOnce() {
        fill(100);
        files.get(0).add("without id");
        files.get(1).add("broken timestamp");
        index.crashing = true;
        startLife();
        assertThatThrownBy(loop::runUntilIdle).isInstanceOf(LogIndexException.class);
        index.crashing = false;
        startLife();
        loop.runUntilIdle();
        assertThat(progress).isEqualTo(atTheEnd(100, 2, 0));
        assertThat(new HashSet<>(ledger)).hasSize(2);
    }

    @Test
    void aBadRecordIsWrittenDownBeforeAPositionPassesIt() {
        fill(10);
        files.get(0).add("without id");
        ledgerFails = true;
        startLife();
        assertThatThrownBy(loop::runUntilIdle).isInstanceOf(UncheckedIOException.class);
        assertThat(index.puts).isZero();
    }

    @Test
    void recordsThatWereFilteredOutMoveThePositionToo() {
        files.get(0).add("");
        files.get(0).add("");
        startLife();
        loop.runUntilIdle();
        startLife();
        loop.runUntilIdle();
        assertThat(log.recordsRead).isZero();
        assertThat(progress).isEqualTo(atTheEnd(0, 0, 0));
    }

    /** No position passes it, so each life meets it again. */
    @Test
    void aFileThatCannotBeReadOnIsCountedOnceInEachLife() {
        fill(10);
        files.get(0).add(FakePrimaryLog.CORRUPT);
        files.get(1).add("without id");
        for (int life = 0; life < 3; life++) {
            startLife();
            loop.runUntilIdle();
            assertThat(progress).isEqualTo(atTheEnd(10, 2, 1));
        }
        assertThat(new HashSet<>(ledger)).containsExactlyInAnyOrder("/logs/0@5", "/logs/1@5");
    }

    @Test
    void aStoreThatIsAwayIsTriedAgain() {
        fill(10);
        PrimaryIndexer indexer = startLife();
        log.failing = true;
        long since = loop.nanoTime();
        loop.runUntilIdle();
        assertThat(progress).extracting(TailProgress::caughtUp).isEqualTo(false);
        loop.advance(LogOutage.RETRY_MIN);
        assertThat(indexer.health().failingNanos()).as("not the last failure").hasValue(since);
        assertThat(indexer.health().trouble()).isEqualTo("the store is away");
        log.failing = false;
        loop.advance(LogOutage.RETRY_MAX);
        assertThat(indexer.health().failingNanos()).isEmpty();
        assertThat(progress).isEqualTo(atTheEnd(10, 0, 0));
    }

    @Test
    void logsThatCannotBeListedAnyMoreAreNotIndexedToTheirEnd() {
        fill(10);
        startLife();
        loop.runUntilIdle();
        assertThat(progress).extracting(TailProgress::caughtUp).isEqualTo(true);
        log.failing = true;
        loop.advance(PrimaryIndexer.IDLE_MAX);
        assertThat(progress).extracting(TailProgress::caughtUp).isEqualTo(false);
    }

    @Test
    void nothingRunsAfterStop() {
        PrimaryIndexer indexer = startLife();
        indexer.stop();
        fill(10);
        loop.advance(LogOutage.RETRY_MIN);
        assertThat(index.puts).isZero();
    }

    @Test
    void itIsBehindUntilItHasReachedTheEndAndWhenThatWasLongAgo() {
        fill(PrimaryIndexer.RECORDS_A_BATCH_MAX + 10);
        startLife();
        loop.runUntilIdle();
        assertThat(history).startsWith(true).endsWith(false);
        log.failing = true;
        loop.advance(PrimaryIndexer.BEHIND_AFTER.multipliedBy(2));
        log.failing = false;
        history.clear();
        fill(3 * PrimaryIndexer.RECORDS_A_BATCH_MAX);
        loop.advance(LogOutage.RETRY_MAX);
        assertThat(history).startsWith(true).endsWith(false);
    }

    @Test
    void whileItIsBehindTheLogThatWasReadLeastFarSaysWhatIsUnread() {
        files.get(0).add(logEvent("old", 1, "{}"));
        for (int i = 0; i < 2 * PrimaryIndexer.RECORDS_A_BATCH_MAX; i++) {
            files.get(1).add(logEvent("e" + i, 1_000 + i, "{}"));
        }
        startLife();
        loop.runUntilIdle();
        assertThat(unread)
                .as("file 0 was read to its end with the first batch")
                .startsWith(
                        1_000L + PrimaryIndexer.RECORDS_A_BATCH_MAX - 2,
                        1_000L + 2 * PrimaryIndexer.RECORDS_A_BATCH_MAX - 2)
                .endsWith(TailProgress.ALL_READ);
    }

    /** Behind or not is of all logs: without a backlog for two seconds all is read. */
    @Test
    void whatIsReadLiveIsToldApartOnlyWhileItIsBehind() {
        LiveReading live = new LiveReading(5_000, 9_000);
        fill(PrimaryIndexer.RECORDS_A_BATCH_MAX + 10);
        startLife();
        log.live = Optional.of(live);
        loop.runUntilIdle();
        assertThat(lives).startsWith(Optional.of(live)).endsWith(Optional.empty());
    }

    /** Logs that grow and processes that die at any moment give what one life would have given. */
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {11, 12, 13, 14, 15})
    void whateverCrashesTheIndexHoldsTheLogs(long seed) {
        Random random = new Random(seed);
        Set<ByteString> keys = new HashSet<>();
        int bad = 0;
        int written = 0;
        startLife();
        for (int step = 0; step < 300; step++) {
            List<Object> file = files.get(random.nextInt(2));
            switch (random.nextInt(6)) {
                case 0 -> {
                    file.add("bad " + step);
                    bad++;
                }
                case 1 -> file.add("");
                case 2 -> {
                    index.crashing = random.nextBoolean();
                    try {
                        loop.advance(PrimaryIndexer.IDLE_MAX);
                    } catch (LogIndexException crash) {
                        // Its process is dead.
                    }
                    index.crashing = false;
                    startLife();
                }
                case 3 -> loop.advance(PrimaryIndexer.IDLE_MAX);
                default -> {
                    String id = "e" + random.nextInt(200);
                    keys.add(key(id));
                    written++;
                    file.add(logEvent(id, step, "{}"));
                }
            }
        }
        startLife();
        loop.runUntilIdle();
        assertThat(progress).isEqualTo(atTheEnd(written, bad, 0));
        assertThat(index.get(List.copyOf(keys))).doesNotContainNull();
        assertThat(new HashSet<>(ledger)).hasSize(bad);
    }

    private void fill(int events) {
        for (int i = 0; i < events; i++) {
            files.get(i % 2).add(logEvent("e" + i, i, "{}"));
        }
    }

    /** A process starts; the one before, if any, is dead. */
    private PrimaryIndexer startLife() {
        loop.close();
        loop = new ManualLoop();
        progress = null;
        index.memory.reopen();
        log = new FakePrimaryLog(files, index.opened().positions());
        PrimaryIndexer indexer =
                new PrimaryIndexer(
                        loop,
                        log,
                        share,
                        index,
                        bad -> {
                            if (ledgerFails) {
                                throw new IOException("disk full");
                            }
                            bad.forEach(item -> ledger.add(item.path() + "@" + item.offset()));
                        },
                        events -> {},
                        now -> {
                            progress = now;
                            history.add(now.behind());
                            unread.add(now.unreadMicros());
                            lives.add(now.live());
                        });
        indexer.start();
        return indexer;
    }

    /** Dies instead of writing, when told so. */
    private static final class CrashingIndex implements LogIndex {
        final MemoryLogIndex memory = new MemoryLogIndex();
        boolean crashing;
        int puts;

        @Override
        public IndexState opened() {
            return memory.opened();
        }

        @Override
        public void put(IndexBatch batch) {
            if (crashing) {
                throw new LogIndexException("crash", new IOException());
            }
            puts++;
            memory.put(batch);
        }

        @Override
        public void forget(List<String> fileKeys) {
            memory.forget(fileKeys);
        }

        @Override
        public List<@Nullable Event> get(List<ByteString> keys) {
            return memory.get(keys);
        }

        @Override
        public void close() {}
    }
}
