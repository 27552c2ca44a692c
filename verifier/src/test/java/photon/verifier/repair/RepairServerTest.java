package photon.verifier.repair;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import photon.core.crash.CrashPoints;
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
import photon.storage.ledger.Ledger;
import photon.storage.ledger.LedgerEntry;
import photon.storage.output.WorkDirectory;
import photon.verifier.StoredDatacenter;
import photon.verifier.source.ForeignLogs;
import photon.verifier.source.OutputFiles;

/** The repair on the real files of a datacenter; registry and dispatcher are stood in for. */
final class RepairServerTest {
    private static final Incarnation DEAD = new Incarnation(1, 1);

    private final MemoryFileStore files = new MemoryFileStore(3);
    private final List<RepairRow> rows = new ArrayList<>();
    private ManualLoop loop = new ManualLoop();
    private StoredDatacenter east = new StoredDatacenter(files, "east");
    private List<LogEvent> clicks = List.of();
    private final FakeRegistry registry =
            new FakeRegistry(
                    new FakeRegistry.Witness() {
                        @Override
                        public void effect() {}

                        @Override
                        public boolean isSealed(Incarnation incarnation) {
                            try {
                                return east.output.isSealed(incarnation);
                            } catch (IOException e) {
                                throw new AssertionError(e);
                            }
                        }

                        @Override
                        public void checkNothingIsLeftBehind(Incarnation incarnation) {}
                    });

    RepairServerTest() throws IOException {}

    /** Clicks 1 and 2 are published, 3 is in a work log, 4 and 5 went with the joiner. */
    @BeforeEach
    void aJoinerDied() throws IOException {
        StoredDatacenter.writeClicks(files, 6);
        clicks = StoredDatacenter.clicks(files);
        WorkDirectory work = east.output.createWorkDirectory(DEAD);
        east.join(work, true, List.of(id(1), id(2)));
        east.join(work, false, List.of(id(3)));
        for (int n = 1; n <= 5; n++) {
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
        return start(new RepairServer.Watching(loop, registry.client(loop)));
    }

    private RepairServer start(RepairServer.Watching watching) {
        return RepairServer.start(
                new RepairSettings(
                        "east",
                        new UUID(1, 2),
                        east.state("verifier"),
                        east.state("verifier/ledger"),
                        east.state("verifier/scratch"),
                        east.state("dispatcher"),
                        Duration.ofSeconds(2),
                        Optional.of(Duration.ofSeconds(30)),
                        Optional.empty(),
                        Duration.ofDays(7)),
                loop,
                watching,
                files,
                registry.client(loop),
                registry.holders(loop),
                () -> CompletableFuture.completedFuture(registry.registered),
                OutputFiles.of(east.output),
                ForeignLogs.of(files, StoredDatacenter.foreign(), StoredDatacenter.CLOCK),
                new Caller<>() {
                    @Override
                    public void call(
                            AddRepairRowsRequest request, Reply<AddRepairRowsResponse> reply) {
                        rows.addAll(request.getRowsList());
                        loop.execute(
                                () -> reply.answered(FakeRegistry.durableIn(FakeRegistry.STATE)));
                    }

                    @Override
                    public void close() {}
                },
                CrashPoints.none(),
                () -> new Interval(7_000_000, 7_000_000));
    }

    private IncarnationState state() {
        return Objects.requireNonNull(registry.incarnations.get(DEAD)).state();
    }

    /** Files that are read slowly keep the other loop from all else, for as long as that takes. */
    @Test
    void aSilentSlotIsFencedWhileTheLoopOfTheRepairsIsHeldUp() {
        Incarnation silent = new Incarnation(2, 1);
        registry.add(silent, "east/joiner-1", false, east.output.identity().outputId());
        registry.renewed(silent, 100);
        ManualLoop watched = new ManualLoop();
        RepairServer server = start(new RepairServer.Watching(watched, registry.client(watched)));
        watched.advance(Duration.ofSeconds(40));
        assertThat(registry.silentFences).containsExactly(silent);
        loop.advance(Duration.ofSeconds(10));
        assertThat(Objects.requireNonNull(registry.incarnations.get(silent)).state())
                .isEqualTo(IncarnationState.REPAIRED);
        server.close();
    }

    @Test
    void whatWasFlushedIsPublishedAndWhatWasLostIsReadAgain() throws IOException {
        RepairServer server = start();
        assertThat(server.status().idle()).isFalse();
        loop.advance(Duration.ofSeconds(5));
        assertThat(rows)
                .extracting(
                        row -> LogEvent.fromProto(row.getEvent()),
                        row -> CommitToken.read(row.getLostToken().asReadOnlyByteBuffer()))
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple(
                                clicks.get(3), StoredDatacenter.token(id(4), DEAD)),
                        org.assertj.core.groups.Tuple.tuple(
                                clicks.get(4), StoredDatacenter.token(id(5), DEAD)));
        assertThat(east.publishedLines())
                .containsExactlyInAnyOrder("{\"at\":1}", "{\"at\":2}", "{\"at\":3}");
        assertThat(state()).isEqualTo(IncarnationState.REPAIRED);
        assertThat(server.status().idle()).isTrue();
        assertThat(new RepairTally(files, east.state("verifier")).total()).isEqualTo(2);
    }

