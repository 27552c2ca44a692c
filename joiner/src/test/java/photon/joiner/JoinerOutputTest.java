package photon.joiner;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import photon.core.config.OutputConfig;
import photon.core.crash.CrashPoints;
import photon.core.id.Incarnation;
import photon.core.loop.ManualLoop;
import photon.core.rpc.SessionHandler.Session;
import photon.core.time.IntervalClock;
import photon.core.trace.AttemptTracer;
import photon.joiner.incarnation.LifeListener;
import photon.joiner.output.JoinerWorkArea;
import photon.proto.v1.JoinRequest;
import photon.proto.v1.JoinResult.Status;
import photon.storage.files.MemoryFileStore;
import photon.storage.output.Manifest;
import photon.storage.output.OutputDirectory;
import photon.storage.output.OutputIdentity;
import photon.storage.output.format.OutputFormats;

/** The joiner on the real output directory, on files in memory. */
class JoinerOutputTest {
    private final ManualLoop loop = new ManualLoop();
    private final MemoryFileStore files = new MemoryFileStore(1);
    private final ModelRegistry registry = new ModelRegistry(loop);
    private final Map<Long, Status> answers = new HashMap<>();

    @Test
    void joinedEventsStandInPublishedFilesAfterACleanClose() throws IOException {
        OutputDirectory output = open();
        Joiner joiner = start(output);
        Session<JoinRequest> session = joiner.service().opened(this::received);
        for (int n = 0; n < 20; n++) {
            session.received(JoinRequest.newBuilder().addItems(Events.item(n, n, null)).build());
            loop.advance(Duration.ofMillis(500));
        }
        List<Boolean> clean = new ArrayList<>();
        joiner.close(clean::add);
        loop.runUntilIdle();
        assertThat(clean).containsExactly(true);
        assertThat(answers).hasSize(20).containsValue(Status.JOINED);
        List<Manifest> manifests = output.manifests(new Incarnation(7, 1));
        assertThat(manifests).hasSizeGreaterThan(1);
        assertThat(manifests.stream().mapToInt(m -> m.entries().size()).sum()).isEqualTo(20);
        assertThat(output.strangers()).isEmpty();
    }

    @Test
    void whatAFencedIncarnationHadFlushedIsPublishedByTheSealer() throws IOException {
        OutputDirectory output = open();
        Joiner joiner = start(output);
        Session<JoinRequest> session = joiner.service().opened(this::received);
        session.received(JoinRequest.newBuilder().addItems(Events.item(1, 1, null)).build());
        loop.runUntilIdle();
        assertThat(answers).containsEntry(1L, Status.JOINED);
        registry.lowestLive = 2;
        output.seal(new Incarnation(7, 1));
        session.received(JoinRequest.newBuilder().addItems(Events.item(2, 2, null)).build());
        loop.advance(Duration.ofSeconds(30));
        assertThat(answers).containsEntry(2L, Status.ABANDONED);
        assertThat(joiner.status().incarnation()).contains(new Incarnation(7, 2));
        assertThat(output.manifests(new Incarnation(7, 1)).get(0).entries()).hasSize(1);
    }

    private OutputDirectory open() throws IOException {
        return OutputDirectory.open(
                files,
                "/out/east",
                new OutputIdentity(JoinerBench.PIPELINE.toString(), "fingerprint", "east", "id"),
                OutputFormats.of(OutputConfig.DEFAULTS),
                CrashPoints.none(),
                () -> new IntervalClock.Interval(0, 0));
    }

    private Joiner start(OutputDirectory output) {
        Joiner joiner =
                new Joiner(
                        JoinerBench.settings("merge", JoinerBench.limits(100, 50)),
                        "10.0.0.1:7400",
                        new Joiner.Loops(loop, loop, Runnable::run),
                        new JoinerPeers(
                                registry, registry, new MemoryEventStore(loop).alone(), () -> {}),
                        JoinerWorkArea.of(output),
                        () -> new IntervalClock.Interval(0, 0),
                        new Random(1),
                        CrashPoints.none(),
                        AttemptTracer.OFF,
                        new LifeListener() {});
        joiner.start();
        loop.runUntilIdle();
        return joiner;
    }

    private void received(photon.proto.v1.JoinResponse message) {
        message.getResultsList().forEach(r -> answers.put(r.getNumber(), r.getStatus()));
    }
}
