package photon.simulation.parts;

import java.time.Duration;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import photon.core.config.PipelineConfig.Limits;
import photon.registry.client.PipelineDescription;
import photon.registry.client.RegistryConnection;
import photon.storage.format.IdentityFingerprint;

/**
 * A process's entrance to the registry, as production's: opens the pipeline and makes sure that all
 * mean the same one.
 *
 * @param description what the registry says of the pipeline
 */
record SimulatedOpenedPipeline(UUID pipeline, String fingerprint, PipelineDescription description) {

    /**
     * Asks until the registry has answered.
     *
     * @param then run in the process's main loop
     */
    static void enter(
            ProcessHost host, ProcessHost.Means means, Consumer<SimulatedOpenedPipeline> then) {
        SimulatedSite site = host.site;
        String fingerprint = IdentityFingerprint.of(site.config);
        RegistryConnection connection = host.connect(means);
        UUID known = site.pipeline();
        UUID proposed =
                known != null
                        ? known
                        : new UUID(
                                means.life().random().nextLong(), means.life().random().nextLong());
        connection
                .control()
                .openPipeline(
                        site.config.pipeline(),
                        proposed,
                        fingerprint,
                        site.config.limits().registryShards().orElse(Limits.SHARDS),
                        site.config.retention().orElse(Duration.ZERO))
                .thenCombine(
                        connection.describe(),
                        (held, description) ->
                                new SimulatedOpenedPipeline(
                                        held.uuid(), held.identityFingerprint(), description))
                .whenComplete(
                        // A task of its own: what it throws must reach the loop.
                        (admission, failure) ->
                                means.main()
                                        .execute(
                                                () -> {
                                                    connection.close();
                                                    then.accept(
                                                            checked(
                                                                    site,
                                                                    fingerprint,
                                                                    admission,
                                                                    failure));
                                                }));
    }

    private static SimulatedOpenedPipeline checked(
            SimulatedSite site,
            String fingerprint,
            @Nullable SimulatedOpenedPipeline admission,
            @Nullable Throwable failure) {
        if (admission == null || !admission.fingerprint().equals(fingerprint)) {
            throw new IllegalStateException(
                    "Expected a pipeline of fingerprint " + fingerprint + ", but got " + admission,
                    failure);
        }
        site.admitted(admission.pipeline());
        return admission;
    }
}
