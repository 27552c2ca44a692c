package photon.server.roles;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import photon.core.config.PipelineConfig;
import photon.core.error.ConfigException;
import photon.core.error.Failures;
import photon.core.loop.ThreadLoop;
import photon.core.rpc.HostPort;
import photon.registry.admin.PipelinesText;
import photon.registry.api.ControlClient;
import photon.registry.api.PipelineDroppedException;
import photon.registry.api.RegistrationRefusedException;
import photon.registry.client.GrpcRegistry;
import photon.registry.client.PipelineDescription;
import photon.registry.client.RegistryConnection;
import photon.storage.files.DurableDirectories;
import photon.storage.files.FileStore;
import photon.storage.format.IdentityFingerprint;
import photon.storage.format.IdentitySettings;

/**
 * A process's entrance to the registry: opens the pipeline and makes sure that registry, state
 * directory and configuration mean the same one.
 *
 * @param held as the control group had it at the entrance
 * @param description what the registry says of the pipeline, its shard map above all
 */
public record OpenedPipeline(
        UUID pipeline,
        String fingerprint,
        ControlClient.Pipeline held,
        PipelineDescription description,
        List<HostPort> servers) {
    /**
     * @param shards of a new pipeline, unless the configuration says how many
     * @param directory of the state that the process works with, perhaps beside others
     * @param servers nearest first
     * @param patience how long to wait for a majority of the registry
     * @throws photon.core.error.ConfigException if one of the three means another pipeline: names
     *     both values
     * @throws TimeoutException if the registry does not answer so long
     */
    public static OpenedPipeline enter(
            PipelineConfig config,
            int shards,
            String directory,
            List<HostPort> servers,
            Patience patience,
            Environment environment)
            throws IOException, TimeoutException {
        String fingerprint = IdentityFingerprint.of(config);
        FileStore files = environment.files();
        DurableDirectories.create(files, directory);
        Optional<PipelineIdentity> known = checkedState(config, files, directory, fingerprint);
        UUID proposed = known.map(PipelineIdentity::uuid).orElseGet(UUID::randomUUID);
        ThreadLoop loop = new ThreadLoop("admission", 16, environment.bugs());
        try {
            RegistryConnection connection =
                    connect(loop, servers, config.pipeline(), environment, patience);
            try {
                ControlClient.Pipeline held =
                        open(
                                loop,
                                connection,
                                config,
                                proposed,
                                fingerprint,
                                // What was there once is never made anew, without its ids.
                                known.isPresent()
                                        ? 0
                                        : config.limits().registryShards().orElse(shards),
                                directory,
                                patience);
                PipelineIdentity mine =
                        new PipelineIdentity(
                                config.pipeline(),
                                known.map(PipelineIdentity::uuid).orElse(held.uuid()),
                                fingerprint,
                                IdentitySettings.of(config));
                // It knows the fingerprint alone.
                new PipelineIdentity(held.name(), held.uuid(), held.identityFingerprint(), Map.of())
                        .checkSame(mine, "the registry's pipeline");
                mine.write(files, directory);
                return new OpenedPipeline(
                        held.uuid(),
                        fingerprint,
                        held,
                        ask(loop, connection::describe, patience),
                        servers);
            } finally {
                close(loop, connection, patience);
            }
        } finally {
            loop.close();
        }
    }

    private static RegistryConnection connect(
            ThreadLoop loop,
            List<HostPort> servers,
            String pipeline,
            Environment environment,
            Patience patience)
            throws IOException, TimeoutException {
        CompletableFuture<RegistryConnection> connected = new CompletableFuture<>();
        loop.execute(
                () ->
                        connected.complete(
                                GrpcRegistry.connect(
                                        loop,
                                        servers,
                                        pipeline,
                                        environment.rpcs(),
                                        environment.random(),
                                        "admission")));
        return await(connected, patience);
    }

    private static void close(ThreadLoop loop, RegistryConnection connection, Patience patience)
            throws IOException, TimeoutException {
        CompletableFuture<Boolean> closed = new CompletableFuture<>();
        loop.execute(
                () -> {
                    connection.close();
                    closed.complete(true);
                });
        await(closed, patience);
    }

    /** The registry refuses by its own, and files are kept by the configuration's: say so. */
    static Optional<String> retentionDiffers(
            Optional<Duration> configured, ControlClient.Pipeline held) {
        return retentionDiffers(configured, held.retention(), held.name());
    }

    /**
     * The same, of a pipeline that another has looked at.
     *
     * @param held what the registry has
     */
    public static Optional<String> retentionDiffers(
            Optional<Duration> configured, Optional<Duration> held, String pipeline) {
        return configured.equals(held)
                ? Optional.empty()
                : Optional.of(
                        "the registry's retention is %s, the configuration's is %s. The registry refuses events by its own; event stores and verifiers keep files by the configuration's. Make them the same: 'photon registry pipelines set %s --retention' changes the registry's"
                                .formatted(text(held), text(configured), pipeline));
    }

    private static String text(Optional<Duration> retention) {
        return PipelinesText.retention(
                TimeUnit.NANOSECONDS.toMicros(retention.orElse(Duration.ZERO).toNanos()));
    }

    private static ControlClient.Pipeline open(
            ThreadLoop loop,
            RegistryConnection connection,
            PipelineConfig config,
            UUID proposed,
            String fingerprint,
            int shards,
            String state,
            Patience patience)
            throws TimeoutException {
        try {
            return ask(
                    loop,
                    () ->
                            connection
                                    .control()
                                    .openPipeline(
                                            config.pipeline(),
                                            proposed,
                                            fingerprint,
                                            shards,
                                            config.retention().orElse(Duration.ZERO)),
                    patience);
        } catch (RegistrationRefusedException e) {
            throw new ConfigException(String.valueOf(e.getMessage()));
        } catch (PipelineDroppedException e) {
            throw new ConfigException(
                    "The state directory %s belongs to pipeline %s with UUID %s, which the registry has permanently dropped. Use another state and output directory for a new pipeline of this name"
                            .formatted(state, config.pipeline(), proposed));
        }
    }

    /**
     * What can be told of a state directory before there is a registry.
     *
     * @throws photon.core.error.ConfigException if it is another pipeline's, or of other identity
     *     settings: names both values
     */
    public static void checkState(PipelineConfig config, FileStore files, Path state)
            throws IOException {
        checkedState(
                config, files, state.toAbsolutePath().toString(), IdentityFingerprint.of(config));
    }

    /** True if a pipeline was opened with this state directory. */
    public static boolean hasState(FileStore files, Path state) throws IOException {
        return PipelineIdentity.read(files, state.toAbsolutePath().toString()).isPresent();
    }

    private static Optional<PipelineIdentity> checkedState(
            PipelineConfig config, FileStore files, String directory, String fingerprint)
            throws IOException {
        Optional<PipelineIdentity> known = PipelineIdentity.read(files, directory);
        known.ifPresent(
                k ->
                        k.checkSame(
                                new PipelineIdentity(
                                        config.pipeline(),
                                        k.uuid(),
                                        fingerprint,
                                        IdentitySettings.of(config)),
                                "the state directory"));
        return known;
    }

    /** The same, with the servers in another order. */
    public OpenedPipeline by(List<HostPort> nearestFirst) {
        return new OpenedPipeline(pipeline, fingerprint, held, description, nearestFirst);
    }

    private static <T> T ask(
            ThreadLoop loop, Supplier<CompletableFuture<T>> question, Patience patience)
            throws TimeoutException {
        CompletableFuture<T> answer = new CompletableFuture<>();
        loop.execute(
                () ->
                        question.get()
                                .whenComplete(
                                        (value, failure) -> {
                                            if (failure == null) {
                                                answer.complete(value);
                                            } else {
                                                answer.completeExceptionally(failure);
                                            }
                                        }));
        return await(answer, patience);
    }

    private static <T> T await(CompletableFuture<T> future, Patience patience)
            throws TimeoutException {
        try {
            return patience.await(future);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while waiting for the registry", e);
        } catch (ExecutionException e) {
            throw Failures.unchecked(e);
        }
    }
}
