package photon.idregistry.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.core.id.Incarnation;
import photon.core.id.Packed;

/**
 * The table against a plain map, over random operations from a seed, with sealing, merging,
 * freezing, restoring and replaying at any moment between them.
 */
final class IdTableModelTest {
    private static final int STEPS = 300;

    @TempDir Path directory;

    private final TreeMap<EventId, CommitToken> model = new TreeMap<>();
    private final List<Operation> log = new ArrayList<>();
    private Random random = new Random(0);
    private long boundary = Long.MIN_VALUE;
    private int days = 1;
    private TestHome home = newHome();
    private IdTable table = new IdTable(home.home);
    private @Nullable Snapshot snapshot;
    private final List<@Nullable CommitToken> askedExpected = new ArrayList<>();
    private @Nullable LookupBatch asked;
    private long sealings;

    /** What one entry of a log does. */
    private interface Operation {
        void run(IdTable table, long index);
    }

    static LongStream seeds() {
        return LongStream.rangeClosed(1, 40);
    }

    static Stream<Long> fewSeeds() {
        return Stream.of(101L, 102L, 103L);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void agreesWithAPlainMap(long seed) throws IOException {
        begin(seed, new MemoryTableFiles());
        run();
    }

    @ParameterizedTest
    @MethodSource("fewSeeds")
    void agreesWithAPlainMapOnADiskAndLeavesNoFile(long seed) throws IOException {
        begin(seed, LocalTableFiles.in(directory));
        run();
        table.clear(boundary, log.size());
        try (Stream<Path> files = Files.list(directory)) {
            assertThat(files).isEmpty();
        }
    }

    private TestHome newHome() {
        return newHome(new MemoryTableFiles());
    }

    private TestHome newHome(TableFiles files) {
        return new TestHome(files, MemoryBudget.of(2_000 + random.nextInt(days * 3_000)));
    }

    private void begin(long seed, TableFiles files) {
        random = new Random(seed);
        days = 1 + random.nextInt(20);
        home = newHome(files);
        table = new IdTable(home.home);
    }

    private void run() throws IOException {
        for (int step = 0; step < STEPS; step++) {
            switch (random.nextInt(20)) {
                case 0 -> advance();
                case 1, 2, 3 -> remove();
                case 4 -> takeSnapshot();
                case 5 -> restart();
                case 6, 7, 8 -> seal();
                case 9 -> lookUp();
                default -> put();
            }
            assertAgrees();
        }
        if (asked != null) {
            lookUp();
        }
        assertThat(sealings).isPositive();
        assertSameAsWithoutSealing();
    }

    private EventId anyId() {
        // Few values, on both sides of cells' borders and of the sign, so that ids repeat.
        long micros = random.nextInt(10 * days) * Cell.MICROS + random.nextInt(3) - 1;
        return new EventId(
                Math.max(0, micros),
                random.nextInt(2) - 1,
                random.nextInt(12) - 6,
                random.nextInt(2) == 0 ? EventId.USER_PROCESS : 7);
    }

    private CommitToken anyToken() {
        return new CommitToken(1 + random.nextInt(3), 1 + random.nextInt(3), random.nextInt(3));
    }

    private void apply(Operation operation) {
        log.add(operation);
        long failures = table.sealingFailures();
        int files = table.sealedFiles();
        table.begin(log.size());
        operation.run(table, log.size());
        sealings += table.sealedFiles() > files && table.sealingFailures() == failures ? 1 : 0;
    }

    private static IdRow row(EventId id, CommitToken token) {
        IdRow row = new IdRow();
        row.set(id);
        row.set(token);
        return row;
    }

    private void put() {
        List<EventId> ids = new ArrayList<>();
        List<CommitToken> tokens = new ArrayList<>();
        for (int i = random.nextInt(20); i >= 0; i--) {
            EventId id = anyId();
            if (id.micros() >= boundary) {
                ids.add(id);
                tokens.add(anyToken());
            }
        }
        List<@Nullable CommitToken> expected = new ArrayList<>();
        for (int i = 0; i < ids.size(); i++) {
            expected.add(model.putIfAbsent(ids.get(i), tokens.get(i)));
        }
        List<@Nullable CommitToken> found = new ArrayList<>();
        apply(
                (to, index) -> {
                    for (int i = 0; i < ids.size(); i++) {
                        IdRow row = row(ids.get(i), tokens.get(i));
                        found.add(to.putIfAbsent(row) ? null : row.holderToken());
                    }
                });
        assertThat(found).isEqualTo(expected);
    }

    private void remove() {
        Map<EventId, CommitToken> wanted = new TreeMap<>();
        model.forEach(
                (id, token) -> {
                    if (id.micros() >= boundary && random.nextInt(4) == 0) {
                        wanted.put(id, random.nextInt(5) == 0 ? anyToken() : token);
                    }
                });
        wanted.forEach(model::remove);
        apply(
                (from, index) ->
                        wanted.forEach(
                                (id, token) -> {
                                    IdRow row = row(id, token);
                                    if (from.find(row) && row.isHolder()) {
                                        from.remove(row);
                                    }
                                }));
    }

    /** Asks, or hears what was asked for some steps ago: the answers are of then. */
    private void lookUp() {
        if (asked != null) {
            asked.readFiles();
            ByteBuffer holders = asked.holders();
            List<@Nullable CommitToken> heard = new ArrayList<>();
            for (byte answer : asked.found()) {
                heard.add(answer == LookupBatch.HELD ? CommitToken.read(holders) : null);
            }
            assertThat(heard).isEqualTo(askedExpected);
            assertThat(holders.hasRemaining()).isFalse();
            asked.close();
            asked = null;
            return;
        }
        List<EventId> ids = new ArrayList<>();
        for (int i = random.nextInt(40); i >= 0; i--) {
            EventId id = anyId();
            if (id.micros() >= boundary) {
                ids.add(id);
            }
        }
        askedExpected.clear();
        ids.forEach(id -> askedExpected.add(model.get(id)));
        LookupBatch batch = new LookupBatch(ByteBuffer.wrap(Packed.ids(ids).toByteArray()));
        table.expect(batch.ids(), 0, Math.min(ids.size(), IdTable.EXPECTED_AT_ONCE));
        IdRow row = new IdRow();
        while (!batch.isAsked()) {
            batch.next(row);
            table.ask(row, batch);
        }
        asked = batch;
    }

    private void advance() {
        long target = Math.max(boundary, random.nextInt(10) * Cell.MICROS / 2);
        if (random.nextInt(20) == 0) {
            target = Math.max(boundary, random.nextInt(8 * days) * Cell.MICROS + 7);
        }
        if (random.nextBoolean()) {
            advanceInSteps(target);
        } else {
            drop(target);
        }
    }

    private void advanceInSteps(long target) {
        int cellsMax = 1 + random.nextInt(4);
        while (boundary < target) {
            long cellsBefore = modelCells();
            long step = table.dropStep(target, cellsMax);
            assertThat(step).isGreaterThan(boundary).isLessThanOrEqualTo(target);
            drop(step);
            assertThat(cellsBefore - modelCells()).isLessThanOrEqualTo(cellsMax);
            if (random.nextInt(5) == 0) {
                seal();
            }
            assertAgrees();
        }
    }

    private long modelCells() {
        return model.keySet().stream().map(id -> Cell.of(id.micros())).distinct().count();
    }

    private void drop(long below) {
        boundary = below;
        model.keySet().removeIf(id -> Cell.of(id.micros()) < Cell.of(below));
        apply((in, index) -> in.dropBelow(below));
    }

    private void seal() {
        home.runNext(random.nextInt(4) == 0);
    }

    /** Freezes, writes while entries are applied, and may fail to get it done. */
    private void takeSnapshot() throws IOException {
        long index = log.size();
        long boundaryThen = boundary;
        long hash = table.contentHash();
        FrozenTable frozen = table.freeze();
        for (int i = random.nextInt(6); i > 0; i--) {
            switch (random.nextInt(4)) {
                case 0 -> remove();
                case 1 -> seal();
                default -> put();
            }
        }
        Snapshot taken = Snapshot.write(frozen, boundaryThen, index, snapshot);
        IdTable copy = new IdTable(newHome().home);
        taken.restore(copy);
        assertThat(copy.contentHash()).isEqualTo(hash);
        if (random.nextInt(4) > 0) {
            snapshot = taken;
        }
    }

    /** Another life: from the last snapshot, or from nothing; or the same life, thrown back. */
    private void restart() throws IOException {
        if (random.nextBoolean()) {
            table.clear(Long.MIN_VALUE, 0);
            home = newHome(home.home.files());
            table = new IdTable(home.home);
        }
        long from = 0;
        if (snapshot != null) {
            snapshot.restore(table);
            from = snapshot.index();
        } else {
            table.clear(Long.MIN_VALUE, 0);
        }
        replay(table, from);
    }

    private void replay(IdTable into, long from) {
        for (long index = from + 1; index <= log.size(); index++) {
            into.begin(index);
            log.get((int) index - 1).run(into, index);
        }
    }

    private void assertAgrees() {
        assertThat(table.count()).isEqualTo(model.size());
        for (int i = 0; i < 5; i++) {
            EventId asked = anyId();
            if (asked.micros() >= boundary) {
                IdRow row = row(asked, anyToken());
                assertThat(table.find(row) ? row.holderToken() : null).isEqualTo(model.get(asked));
            }
        }
        Incarnation incarnation = random.nextBoolean() ? anyToken().incarnation() : null;
        boolean all = random.nextInt(20) == 0;
        long from = all ? 0 : anyId().micros();
        long to = all ? Long.MAX_VALUE : from + random.nextInt(3) * Cell.MICROS;
        Map<EventId, CommitToken> expected = new TreeMap<>();
        model.forEach(
                (id, token) -> {
                    boolean his = incarnation == null || token.isOf(incarnation);
                    if (his && id.micros() >= Math.max(from, boundary) && id.micros() < to) {
                        expected.put(id, token);
                    }
                });
        assertThat(scanned(incarnation, from, to)).isEqualTo(expected);
    }

    private Map<EventId, CommitToken> scanned(
            @Nullable Incarnation incarnation, long from, long to) {
        Map<EventId, CommitToken> all = new TreeMap<>();
        int limit = 1 + random.nextInt(100);
        int rowsMax = 1 + random.nextInt(400);
        EventId last = null;
        IdPage page = table.scan(incarnation, null, from, to, limit, rowsMax);
        while (true) {
            assertThat(page.size()).isLessThanOrEqualTo(limit);
            ByteBuffer ids = page.ids();
            ByteBuffer holders = page.holders();
            while (ids.hasRemaining()) {
                EventId id = EventId.read(ids);
                assertThat(last == null || last.compareTo(id) < 0).isTrue();
                all.put(id, CommitToken.read(holders));
                last = id;
            }
            if (!page.more()) {
                return all;
            }
            page = table.scan(incarnation, page.resumeAfter(), from, to, limit, rowsMax);
        }
    }

    /** The hash says nothing of tiers: neither of when it was sealed, nor whether. */
    private void assertSameAsWithoutSealing() {
        IdTable plain = new IdTable(TableHome.inMemory());
        replay(plain, 0);
        assertThat(plain.sealedFiles()).isZero();
        assertThat(plain.contentHash()).isEqualTo(table.contentHash());
        assertThat(plain.count()).isEqualTo(table.count());
    }
}
