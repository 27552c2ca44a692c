package photon.verifier.repair;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import photon.core.crash.CrashPoints;
import photon.core.event.LogEvent;
import photon.core.id.EventId;
import photon.core.id.Incarnation;
import photon.core.loop.ManualLoop;
import photon.core.rpc.Caller;
import photon.core.time.IntervalClock.Interval;
import photon.proto.v1.AddRepairRowsRequest;
import photon.proto.v1.AddRepairRowsResponse;
import photon.registry.api.ControlClient.IncarnationState;
import photon.storage.files.MemoryFileStore;
import photon.storage.ledger.Ledger;
import photon.storage.ledger.LedgerEntry;
import photon.storage.output.WorkDirectory;
import photon.storage.tail.FilePosition;
import photon.storage.tail.ResetNotes;
import photon.verifier.StoredDatacenter;
import photon.verifier.source.ForeignLogs;
import photon.verifier.source.OutputFiles;

/** A repair whose foreign logs are not there, or not all of them, on real files. */
final class VanishingLogsTest {
    private static final Incarnation DEAD = new Incarnation(1, 1);
    private static final String LOG = "/in/clicks.csv";
    private static final EventId IN_NO_LOG = new EventId(1, 2, 3, 4);

    private final MemoryFileStore files = new MemoryFileStore(3);
    private final List<EventId> handedOver = new ArrayList<>();
    private final ManualLoop loop = new ManualLoop();
    private StoredDatacenter east = new StoredDatacenter(files, "east");
    private List<LogEvent> clicks = List.of();
    private long nowMicros = 7_000_000;
    private final FakeRegistry registry = new FakeRegistry(new NoWitness());

    VanishingLogsTest() throws IOException {}

    /** Clicks 1 and 2 went with the joiner. */
    @BeforeEach
    void aJoinerDied() throws IOException {
        StoredDatacenter.writeClicks(files, 6);
        clicks = StoredDatacenter.clicks(files);
        WorkDirectory work = east.output.createWorkDirectory(DEAD);
        east.join(work, true, List.of(id(3)));
        for (int n = 1; n <= 3; n++) {
            registry.hold(id(n), StoredDatacenter.token(id(n), DEAD));
        }
        registry.add(DEAD, "east/joiner-0", true, east.output.identity().outputId());
        files.endHandles();
        files.crash();
        east = new StoredDatacenter(files, "east");
    }

    private EventId id(int n) {
        return clicks.get(n - 1).id();
    }

    private RepairServer start() {
        return RepairServer.start(
                new RepairSettings(
                        "east",
                        new UUID(1, 2),
                        east.state("verifier"),
                        east.state("verifier/ledger"),
                        east.state("verifier/scratch"),
                        east.state("dispatcher"),
                        Duration.ofHours(1),
                        Optional.of(Duration.ofSeconds(30)),
                        Optional.of(Duration.ofDays(3)),
                        Duration.ofDays(7)),
                loop,
                files,
                registry.client(loop),
                registry.holders(loop),
                () -> CompletableFuture.completedFuture(registry.registered),
                OutputFiles.of(east.output),
                ForeignLogs.of(files, StoredDatacenter.foreign(), StoredDatacenter.CLOCK),
                new Dispatcher(),
                CrashPoints.none(),
                () -> new Interval(nowMicros, nowMicros));
    }

    private List<EventId> writtenOff() throws IOException {
        List<EventId> ids = new ArrayList<>();
        String ledger = east.state("verifier/ledger");
        if (files.stat(ledger) != null) {
            Ledger.forEach(files, ledger, entry -> lost(entry, ids));
        }
        return ids;
    }

    private static void lost(LedgerEntry entry, List<EventId> into) {
        assertThat(entry.kind()).isEqualTo(LedgerEntry.Kind.OUTCOME_LOST);
        into.add(Objects.requireNonNull(entry.id()));
    }

    private IncarnationState state() {
        return Objects.requireNonNull(registry.incarnations.get(DEAD)).state();
    }

    private void stillRepairing() throws IOException {
        assertThat(writtenOff()).isEmpty();
        assertThat(state()).isEqualTo(IncarnationState.OPEN);
    }

    @Test
    void aDirectoryThatGoesAndComesBackWritesNothingOff() throws IOException {
        files.rename("/in", "/unmounted");
        start();
        loop.advance(Duration.ofHours(5));
        stillRepairing();
        files.rename("/unmounted", "/in");
        loop.advance(Duration.ofMinutes(10));
        assertThat(handedOver).containsExactly(id(1), id(2));
        assertThat(state()).isEqualTo(IncarnationState.REPAIRED);
        assertThat(writtenOff()).isEmpty();
    }

