package photon.registry.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import photon.core.config.OutputConfig;
import photon.core.crash.CrashPoints;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.core.id.Incarnation;
import photon.core.time.IntervalClock;
import photon.idregistry.shard.ShardEntries;
import photon.proto.v1.ReportState;
import photon.proto.v1.RestoreLost;
import photon.proto.v1.RestoreReported;
import photon.proto.v1.RestoreRequest;
import photon.registry.api.RegistryProtos;
import photon.storage.files.HadoopFileStore;
import photon.storage.output.OutputDirectory;
import photon.storage.output.OutputIdentity;
import photon.storage.output.RetiredIncarnations;
import photon.storage.output.WorkDirectory;
import photon.storage.output.WorkRecord;
import photon.storage.output.format.OutputFormats;

/** What a report does to a registry, and what one that is refused leaves undone. */
final class ReportRunTest {
    /** More than are sent at once. */
    private static final int MANY = 5_000;

    private static final Incarnation FIRST = new Incarnation(1, 1);
    private static final Incarnation SECOND = new Incarnation(1, 2);

    @TempDir Path root;
    private RestoredRegistry registry;
    private OutputDirectory output;
    private final List<EventId> listed = new ArrayList<>();
    private final List<EventId> forgotten = new ArrayList<>();

    @BeforeEach
    void aRegistryThatWaits() throws IOException {
        registry = new RestoredRegistry();
        output = output(RestoredRegistry.PIPELINE);
    }

    private OutputDirectory output(UUID pipeline) throws IOException {
        return OutputDirectory.open(
                new HadoopFileStore(),
                root.resolve("out-" + pipeline).toString(),
                new OutputIdentity(
                        pipeline.toString(),
                        RestoredRegistry.FINGERPRINT,
                        "east",
                        "output-of-east"),
                OutputFormats.of(OutputConfig.DEFAULTS),
                CrashPoints.none(),
                () -> new IntervalClock.Interval(0, 0));
    }

    private static EventId id(int n) {
        return new EventId(1_000 + n, 1, 2, 3);
    }

    private static void publish(OutputDirectory into, Incarnation of, int from, int to)
            throws IOException {
        WorkDirectory work = into.createWorkDirectory(of);
        WorkDirectory.WorkLog log = work.createLog();
        for (int n = from; n < to; n++) {
            log.append(
                    new WorkRecord(
                            id(n),
                            CommitToken.of(of, n + 1),
                            "00".repeat(16),
                            List.of(
                                    new WorkRecord.JoinedEvent(
                                            "", ByteString.copyFromUtf8("{\"n\":1}")))));
        }
        log.finish();
        work.publish(log);
    }

    private ReportRun.Result run(OutputDirectory from, UUID pipeline, boolean acceptVoid)
            throws Exception {
        ReportRun.Voids voids =
                new ReportRun.Voids() {
                    @Override
                    public void add(EventId id, CommitToken token, boolean unknown) {
                        (unknown ? forgotten : listed).add(id);
                    }

                    @Override
                    public void sync() {
                        registry.asked.add("voids synced");
                    }
                };
        return new ReportRun(
                        from,
                        pipeline,
                        registry.map(),
                        "east",
                        Long.MIN_VALUE,
                        new RestoreCalls(registry),
                        voids)
                .run(acceptVoid);
    }

    private ReportRun.Result run(boolean acceptVoid) throws Exception {
        return run(output, RestoredRegistry.PIPELINE, acceptVoid);
    }

    private ReportState state() {
        return registry.control().restoreStatus().getReportsList().stream()
                .filter(report -> report.getDatacenter().equals("east"))
                .findFirst()
                .orElseThrow()
                .getState();
    }

    private void deleteOneOf(Incarnation of) throws IOException {
        String name = output.manifests(of).get(0).published().get(0).path();
        try (Stream<Path> all = Files.walk(root)) {
            Files.delete(
                    all.filter(path -> path.toString().endsWith(name)).findFirst().orElseThrow());
        }
    }

