package photon.verifier.repair;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import photon.core.crash.CrashPoint;
import photon.core.event.LogEvent;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.core.id.Incarnation;
import photon.core.loop.ManualLoop;
import photon.core.rpc.Caller;
import photon.core.time.IntervalClock.Interval;
import photon.proto.v1.AddRepairRowsRequest;
import photon.proto.v1.AddRepairRowsResponse;
import photon.proto.v1.RepairRow;
import photon.registry.api.ControlClient.IncarnationState;
import photon.storage.files.MemoryFileStore;
import photon.storage.ledger.LedgerEntry;
import photon.storage.output.Manifest;
import photon.storage.tail.Checkpoint;
import photon.storage.tail.CheckpointHistory;
import photon.verifier.runs.IdRuns;
import photon.verifier.source.MemoryLogs;
import photon.verifier.source.MemoryOutput;

/**
 * What outlives a repairer: registry, output, logs, a dispatcher's journal, the verifier's ledger.
 * It counts everything that a repairer does to it and can let the repairer die before or after any
 * of that. When an incarnation is marked repaired it checks that nothing of it is left behind.
 */
final class RepairWorld implements FakeRegistry.Witness {
    static final UUID PIPELINE = new UUID(1, 2);
    static final Duration GIVE_UP_AFTER = Duration.ofSeconds(5);
    static final Incarnation DEAD = new Incarnation(1, 1);
    static final Incarnation LIVE = new Incarnation(1, 2);

    private static final EventId OF_ANOTHER = id(9_999);
    private static final CommitToken TOKEN_OF_ANOTHER = CommitToken.of(new Incarnation(99, 1), 1);

    final FakeRegistry registry = new FakeRegistry(this);
    final MemoryOutput output = new MemoryOutput("out-1");
    final MemoryLogs logs = new MemoryLogs();
    final Map<JournalKey, LogEvent> journal = new LinkedHashMap<>();
    final List<LedgerEntry> ledger = new ArrayList<>();
    final Set<JournalKey> recorded = new HashSet<>();
    final Map<Incarnation, Long> tally = new TreeMap<>();

    /** Of persons, by incarnation and how often it was reopened. */
    final Map<String, String> orders = new LinkedHashMap<>();

    final Set<CrashPoint> passed = new HashSet<>();

    /** The dispatcher's. */
    UUID state = FakeRegistry.STATE;

    private int rowsUntilLost;
    private @Nullable UUID nextState;

    final List<Integer> requestSizes = new ArrayList<>();
    private final List<LedgerEntry> unsynced = new ArrayList<>();
    private @Nullable LostOutcomes lostOutcomes;

    /** A new one for each life of the repairer: what a dead one had planned is gone. */
    ManualLoop loop = new ManualLoop();

    /** The dispatcher's. */
    @Nullable Checkpoint checkpoint = new Checkpoint(1, List.of());

    /** The same dispatcher's, of each partition. */
    List<CheckpointHistory> history = List.of(CheckpointHistory.EMPTY);

    /** Of scratch. */
    final MemoryFileStore files = new MemoryFileStore();

    Optional<Duration> retention = Optional.empty();

    /** Behind the step that writes the next entry another repair writes one, which fails. */
    boolean anotherFailsNext;

    int requestsBroken;
    boolean brokenAfterwards;
    int effects;
    int dieAt = Integer.MAX_VALUE;

    RepairWorld() {
        output.onUse(this::effect);
        logs.onPoll(this::effect);
    }

    /** The repairer's process is gone. */
    static final class Died extends RuntimeException {}

    record JournalKey(EventId id, CommitToken lostToken) {}

    /** Something is done to the world: the place to die at. */
    @Override
    public void effect() {
        if (++effects == dieAt) {
            throw new Died();
        }
    }