    @Test
    void aFileBetweenTwoNamesWritesNothingOff() throws IOException {
        east.checkpointed(FakeRegistry.STATE, StoredDatacenter.behind(files, 6));
        files.rename(LOG, "/in/clicks.tmp");
        start();
        loop.advance(Duration.ofHours(5));
        stillRepairing();
        files.rename("/in/clicks.tmp", "/in/clicks-1.csv");
        loop.advance(Duration.ofMinutes(10));
        assertThat(handedOver).containsExactly(id(1), id(2));
        assertThat(state()).isEqualTo(IncarnationState.REPAIRED);
    }

    @Test
    void aFileThatIsShorterThanItWasReadWritesNothingOff() throws IOException {
        east.checkpointed(FakeRegistry.STATE, StoredDatacenter.behind(files, 6));
        byte[] whole = files.content(LOG);
        files.truncate(LOG, (int) StoredDatacenter.behind(files, 1).offset());
        start();
        loop.advance(Duration.ofHours(5));
        stillRepairing();
        assertThat(handedOver).containsExactly(id(1));
        files.put(LOG, whole);
        loop.advance(Duration.ofMinutes(10));
        assertThat(handedOver).contains(id(2));
        assertThat(state()).isEqualTo(IncarnationState.REPAIRED);
    }

    /** An event of it may have been sent, and nothing of it be done yet. */
    @Test
    void aFileThatIsNamedAndOfWhichNothingIsDoneIsMissedToo() throws IOException {
        east.checkpointed(FakeRegistry.STATE, at(StoredDatacenter.behind(files, 6), 0));
        files.rename(LOG, "/in/clicks.tmp");
        start();
        loop.advance(Duration.ofHours(2));
        stillRepairing();
        files.rename("/in/clicks.tmp", "/in/clicks-1.csv");
        loop.advance(Duration.ofMinutes(10));
        assertThat(handedOver).containsExactly(id(1), id(2));
    }

    /** The checkpoint says no more what was read before; the note of the reset does. */
    @Test
    void aFileThatWasResetMustBeThereAsFarAsItWasReadBefore() throws IOException {
        FilePosition before = StoredDatacenter.behind(files, 6);
        east.checkpointed(FakeRegistry.STATE, at(before, 0));
        ResetNotes.add(
                files,
                east.state("dispatcher") + "/" + FakeRegistry.STATE + "/checkpoint",
                new ResetNotes.Note(1, "ops", "earliest", "", 1, 0),
                List.of(before),
                List.of(before));
        byte[] whole = files.content(LOG);
        files.truncate(LOG, (int) StoredDatacenter.behind(files, 1).offset());
        start();
        loop.advance(Duration.ofHours(2));
        stillRepairing();
        files.put(LOG, whole);
        loop.advance(Duration.ofMinutes(10));
        assertThat(handedOver).contains(id(1), id(2));
        assertThat(state()).isEqualTo(IncarnationState.REPAIRED);
    }

    private static FilePosition at(FilePosition position, long offset) {
        return new FilePosition(
                position.path(),
                position.key(),
                position.prefixLength(),
                position.prefixHash(),
                offset,
                position.modifiedMillis());
    }

    @Test
    void anIdInNoLogIsWrittenOffAfterTheTimeAndNotBefore() throws IOException {
        east.checkpointed(FakeRegistry.STATE, StoredDatacenter.behind(files, 6));
        registry.hold(IN_NO_LOG, StoredDatacenter.token(IN_NO_LOG, DEAD));
        start();
        loop.advance(Duration.ofMinutes(59));
        stillRepairing();
        assertThat(handedOver).containsExactly(id(1), id(2));
        loop.advance(Duration.ofMinutes(3));
        assertThat(writtenOff()).containsExactly(IN_NO_LOG);
        assertThat(state()).isEqualTo(IncarnationState.REPAIRED);
    }

    /** After gzip the file has another key, and other first bytes on the disk. */
    @Test
    void aFileThatWasCompressedIsTheOneThatTheCheckpointNames() throws IOException {
        east.checkpointed(FakeRegistry.STATE, StoredDatacenter.behind(files, 6));
        registry.hold(IN_NO_LOG, StoredDatacenter.token(IN_NO_LOG, DEAD));
        byte[] plain = files.content(LOG);
        files.delete(LOG);
        start();
        loop.advance(Duration.ofHours(5));
        stillRepairing();
        files.put("/in/clicks.csv", gzip(plain));
        loop.advance(Duration.ofMinutes(10));
        assertThat(handedOver).containsExactly(id(1), id(2));
        stillRepairing();
        loop.advance(Duration.ofMinutes(62));
        assertThat(writtenOff()).containsExactly(IN_NO_LOG);
    }

