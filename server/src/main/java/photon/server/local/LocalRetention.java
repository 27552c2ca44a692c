package photon.server.local;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import photon.core.error.FailedException;
import photon.core.rpc.RpcSecurity;
import photon.proto.v1.SetPipelineRequest;
import photon.proto.v1.SetPipelineResponse;
import photon.registry.admin.ControlSession;
import photon.registry.admin.PipelinesText;
import photon.registry.api.RegistryProtos;
import photon.server.roles.OpenedPipeline;

/**
 * Makes a run's registry keep ids as long as the configuration says. The registry is this run's
 * alone, so that nobody else may want another retention.
 */
final class LocalRetention {
    private static final Logger log = LoggerFactory.getLogger(LocalRetention.class);

    private LocalRetention() {}

    /**
     * Returns when the registry has the retention, and its boundaries are where they were when the
     * run began.
     *
     * @throws TimeoutException if the registry does not answer
     */
    static void settle(
            Optional<Duration> configured,
            LocalRegistry registry,
            OpenedPipeline admission,
            long startedMicros,
            Duration patience)
            throws TimeoutException {
        Duration retention = configured.orElse(Duration.ZERO);
        if (!retention.equals(admission.description().retention())) {
            set(retention, registry, admission, patience);
        }
        if (!retention.isZero()) {
            registry.awaitBoundary(
                    admission.pipeline(),
                    admission.description().map().shards(),
                    startedMicros - micros(retention),
                    patience);
        }
    }

    private static void set(
            Duration retention, LocalRegistry registry, OpenedPipeline admission, Duration patience)
            throws TimeoutException {
        log.info(
                "The retention is {} from now on, and was {}",
                text(retention),
                text(admission.description().retention()));
        SetPipelineRequest request =
                SetPipelineRequest.newBuilder()
                        .setPipeline(RegistryProtos.bytes(admission.pipeline()))
                        .setRetentionMicros(micros(retention))
                        .build();
        SetPipelineResponse answer =
                new ControlSession(registry.servicesNearestTo(0), patience, RpcSecurity.PLAINTEXT)
                        .ask(connection -> connection.pipelines().set(request));
        if (answer.getVerdict() != SetPipelineResponse.Verdict.SET) {
            throw new FailedException(
                    "The registry refuses a retention of %s: %s"
                            .formatted(text(retention), answer.getVerdict()));
        }
    }

    private static String text(Duration retention) {
        return PipelinesText.retention(micros(retention));
    }

    private static long micros(Duration retention) {
        return TimeUnit.NANOSECONDS.toMicros(retention.toNanos());
    }
}