    RepairParts parts(RepairLimits limits) {
        return new RepairParts(
                loop,
                PIPELINE,
                registry.client(loop),
                registry.holders(loop),
                output,
                logs,
                () -> CompletableFuture.completedFuture(registry.registered),
                of -> Optional.ofNullable(of.equals(state) ? checkpoint : null),
                () -> history,
                () -> new Interval(5_000_000, 5_000_000),
                new WriteOffRule.Terms(GIVE_UP_AFTER, retention),
                new FakeDispatcher(),
                newLostOutcomes(),
                (incarnation, events) -> {
                    effect();
                    tally.merge(incarnation, events, Math::max);
                },
                new FakeRecords(),
                new FakeOrders(),
                incarnation ->
                        new IdRuns(files, "/scratch", incarnation.toString(), limits.published()),
                point -> {
                    passed.add(point);
                    effect();
                },
                limits);
    }

    private final class FakeOrders implements RepairParts.Orders {
        @Override
        public Optional<String> reason(Incarnation incarnation, int timesReopened) {
            return Optional.ofNullable(orders.get(incarnation + "." + timesReopened));
        }

        @Override
        public void drop(Incarnation incarnation) {
            effect();
            orders.keySet().removeIf(name -> name.startsWith(incarnation + "."));
        }
    }

    private LostOutcomes newLostOutcomes() {
        lostOutcomes = new LostOutcomes(new FakeLedger(), () -> new Interval(5_000_000, 5_000_000));
        return lostOutcomes;
    }

    private LostOutcomes lostOutcomes() {
        return requireNonNull(lostOutcomes);
    }

    RepairLoop start(RepairLimits limits, Consumer<RepairStatus> told) {
        RepairLoop repair = new RepairLoop(parts(limits), "east/", Duration.ofSeconds(1), told);
        repair.wake();
        return repair;
    }

    /** Unsynced bytes go with the process. */
    void restart() {
        unsynced.clear();
        loop = new ManualLoop();
        dieAt = Integer.MAX_VALUE;
    }

    /** A joined event that reached a published file. */
    EventId published(int n) {
        EventId id = held(n, DEAD);
        output.publish(id, token(n, DEAD), 1);
        return id;
    }

    /** Accepted and flushed, not published. */
    EventId flushed(int n) {
        EventId id = held(n, DEAD);
        output.flush(id, token(n, DEAD));
        return id;
    }

    /** Accepted, and gone with its joiner. */
    EventId lost(int n) {
        return held(n, DEAD);
    }

    /** Held by the incarnation's token, and in the foreign logs. */
    EventId held(int n, Incarnation incarnation) {
        EventId id = id(n);
        registry.hold(id, token(n, incarnation));
        logs.append("log-" + n % 3, id);
        return id;
    }

    static EventId id(int n) {
        return new EventId(1_000 + n, n, 7, 1);
    }

    static CommitToken token(int n, Incarnation incarnation) {
        return CommitToken.of(incarnation, n);
    }

    @Override
    public boolean isSealed(Incarnation incarnation) {
        return output.isSealed(incarnation);
    }

    @Override
    public void checkNothingIsLeftBehind(Incarnation incarnation) {
        Set<EventId> published = new HashSet<>();
        for (Manifest manifest : manifests(incarnation)) {
            manifest.entries().forEach(e -> published.add(e.id()));
        }
        Set<EventId> writtenOff = new HashSet<>();
        ledger.forEach(entry -> writtenOff.add(entry.id()));
        registry.held.forEach(
                (id, token) -> {
                    if (token.isOf(incarnation)) {
                        assertThat(
                                        published.contains(id)
                                                || writtenOff.contains(id)
                                                || journal.containsKey(new JournalKey(id, token)))
                                .as("%s is accounted for before %s is repaired", id, incarnation)
                                .isTrue();
                    }
                });
    }

