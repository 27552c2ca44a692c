package photon.server.local;

import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import photon.core.config.PipelineConfig;
import photon.core.crash.CrashPoints;
import photon.core.error.BugHandler;
import photon.core.error.ConfigException;
import photon.core.rpc.HostPort;
import photon.core.rpc.ProcessRpcs;
import photon.core.time.SystemClock;
import photon.server.lifecycle.StateLock;
import photon.server.roles.Environment;
import photon.server.roles.OpenedPipeline;
import photon.server.trace.Traces;
import photon.storage.files.FileStore;

/**
 * The registry of a local pipeline while no run is at work, for verbs that look at it or change it.
 * Closing it ends the registry.
 */
public final class LocalPipeline implements AutoCloseable {
    private static final Duration CLOCK_BOUND = Duration.ofMillis(10);

    private final StateLock stateLock;
    private final @Nullable StateLock outputLock;
    private final LocalRegistry registry;

    private LocalPipeline(
            StateLock stateLock, @Nullable StateLock outputLock, LocalRegistry registry) {
        this.stateLock = stateLock;
        this.outputLock = outputLock;
        this.registry = registry;
    }

    /**
     * @throws ConfigException if nothing has run there, or something runs
     */
    public static LocalPipeline open(
            PipelineConfig config, String output, Path state, FileStore files) throws IOException {
        Environment environment =
                new Environment(
                        files,
                        new SystemClock(CLOCK_BOUND),
                        new SecureRandom(),
                        new ProcessRpcs(),
                        CrashPoints.none(),
                        BugHandler.stopProcess(),
                        Traces.OFF);
        StateOwner.check(state);
        OpenedPipeline.checkState(config, environment.files(), state);
        if (!OpenedPipeline.hasState(environment.files(), state)) {
            throw new ConfigException(
                    "No run of pipeline %s has used the state directory %s. Expected the --state and --output of 'photon local', or a configuration with a deployment"
                            .formatted(config.pipeline(), state));
        }
        StateLock stateLock = StateLock.take(state, "state");
        @Nullable StateLock outputLock = null;
        try {
            outputLock = StateLock.takeBeside(output, "output");
            return new LocalPipeline(
                    stateLock,
                    outputLock,
                    LocalRegistry.start(state.resolve("registry"), environment));
        } catch (IOException | RuntimeException e) {
            if (outputLock != null) {
                outputLock.close();
            }
            stateLock.close();
            throw e;
        }
    }

    public List<HostPort> servers() {
        return registry.servicesNearestTo(0);
    }

    @Override
    public void close() throws IOException {
        registry.close();
        if (outputLock != null) {
            outputLock.close();
        }
        stateLock.close();
    }
}
