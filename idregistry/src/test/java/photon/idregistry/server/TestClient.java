package photon.idregistry.server;

import com.google.common.base.Throwables;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.core.id.Incarnation;
import photon.core.id.UserKey;
import photon.core.loop.ThreadLoop;
import photon.core.rpc.ProcessRpcs;
import photon.proto.v1.DropPipelineRequest;
import photon.proto.v1.DropPipelineResponse;
import photon.proto.v1.SetPipelineRequest;
import photon.registry.api.ControlClient;
import photon.registry.api.ControlClient.Fenced;
import photon.registry.api.ControlClient.Registration;
import photon.registry.api.ControlClient.ScanPage;
import photon.registry.api.RegistryClient;
import photon.registry.api.RegistryClient.Commit;
import photon.registry.api.RegistryClient.CommitListener;
import photon.registry.api.RegistryClient.CommitResult;
import photon.registry.api.RegistryClient.Found;
import photon.registry.api.RegistryClient.RemoveResult;
import photon.registry.api.RegistryProtos;
import photon.registry.api.ReshardClient;
import photon.registry.client.GrpcRegistry;
import photon.registry.client.RegistryConnection;

/** The real client with answers that a test can wait for. */
public final class TestClient implements AutoCloseable {
    static final String FINGERPRINT = "f1";

    public final UUID pipeline;
    private final ThreadLoop loop;
    private final RegistryConnection connection;
    private final RegistryClient registry;

    public TestClient(TestRegistry at, String pipelineName, int shards) {
        this(at, pipelineName, shards, Duration.ZERO);
    }

    TestClient(TestRegistry at, String pipelineName, int shards, Duration retention) {
        this(
                at,
                pipelineName,
                shards,
                UUID.nameUUIDFromBytes(
                        pipelineName.getBytes(java.nio.charset.StandardCharsets.UTF_8)),
                retention);
    }

    /**
     * @param uuid used if the pipeline is new
     */
    TestClient(TestRegistry at, String pipelineName, int shards, UUID uuid) {
        this(at, pipelineName, shards, uuid, Duration.ZERO);
    }

    private TestClient(
            TestRegistry at, String pipelineName, int shards, UUID uuid, Duration retention) {
        loop = new ThreadLoop("client", 1_000, (where, bug) -> at.bugs.add(where + ": " + bug));
        connection =
                waitFor(
                        () ->
                                CompletableFuture.completedFuture(
                                        GrpcRegistry.connect(
                                                loop,
                                                at.services(),
                                                pipelineName,
                                                new ProcessRpcs(at.ofClients),
                                                new Random(1))));
        pipeline =
                waitFor(
                                () ->
                                        control()
                                                .openPipeline(
                                                        pipelineName,
                                                        uuid,
                                                        FINGERPRINT,
                                                        shards,
                                                        retention))
                        .uuid();
        registry = waitFor(connection::registry);
    }

    public DropPipelineResponse drop(boolean force) {
        return waitFor(
                () ->
                        connection
                                .pipelines()
                                .drop(
                                        DropPipelineRequest.newBuilder()
                                                .setPipeline(RegistryProtos.bytes(pipeline))
                                                .setForce(force)
                                                .build()));
    }

    private ControlClient control() {
        return connection.control();
    }

    private <T> T waitFor(Supplier<CompletableFuture<T>> ask) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        loop.execute(
                () ->
                        ask.get()
                                .whenComplete(
                                        (value, failure) -> {
                                            if (failure != null) {
                                                answer.completeExceptionally(failure);
                                            } else {
                                                answer.complete(value);
                                            }
                                        }));
        return answer.orTimeout(120, TimeUnit.SECONDS).join();
    }

    public Incarnation register(String slot, String nonceByte) {
        return register(slot, nonceByte, false);
    }

    public Incarnation register(String slot, String nonceByte, boolean usesUnmatchedKind) {
        return waitFor(
                () ->
                        control()
                                .register(
                                        new Registration(
                                                pipeline,
                                                slot,
                                                nonceByte.repeat(16),
                                                "127.0.0.1:1",
                                                1,
                                                1,
                                                FINGERPRINT,
                                                "output",
                                                Optional.empty(),
                                                usesUnmatchedKind)));
    }

    public static EventId id(int number) {
        return EventId.ofUser(1_000_000L + number, UserKey.of(List.of("id" + number)));
    }

    /** The results in the order of the commits. */
    public List<CommitResult> commit(Commit... commits) {
        return answers(commits).stream().map(Answer::result).toList();
    }

    /** As the listener hears them. */
    record Answer(CommitResult result, @Nullable CommitToken holder) {}

    List<Answer> answers(Commit... commits) {
        return waitFor(
                () -> {
                    CompletableFuture<List<Answer>> all = new CompletableFuture<>();
                    Map<Commit, Answer> heard = new HashMap<>();
                    CommitListener listener =
                            (commit, result, holder, askedAgain) -> {
                                heard.put(commit, new Answer(result, holder));
                                if (heard.size() == commits.length) {
                                    all.complete(Arrays.stream(commits).map(heard::get).toList());
                                }
                            };
                    registry.commit(List.of(commits), listener);
                    return all;
                });
    }

    /** Asks again if nobody has answered in time. */
    List<Found> lookupLocal(EventId... ids) {
        for (int attempt = 0; ; attempt++) {
            try {
                return waitFor(() -> registry.lookupLocal(List.of(ids)));
            } catch (CompletionException e) {
                boolean silence =
                        Throwables.getRootCause(e).toString().contains("No registry server of");
                if (!silence || attempt == 10) {
                    throw e;
                }
            }
        }
    }

    List<RemoveResult> remove(Commit... commits) {
        return waitFor(() -> registry.remove(List.of(commits)));
    }

    /** Nothing that it has committed or will commit below is unpublished. */
    void promise(Incarnation incarnation, long micros) {
        waitFor(() -> control().renew(pipeline, incarnation, micros));
    }

    List<Fenced> fence(Incarnation incarnation) {
        return waitFor(() -> control().fence(pipeline, incarnation));
    }

    List<ControlClient.IncarnationInfo> incarnations() {
        return waitFor(() -> control().incarnations(pipeline, ""));
    }

    ScanPage scan(Fenced group, Incarnation incarnation, @Nullable EventId after, int limit) {
        return waitFor(() -> control().scan(pipeline, group, incarnation, after, limit));
    }

    /** Older ids go, by the servers' clocks, soon. */
    void keepFrom(long micros) {
        long retention = TestRegistry.PASSED_MICROS - micros;
        waitFor(
                () ->
                        connection
                                .pipelines()
                                .set(
                                        SetPipelineRequest.newBuilder()
                                                .setPipeline(RegistryProtos.bytes(pipeline))
                                                .setRetentionMicros(retention)
                                                .build()));
    }

    ReshardClient.Result reshard(long baseVersion, int shards, long startMicros, String nonceByte) {
        return waitFor(
                () ->
                        connection
                                .reshards()
                                .reshard(
                                        new ReshardClient.Reshard(
                                                pipeline,
                                                baseVersion,
                                                shards,
                                                startMicros,
                                                nonceByte.repeat(16)),
                                        Duration.ofSeconds(60)));
    }

    List<RegistryClient.Shard> shards() {
        return registry.shards();
    }

    @Override
    public void close() {
        loop.execute(connection::close);
        loop.execute(loop::close);
    }
}
