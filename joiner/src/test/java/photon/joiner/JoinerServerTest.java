package photon.joiner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Random;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import photon.adapter.Adapter;
import photon.adapter.SourceEvent;
import photon.core.crash.CrashPoints;
import photon.core.error.ConfigException;
import photon.core.id.Incarnation;
import photon.core.loop.ThreadLoop;
import photon.core.rpc.GrpcChannels;
import photon.core.rpc.HostPort;
import photon.core.rpc.ProcessRpcs;
import photon.core.rpc.SessionCaller;
import photon.core.time.IntervalClock;
import photon.core.trace.AttemptTracer;
import photon.joiner.incarnation.LifeListener;
import photon.joiner.incarnation.LifeState;
import photon.proto.v1.JoinRequest;
import photon.proto.v1.JoinResponse;
import photon.proto.v1.JoinResult.Status;
import photon.proto.v1.JoinerGrpc;

/** Threads and network for real; registry, event store and files are fakes. */
@Timeout(180)
class JoinerServerTest {
    private final MemoryOutput files = new MemoryOutput();
    private final AtomicReference<Throwable> bug = new AtomicReference<>();
    private final CompletableFuture<Incarnation> serving = new CompletableFuture<>();

    /** Passes the foreign event on. */
    public static final class PassOn implements Adapter {
        @Override
        public void join(SourceEvent foreign, SourceEvent primary, Result result) {
            result.emit(foreign.json());
        }
    }

    @Test
    void aDispatcherIsServedOverTheNetworkUntilACleanClose() throws Exception {
        JoinerServer server = start(new HostPort("127.0.0.1", 0));
        serving.get(60, TimeUnit.SECONDS);
        ThreadLoop client = new ThreadLoop("client", 16, (where, t) -> bug.set(t));
        GrpcChannels channels = new GrpcChannels(client, new ProcessRpcs());
        BlockingQueue<JoinResponse> answers = new ArrayBlockingQueue<>(100);
        client.execute(() -> sendEvents(channels, server.address(), answers));
        int joined = 0;
        while (joined < 50) {
            JoinResponse answer = answers.poll(60, TimeUnit.SECONDS);
            assertThat(answer).isNotNull();
            assertThat(answer.getResultsList()).allMatch(r -> r.getStatus() == Status.JOINED);
            joined += answer.getResultsCount();
        }
        assertThat(server.status().state()).isEqualTo(LifeState.SERVING);
        assertThat(server.status().unpublishedRecords()).isEqualTo(50);
        assertThat(server.closeAndTell()).isTrue();
        assertThat(server.status().state()).isEqualTo(LifeState.STOPPED);
        assertThat(files.published).hasSize(50);
        server.close();
        channels.close();
        client.close();
        assertThat(bug.get()).isNull();
    }

    @Test
    void aPortInUseIsAConfigurationError() throws Exception {
        JoinerServer server = start(new HostPort("127.0.0.1", 0));
        assertThatThrownBy(() -> start(server.address()))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(server.address().toString());
        server.close();
    }

    private static void sendEvents(
            GrpcChannels channels, HostPort address, BlockingQueue<JoinResponse> answers) {
        SessionCaller.Session<JoinRequest> session =
                channels.session(address, JoinerGrpc.getJoinMethod())
                        .open(
                                new SessionCaller.Listener<>() {
                                    @Override
                                    public void received(JoinResponse message) {
                                        answers.add(message);
                                    }

                                    @Override
                                    public void broken(String why) {}
                                });
        for (int n = 0; n < 50; n++) {
            session.send(JoinRequest.newBuilder().addItems(Events.item(n, n, null)).build());
        }
    }

    private JoinerServer start(HostPort listen) {
        JoinerSettings d =
                JoinerBench.settings(
                        PassOn.class.getName(),
                        JoinerBench.limits(1_000, 500, Duration.ofMinutes(10)));
        JoinerSettings settings =
                new JoinerSettings(
                        listen,
                        d.pipeline(),
                        d.identityFingerprint(),
                        d.slotName(),
                        d.processId(),
                        d.startedMicros(),
                        d.host(),
                        d.adapter(),
                        d.limits(),
                        d.unmatched(),
                        d.durability(),
                        d.admittedBytesMax(),
                        d.tokenBytesMax(),
                        2,
                        Duration.ofMillis(10),
                        Duration.ofSeconds(1),
                        Duration.ofSeconds(20),
                        Duration.ofSeconds(5));
        return JoinerServer.start(
                settings,
                files,
                main -> {
                    ModelRegistry registry = new ModelRegistry(main);
                    return CompletableFuture.completedFuture(
                            new JoinerPeers(
                                    registry,
                                    registry,
                                    new MemoryEventStore(main).alone(),
                                    () -> {}));
                },
                new ProcessRpcs(),
                () -> new IntervalClock.Interval(0, 0),
                new Random(1),
                CrashPoints.none(),
                (where, t) -> bug.set(t),
                AttemptTracer.OFF,
                new LifeListener() {
                    @Override
                    public void serving(Incarnation incarnation) {
                        serving.complete(incarnation);
                    }
                });
    }
}