    List<Manifest> manifests(Incarnation incarnation) {
        try {
            List<Manifest> all = new ArrayList<>();
            for (var stored : output.manifests(incarnation)) {
                all.add(stored.read());
            }
            return all;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    IncarnationState stateOf(Incarnation incarnation) {
        return requireNonNull(registry.incarnations.get(incarnation)).state();
    }

    Set<EventId> journalIds() {
        Set<EventId> ids = new HashSet<>();
        journal.keySet().forEach(key -> ids.add(key.id()));
        return ids;
    }

    /** A dispatcher and joiner process the rows: remove on the token, join anew, publish. */
    void processRows() {
        int sequence = 100_000;
        for (JournalKey key : List.copyOf(journal.keySet())) {
            if (key.lostToken().equals(registry.held.get(key.id()))) {
                registry.held.remove(key.id());
            }
            CommitToken token = CommitToken.of(LIVE, ++sequence);
            if (registry.held.putIfAbsent(key.id(), token) == null) {
                output.publish(key.id(), token, 1);
            }
            journal.remove(key);
        }
    }

    /** After so many more rows the dispatcher's state is lost, with them, and another is there. */
    void stateLostAfterRows(int rows, UUID next) {
        rowsUntilLost = rows;
        nextState = next;
    }

    private final class FakeDispatcher
            implements Caller<AddRepairRowsRequest, AddRepairRowsResponse> {
        private final ManualLoop answersIn = loop;

        @Override
        public void call(AddRepairRowsRequest request, Reply<AddRepairRowsResponse> reply) {
            effect();
            boolean broken = requestsBroken > 0;
            requestsBroken = Math.max(0, requestsBroken - 1);
            if (!broken || brokenAfterwards) {
                requestSizes.add(request.getRowsCount());
                for (RepairRow row : request.getRowsList()) {
                    LogEvent event = LogEvent.fromProto(row.getEvent());
                    CommitToken token = CommitToken.read(row.getLostToken().asReadOnlyByteBuffer());
                    JournalKey key = new JournalKey(event.id(), token);
                    assertThat(recorded).as("written down before").contains(key);
                    journal.put(key, event);
                }
            }
            effect();
            UUID answering = state;
            rowsUntilLost -= request.getRowsCount();
            if (nextState != null && rowsUntilLost <= 0) {
                state = nextState;
                registry.registered = Optional.of(nextState);
                journal.clear();
                nextState = null;
            }
            answersIn.execute(
                    () -> {
                        if (broken) {
                            reply.broken("connection lost");
                        } else {
                            reply.answered(FakeRegistry.durableIn(answering));
                        }
                    });
        }

        @Override
        public void close() {}
    }

    private final class FakeRecords implements RepairParts.Records {
        @Override
        public void add(Incarnation incarnation, Map<EventId, CommitToken> lost) {
            effect();
            lost.forEach((id, token) -> recorded.add(new JournalKey(id, token)));
        }

        @Override
        public Map<EventId, CommitToken> read(Incarnation incarnation) {
            Map<EventId, CommitToken> lost = new LinkedHashMap<>();
            recorded.stream()
                    .filter(key -> key.lostToken().isOf(incarnation))
                    .forEach(key -> lost.put(key.id(), key.lostToken()));
            return lost;
        }
    }

    private final class FakeLedger implements LostOutcomes.Store, LostOutcomes.Log {
        @Override
        public LostOutcomes.Log open() {
            return this;
        }

        @Override
        public void append(LedgerEntry entry) throws IOException {
            effect();
            if (OF_ANOTHER.equals(entry.id())) {
                throw new IOException("disk away");
            }
            if (anotherFailsNext) {
                anotherFailsNext = false;
                loop.execute(
                        () ->
                                assertThatThrownBy(
                                        () ->
                                                lostOutcomes()
                                                        .record(
                                                                OF_ANOTHER,
                                                                TOKEN_OF_ANOTHER,
                                                                "reason")));
            }
            unsynced.add(entry);
        }

        @Override
        public void sync() {
            effect();
            ledger.addAll(unsynced);
            unsynced.clear();
            effect();
        }

        @Override
        public void close() {
            unsynced.clear();
        }
    }
}
