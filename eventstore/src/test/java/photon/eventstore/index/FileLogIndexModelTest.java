package photon.eventstore.index;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import photon.core.config.IdConfig;
import photon.eventstore.Events;
import photon.proto.v1.Event;
import photon.storage.files.MemoryFileStore;
import photon.storage.tail.FilePosition;

/**
 * The index against a plain list of batches, with deaths of the process and power cuts at any
 * operation on files. After a death all batches that were put are there; after a power cut all but
 * some of the last; and what is there says so itself, by its positions.
 */
class FileLogIndexModelTest {
    private static final IndexLimits LIMITS =
            new IndexLimits(1, 3, 1_500, 200, 3, 1_000_000, 3, 1_000);
    private static final int STEPS = 300;

    /** The machine stops before the operation. */
    private static final class StopException extends RuntimeException {}

    private final List<IndexBatch> batches = new ArrayList<>();
    private final Map<ByteString, List<Event>> everPut = new HashMap<>();

    /** Batches before this one are there even after a power cut. */
    private int durable;

    /** Since the last opening that went well. */
    private boolean powerCut;

    /** Events that are older may be there or not. */
    private long expiredBefore = Long.MIN_VALUE;

    private MemoryFileStore files = new MemoryFileStore();
    private Random random = new Random();
    private final Deque<Runnable> waiting = new ArrayDeque<>();
    private boolean late;

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16})
    void whatIsThereIsThePutsUpToAPointAndTheirPositions(long seed) throws IOException {
        random = new Random(seed);
        files = new MemoryFileStore(seed);
        files.createDirectories("/state");
        files.syncAll();
        late = seed % 2 == 0;
        IndexKeys keys = IndexKeys.of(new IdConfig.User(List.of("id")));
        int starts = 0;
        int steps = 0;
        while (steps < STEPS || starts < 20) {
            starts++;
            stopAfter(random.nextInt(random.nextBoolean() ? 40 : 400));
            @Nullable FileLogIndex index = null;
            boolean wasPutting = false;
            try {
                index = open(keys);
                checkOpened(index);
                durable = batches.size();
                powerCut = false;
                while (true) {
                    steps++;
                    wasPutting = true;
                    step(index);
                    wasPutting = false;
                    runSomeWaiting();
                }
            } catch (StopException stop) {
                // The batch in hand may be there or not.
                assertThat(wasPutting || index == null || late).isTrue();
            } catch (LogIndexException e) {
                assertThat(e).hasRootCauseInstanceOf(StopException.class);
            }
            waiting.clear();
            files.setHook((operation, path) -> {});
            if (random.nextBoolean()) {
                files.crash();
                powerCut = true;
            } else {
                files.endHandles();
            }
        }
        files.setHook((operation, path) -> {});
        try (FileLogIndex index = open(keys)) {
            checkOpened(index);
        }
        assertThat(files.stat("/state/index.corrupt")).isNull();
    }

    private void stopAfter(int operations) {
        int[] left = {operations};
        files.setHook(
                (operation, path) -> {
                    if (operation.changes() && left[0]-- <= 0) {
                        throw new StopException();
                    }
                });
    }

    private FileLogIndex open(IndexKeys keys) {
        Executor executor = late ? waiting::add : Runnable::run;
        return new IndexDirectory(files, "/state", LIMITS).open(keys, "s", executor);
    }

    private void runSomeWaiting() {
        while (!waiting.isEmpty() && random.nextInt(3) > 0) {
            waiting.remove().run();
        }
    }

    private void step(FileLogIndex index) {
        switch (random.nextInt(10)) {
            case 0 -> {
                long before = expiredBefore;
                expiredBefore = Math.max(before, batches.size() - 40L + random.nextInt(30));
                index.expire(expiredBefore);
            }
            case 1, 2 -> checkFound(index, batches.size());
            default -> put(index);
        }
    }

    private void put(FileLogIndex index) {
        int number = batches.size() + 1;
        List<Event> events = new ArrayList<>();
        for (int i = random.nextInt(60); i >= 0; i--) {
            String id = "e" + random.nextInt(3_000);
            events.add(Events.logEvent(id, number, "{\"n\":" + number + "." + i + "}").toProto());
        }
        FilePosition position = new FilePosition("/logs/f", "f", 4, "abcd", number);
        IndexBatch batch = new IndexBatch(events, List.of(position), number % 3);
        batches.add(batch);
        events.forEach(e -> everPut.computeIfAbsent(e.getKey(), k -> new ArrayList<>()).add(e));
        index.put(batch);
    }

    /** Also forgets the batches that are gone: they are put again, as others. */
    private void checkOpened(FileLogIndex index) {
        List<FilePosition> positions = index.opened().positions();
        int held = positions.isEmpty() ? 0 : (int) positions.get(0).offset();
        // Of the batch in hand when the process died nothing is known.
        assertThat(held).isBetween(powerCut ? durable : batches.size() - 1, batches.size());
        batches.subList(held, batches.size()).clear();
        everPut.clear();
        long events = 0;
        long bad = 0;
        for (IndexBatch batch : batches) {
            events += batch.events().size();
            bad += batch.badRecords();
            for (Event e : batch.events()) {
                everPut.computeIfAbsent(e.getKey(), k -> new ArrayList<>()).add(e);
            }
        }
        assertThat(index.opened().primaryEvents()).isEqualTo(events);
        assertThat(index.opened().badRecords()).isEqualTo(bad);
        checkFound(index, held);
    }

    private void checkFound(FileLogIndex index, int held) {
        Map<ByteString, Event> last = new TreeMap<>(ByteString.unsignedLexicographicalComparator());
        batches.subList(0, held)
                .forEach(batch -> batch.events().forEach(e -> last.put(e.getKey(), e)));
        List<ByteString> wanted = new ArrayList<>(last.keySet());
        wanted.add(Events.key("never put"));
        List<@Nullable Event> found = index.get(wanted);
        Set<ByteString> wrong = new HashSet<>();
        for (int i = 0; i < wanted.size(); i++) {
            Event expected = last.get(wanted.get(i));
            Event actual = found.get(i);
            boolean mayBeGone = expected == null || Events.micros(expected) < expiredBefore;
            if (!(actual == null ? mayBeGone : actual.equals(expected))) {
                wrong.add(wanted.get(i));
            }
        }
        assertThat(wrong).isEmpty();
    }
}