    @Test
    void whatIsRetiredIsReportedByItsLastId() throws Exception {
        publish(output, FIRST, 0, 2);
        output.seal(FIRST);
        output.retirement().record(FIRST, new RetiredIncarnations.Left(1, 1, 2, 0, 88_000));
        output.retirement().remove(FIRST);
        ReportRun.Result result = run(false);
        assertThat(result.reported()).isTrue();
        assertThat(result.ids()).isZero();
        assertThat(registry.control().pipelines())
                .filteredOn(one -> one.uuid().equals(RestoredRegistry.PIPELINE))
                .singleElement()
                .satisfies(one -> assertThat(one.limitMicros()).isEqualTo(88_001));
    }

    @Test
    void allThatIsPublishedIsBroughtToTheShard() throws Exception {
        publish(output, FIRST, 0, MANY);
        ReportRun.Result result = run(false);
        assertThat(result.reported()).isTrue();
        assertThat(result.put()).isEqualTo(MANY);
        assertThat(registry.shard.ids().count()).isEqualTo(MANY);
        assertThat(state()).isEqualTo(ReportState.REPORT_DONE);
        assertThat(run(false).alreadyDone()).isTrue();
    }

    @Test
    void aReportThatIsRefusedForAFileHasSentNothing() throws Exception {
        publish(output, FIRST, 0, MANY);
        publish(output, SECOND, MANY, MANY + 3);
        deleteOneOf(SECOND);
        assertThatThrownBy(() -> run(false))
                .isInstanceOf(RestoreCalls.RefusedException.class)
                .hasMessageContaining("manifest");
        assertThat(registry.asked).containsExactly("LOOK", "CHECK");
        assertThat(registry.shard.ids().count()).isZero();
    }

    @Test
    void aReportOfASlotThatCannotBeHasSealedAndSentNothing() throws Exception {
        Incarnation beyond = new Incarnation(5_000_000, 1);
        publish(output, beyond, 0, 3);
        assertThatThrownBy(() -> run(false))
                .isInstanceOf(RestoreCalls.RefusedException.class)
                .hasMessageContaining("5000000/1");
        assertThat(output.isSealed(beyond)).isFalse();
        assertThat(registry.asked).containsExactly("LOOK", "CHECK");
    }

    /** Its joiners are live. */
    @Test
    void nothingIsSealedOfAPipelineThatWasMadeSince() throws Exception {
        UUID made = new UUID(5, 5);
        registry.open("new", made);
        OutputDirectory live = output(made);
        publish(live, FIRST, 0, 3);
        assertThatThrownBy(() -> run(live, made, false))
                .isInstanceOf(RestoreCalls.RefusedException.class)
                .hasMessageContaining("nothing to report");
        assertThat(live.isSealed(FIRST)).isFalse();
    }

    /** East was declared lost; west has joined 2 of its events since. */
    private void goesOnWithoutTheEast() throws IOException {
        registry.step(
                RestoreRequest.newBuilder()
                        .setLost(RestoreLost.newBuilder().setDatacenter("east")));
        registry.step(
                RestoreRequest.newBuilder()
                        .setReported(
                                RestoreReported.newBuilder()
                                        .setPipeline(
                                                RegistryProtos.bytes(RestoredRegistry.PIPELINE))
                                        .setDatacenter("west")
                                        .setOutputId("output-of-west")));
        registry.install();
        Incarnation west = registry.register("west");
        registry.commit(id(1), CommitToken.of(west, 1));
        registry.commit(id(2), CommitToken.of(west, 2));
    }

    @Test
    void aLateReportThatIsRefusedForVoidsHasPutNothing() throws Exception {
        publish(output, FIRST, 0, 10);
        goesOnWithoutTheEast();
        ReportRun.Result refused = run(false);
        assertThat(refused.reported()).isFalse();
        assertThat(refused.voids()).isEqualTo(2);
        assertThat(refused.put()).isZero();
        assertThat(listed).containsExactly(id(1), id(2));
        assertThat(registry.asked)
                .containsExactly("LOOK", "CHECK", "LOOK", "LOAD_LOOK", "voids synced");
        assertThat(registry.shard.ids().count()).isEqualTo(2);

        registry.asked.clear();
        listed.clear();
        ReportRun.Result accepted = run(true);
        assertThat(accepted.reported()).isTrue();
        assertThat(accepted.put()).isEqualTo(8);
        assertThat(listed).containsExactly(id(1), id(2));
        assertThat(registry.asked)
                .as("the list lasts before the report is noted")
                .containsExactly(
                        "LOOK", "CHECK", "LOOK", "LOAD_PUBLISHED", "voids synced", "REPORTED");
        assertThat(registry.shard.ids().count()).isEqualTo(10);
    }