    /** More files are looked into than in one step. */
    @Test
    void aFileThatWasCompressedIsFoundAmongManyLogs() throws IOException {
        east.checkpointed(FakeRegistry.STATE, StoredDatacenter.behind(files, 6));
        registry.hold(IN_NO_LOG, StoredDatacenter.token(IN_NO_LOG, DEAD));
        byte[] plain = files.content(LOG);
        files.delete(LOG);
        for (int n = 0; n < 3 * CheckpointedFiles.FILES_PER_STEP; n++) {
            files.put("/in/%d.csv".formatted(n), "9,c%d,q9%n".formatted(n).getBytes(UTF_8));
        }
        start();
        loop.advance(Duration.ofHours(2));
        stillRepairing();
        files.put("/in/z.csv", gzip(plain));
        loop.advance(Duration.ofMinutes(10));
        assertThat(handedOver).containsExactly(id(1), id(2));
        loop.advance(Duration.ofMinutes(62));
        assertThat(writtenOff()).containsExactly(IN_NO_LOG);
    }

    /** Last modified in 1970, by a reader that knew that. */
    @Test
    void aFileThatIsOlderThanTheRetentionMayBeGone() throws IOException {
        nowMicros = Duration.ofDays(40).toNanos() / 1_000;
        FilePosition position = StoredDatacenter.behind(files, 6);
        east.checkpointed(FakeRegistry.STATE, position.modifiedAt(Duration.ofDays(38).toMillis()));
        files.delete(LOG);
        start();
        loop.advance(Duration.ofHours(2));
        stillRepairing();
        nowMicros = Duration.ofDays(42).toNanos() / 1_000;
        loop.advance(Duration.ofMinutes(59));
        stillRepairing();
        loop.advance(Duration.ofMinutes(4));
        assertThat(writtenOff()).containsExactlyInAnyOrder(id(1), id(2));
        assertThat(state()).isEqualTo(IncarnationState.REPAIRED);
    }

    @Test
    void aRepairThatWaitsSaysForWhatAndStopsNoOther() throws IOException {
        east.checkpointed(FakeRegistry.STATE);
        files.rename("/in", "/unmounted");
        Incarnation other = new Incarnation(2, 4);
        registry.add(other, "east/joiner-1", true, east.output.identity().outputId());
        RepairServer server = start();
        loop.advance(Duration.ofMinutes(1));
        assertThat(Objects.requireNonNull(registry.incarnations.get(other)).state())
                .isEqualTo(IncarnationState.REPAIRED);
        RepairStatus status = server.status();
        assertThat(status.alarms()).isEmpty();
        assertThat(status.idle()).as("nothing can be done now").isTrue();
        assertThat(status.waiting()).hasSize(1);
        WaitingRepair waiting = status.waiting().get(0);
        assertThat(waiting.ids()).isEqualTo(2);
        assertThat(waiting.reason()).isEqualTo("the directory /in is not there");
        assertThat(waiting.isBlocked()).isTrue();
        assertThat(status.unfinished()).containsExactly(waiting.text());
        loop.advance(Duration.ofMinutes(10));
        assertThat(server.status().alarms()).singleElement().asString().contains("/in is not");
        files.rename("/unmounted", "/in");
        loop.advance(Duration.ofMinutes(2));
        assertThat(server.status().waiting()).isEmpty();
        assertThat(server.status().alarms()).isEmpty();
    }

    @Test
    void whatAPersonHasGivenUpIsNotLookedForAnyMore() throws IOException {
        files.rename("/in", "/unmounted");
        RepairServer server = start();
        loop.advance(Duration.ofMinutes(1));
        String outputId = east.output.identity().outputId();
        registry.put(DEAD, "east/joiner-0", IncarnationState.REPAIRED, true, outputId);
        loop.advance(Duration.ofMinutes(1));
        assertThat(server.status().waiting()).isEmpty();
    }

    private static byte[] gzip(byte[] plain) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
            gzip.write(plain);
        }
        return out.toByteArray();
    }

    private final class Dispatcher implements Caller<AddRepairRowsRequest, AddRepairRowsResponse> {
        @Override
        public void call(AddRepairRowsRequest request, Reply<AddRepairRowsResponse> reply) {
            request.getRowsList()
                    .forEach(row -> handedOver.add(LogEvent.fromProto(row.getEvent()).id()));
            loop.execute(() -> reply.answered(FakeRegistry.durableIn(FakeRegistry.STATE)));
        }

        @Override
        public void close() {}
    }

    private static final class NoWitness implements FakeRegistry.Witness {
        @Override
        public void effect() {}

        @Override
        public boolean isSealed(Incarnation incarnation) {
            return true;
        }

        @Override
        public void checkNothingIsLeftBehind(Incarnation incarnation) {}
    }
}
