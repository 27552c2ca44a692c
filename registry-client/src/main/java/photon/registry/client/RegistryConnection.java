package photon.registry.client;

import static photon.core.error.Checks.check;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import photon.core.loop.EventLoop;
import photon.core.rpc.HostPort;
import photon.proto.v1.DescribePipelineRequest;
import photon.registry.api.ControlClient;
import photon.registry.api.IdRegistry;
import photon.registry.api.RegistryClient;
import photon.registry.api.ReshardClient;

/**
 * One component's connection to the registry for one pipeline. Made, used and closed in the loop;
 * all that it gives answers there.
 */
public final class RegistryConnection implements AutoCloseable {
    private final Asking asking;
    private final Leaders leaders;
    private final ControlCommands control;
    private final ReshardCalls reshards;
    private final Asking shardAsking;
    private final RegistryTransport transport;
    private final String pipeline;
    private @Nullable CompletableFuture<RegistryClient> registry;

    /**
     * Contacts nobody yet.
     *
     * @param transport closed with this
     * @param servers nearest first, at least one
     * @param pipeline its name
     * @param random for the jitter of pauses
     */
    public RegistryConnection(
            EventLoop loop,
            RegistryTransport transport,
            List<HostPort> servers,
            String pipeline,
            RandomGenerator random) {
        this(loop, transport, servers, pipeline, random, "");
    }

    /**
     * Contacts nobody yet.
     *
     * @param actor who this is, for the audit: {@code user@host}, or a component's role
     */
    public RegistryConnection(
            EventLoop loop,
            RegistryTransport transport,
            List<HostPort> servers,
            String pipeline,
            RandomGenerator random,
            String actor) {
        check(!servers.isEmpty(), "Expected a registry server for pipeline %s", pipeline);
        this.transport = transport;
        this.pipeline = pipeline;
        this.leaders = new Leaders(servers);
        this.asking = new Asking(loop, transport, random, actor);
        this.shardAsking = asking.another();
        this.reshards = new ReshardCalls(asking.another(), leaders);
        this.control = new ControlCommands(asking.another(), leaders);
    }

    /** Usable at once. */
    public ControlClient control() {
        return control;
    }

    /** Changes of the pipelines themselves. Usable at once. */
    public PipelineCommands pipelines() {
        return new PipelineCommands(asking, leaders);
    }

    /** Which state each dispatcher works with, and what is repaired once more. Usable at once. */
    public StateCommands states() {
        return new StateCommands(asking, leaders);
    }

    /** Changes of the shard map. Usable at once. */
    public ReshardClient reshards() {
        return reshards;
    }

    /**
     * Completes as soon as a server knows the pipeline: asked until one does, so open the pipeline
     * first. Of one that was opened here, it is the same one.
     */
    public CompletableFuture<PipelineDescription> describe() {
        asking.loop.checkInLoop();
        CompletableFuture<PipelineDescription> description = new CompletableFuture<>();
        asking.any(
                leaders.servers(),
                RegistryTransport.Server::describePipeline,
                DescribePipelineRequest.newBuilder().setName(pipeline).build(),
                answer -> answer.hasPipeline() && control.mayBe(answer.getPipeline()),
                described -> description.complete(new PipelineDescription(described)));
        return description;
    }

    /**
     * The client of the pipeline's shards, the same each time, as soon as the pipeline is
     * described.
     */
    public CompletableFuture<RegistryClient> registry() {
        asking.loop.checkInLoop();
        if (registry == null) {
            registry = describe().thenApply(this::registry);
        }
        return registry;
    }

    /** A client of the pipeline's shards, usable at once. */
    public RegistryClient registry(PipelineDescription known) {
        asking.loop.checkInLoop();
        return router(shardAsking, known, ShardCommitQueue.Limits.DEFAULTS, () -> {});
    }

    private ShardRouter router(
            Asking by,
            PipelineDescription known,
            ShardCommitQueue.Limits limits,
            Runnable whenClosed) {
        return new ShardRouter(by, leaders, known.described, limits, whenClosed);
    }

    /**
     * The same, for whoever needs nothing else of this connection: closing the client closes it
     * all.
     */
    public RegistryClient soleRegistry(PipelineDescription known) {
        asking.loop.checkInLoop();
        return router(shardAsking, known, ShardCommitQueue.Limits.DEFAULTS, this::close);
    }

    /** The same for any thread, usable at once. */
    public IdRegistry shared(PipelineDescription known, IdRegistry.Options options) {
        asking.loop.checkInLoop();
        ShardCommitQueue.Limits limits =
                new ShardCommitQueue.Limits(
                        options.idsPerRequestMax(), options.requestsInFlightMax());
        return new SharedIdRegistry(router(asking.another(), known, limits, () -> {}), options);
    }

    /** Drops what waits; its futures are never completed. Safe to call twice. */
    @Override
    public void close() {
        asking.close();
        shardAsking.close();
        control.close();
        reshards.close();
        transport.close();
    }
}
