package photon.server.health;

import io.grpc.ServerServiceDefinition;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.protobuf.services.HealthStatusManager;

/**
 * Says by gRPC's health checking protocol what {@link HealthMonitor} says, to all who ask or
 * watches. Decides nothing. Thread-safe.
 */
public final class GrpcHealth {
    /** The service that is asked for what {@code /livez} says. */
    public static final String LIVE = "photon.live";

    /** The service that is asked for what {@code /readyz} says: the whole process. */
    public static final String READY = HealthStatusManager.SERVICE_NAME_ALL_SERVICES;

    private final HealthMonitor monitor;
    private final HealthStatusManager told = new HealthStatusManager();

    private GrpcHealth(HealthMonitor monitor) {
        this.monitor = monitor;
    }

    /** Of a process, from its beginning to its end. */
    public static ServerServiceDefinition of(HealthMonitor monitor) {
        GrpcHealth made = new GrpcHealth(monitor);
        monitor.afterEachLook(made::tell);
        return made.told.getHealthService().bindService();
    }

    /** One after another, so that what is read last is told last. */
    private synchronized void tell() {
        told.setStatus(READY, status(monitor.ready()));
        told.setStatus(LIVE, status(monitor.live()));
    }

    private static ServingStatus status(HealthReport report) {
        return report.passes() ? ServingStatus.SERVING : ServingStatus.NOT_SERVING;
    }
}