    @Test
    void anIdInNoLogIsWrittenDownOnceAProcessAndTheCountOutlivesIt() throws IOException {
        EventId inNoLog = new EventId(1, 2, 3, 4);
        registry.hold(inNoLog, new CommitToken(1, 1, 99));
        east.checkpointed(FakeRegistry.STATE);
        start();
        loop.advance(Duration.ofSeconds(5));
        registry.add(DEAD, "east/joiner-0", true, east.output.identity().outputId());
        loop = new ManualLoop(); // and as if it had not been marked
        start();
        loop.advance(Duration.ofSeconds(5));
        List<LedgerEntry> ledger = new ArrayList<>();
        Ledger.forEach(files, east.state("verifier/ledger"), ledger::add);
        // The second cannot know whether the first had synced its entry.
        assertThat(ledger).extracting(LedgerEntry::id).containsExactly(inNoLog, inNoLog);
        assertThat(rows).as("handed over again").hasSize(4);
        assertThat(new RepairTally(files, east.state("verifier")).total()).isEqualTo(2);
    }

    @Test
    void aPublishedFileThatIsGoneStopsTheRepair() throws IOException {
        String published = files.glob("/out/east/dt=*/hour=*/*.jsonl").get(0).path();
        files.delete(published);
        RepairServer server = start();
        loop.advance(Duration.ofSeconds(5));
        assertThat(server.status().alarms()).singleElement().asString().contains(published);
        assertThat(rows).isEmpty();
        assertThat(state()).isEqualTo(IncarnationState.OPEN);
    }

    @Test
    void aManifestThatIsGoneStopsTheRepair() throws IOException {
        RepairServer first = start();
        loop.advance(Duration.ofSeconds(5));
        first.close();
        rows.clear();
        registry.add(DEAD, "east/joiner-0", true, east.output.identity().outputId());
        files.glob("/out/east/_work/**manifest*").forEach(file -> delete(file.path()));
        loop = new ManualLoop();
        RepairServer server = start();
        loop.advance(Duration.ofMinutes(1));
        assertThat(server.status().alarms()).singleElement().asString().contains("manifest");
        assertThat(rows).isEmpty();
    }

    private void delete(String path) {
        try {
            files.delete(path);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void anOutputDirectoryThatWasReplacedStopsTheRepair() throws IOException {
        String before = east.output.identity().outputId();
        registry.add(DEAD, "east/joiner-0", true, "another-id");
        RepairServer server = start();
        loop.advance(Duration.ofSeconds(5));
        assertThat(server.status().alarms())
                .singleElement()
                .asString()
                .contains(before, "another-id");
        assertThat(rows).isEmpty();
        assertThat(east.output.isSealed(DEAD)).isFalse();
    }
}
