package photon.simulation.parts;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import photon.idregistry.api.RegistryClient;
import photon.idregistry.client.RegistryConnection;

/** Moves the boundary of all shards, as the CLI's boundary keeper does, by its own clock. */
public final class BoundaryKeeperHost extends ProcessHost {
    static final String ROLE = "boundary";
    private static final Duration EVERY = Duration.ofMinutes(1);

    BoundaryKeeperHost(Site site) {
        super(site, ROLE);
    }

    @Override
    void open(Means means) {
        Admission.enter(
                this,
                means,
                admission -> {
                    RegistryConnection connection = connect(means);
                    RegistryClient client = connection.registry(admission.description());
                    site.config
                            .retention()
                            .ifPresent(
                                    retention ->
                                            advance(
                                                    means,
                                                    admission,
                                                    connection,
                                                    client,
                                                    retention));
                });
    }

    private void advance(
            Means means,
            Admission admission,
            RegistryConnection connection,
            RegistryClient client,
            Duration retention) {
        long boundary =
                means.life().clock().now().earliestMicros()
                        - TimeUnit.NANOSECONDS.toMicros(retention.toNanos());
        for (RegistryClient.Shard shard : client.shards()) {
            connection.control().advanceBoundary(admission.pipeline(), shard, boundary);
        }
        means.main()
                .schedule(EVERY, () -> advance(means, admission, connection, client, retention));
    }

    @Override
    void gone() {}
}