    private void goesOnWhen(String asked) {
        registry.meanwhile =
                what -> {
                    if (what.equals(asked)) {
                        registry.meanwhile = again -> {};
                        try {
                            goesOnWithoutTheEast();
                        } catch (IOException e) {
                            throw new AssertionError(e);
                        }
                    }
                };
    }

    /** Joiners may be live from then on. */
    @Test
    void nothingIsSealedBehindAnotherReportThatWasQuicker() throws Exception {
        publish(output, FIRST, 0, 10);
        registry.meanwhile =
                what -> {
                    if (what.equals("LOOK")) {
                        registry.meanwhile = again -> {};
                        try {
                            registry.step(
                                    RestoreRequest.newBuilder()
                                            .setReported(
                                                    RestoreReported.newBuilder()
                                                            .setPipeline(
                                                                    RegistryProtos.bytes(
                                                                            RestoredRegistry
                                                                                    .PIPELINE))
                                                            .setDatacenter("east")
                                                            .setOutputId("output-of-east")));
                        } catch (IOException e) {
                            throw new AssertionError(e);
                        }
                    }
                };
        assertThat(run(false).alreadyDone()).isTrue();
        assertThat(output.isSealed(FIRST)).isFalse();
        assertThat(registry.asked).doesNotContain("LOAD_PUBLISHED");
    }

    /** To read all that is published takes hours. */
    @Test
    void aReportThatComesTooLateWhileItIsVerifiedIsALateOne() throws Exception {
        publish(output, FIRST, 0, 10);
        goesOnWhen("CHECK");
        ReportRun.Result refused = run(false);
        assertThat(refused.reported()).isFalse();
        assertThat(refused.voids()).isEqualTo(2);
        assertThat(registry.asked).doesNotContain("LOAD_PUBLISHED");
        assertThat(registry.shard.ids().count()).isEqualTo(2);
    }

    @Test
    void aReportThatIsBeingSentWhenTheRestoreEndsStops() throws Exception {
        publish(output, FIRST, 0, MANY);
        goesOnWhen("LOAD_PUBLISHED");
        assertThatThrownBy(() -> run(false))
                .isInstanceOf(RestoreCalls.RefusedException.class)
                .hasMessageContaining("the restore ended in the meantime");
        assertThat(registry.asked).containsOnlyOnce("LOAD_PUBLISHED");
        assertThat(registry.asked).doesNotContain("REPORTED");
    }

    @Test
    void aJoinerThatComesUpMeanwhileEndsTheReport() throws Exception {
        publish(output, FIRST, 0, 10);
        registry.meanwhile =
                what -> {
                    if (what.equals("CHECK")) {
                        try {
                            output.createWorkDirectory(new Incarnation(1, 7));
                        } catch (IOException e) {
                            throw new AssertionError(e);
                        }
                    }
                };
        assertThatThrownBy(() -> run(false))
                .isInstanceOf(RestoreCalls.RefusedException.class)
                .hasMessageContaining("stop all joiners");
    }

    @Test
    void whatTheBoundaryHasPassedSinceIsVoidToo() throws Exception {
        publish(output, FIRST, 0, 10);
        goesOnWithoutTheEast();
        registry.apply(ShardEntries.advanceBoundary(id(4).micros()));
        ReportRun.Result refused = run(false);
        assertThat(refused.reported()).isFalse();
        assertThat(refused.forgotten()).isEqualTo(4);
        assertThat(forgotten).containsExactly(id(0), id(1), id(2), id(3));
        assertThat(listed).isEmpty();
    }
}
