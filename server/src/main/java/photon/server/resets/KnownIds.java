package photon.server.resets;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import photon.core.error.BugHandler;
import photon.core.error.FailedException;
import photon.core.id.EventId;
import photon.core.rpc.HostPort;
import photon.core.rpc.RpcSecurity;
import photon.registry.api.IdBatch;
import photon.registry.api.IdRegistry;
import photon.registry.api.IdRegistry.Freshness;
import photon.registry.api.LookupAnswers;
import photon.registry.client.GrpcIdRegistry;

/** What the registry knows of ids: as stale as a dispatcher's own look, and nothing is decided. */
final class KnownIds {
    private static final int IDS_PER_LOOKUP = 1_000;

    /** Older than any: the answer has the boundary. */
    private static final EventId OLDEST = new EventId(0, 0, 0, 0);

    private final List<HostPort> servers;
    private final String pipeline;
    private final RpcSecurity security;
    private final Duration patience;

    KnownIds(List<HostPort> servers, String pipeline, RpcSecurity security, Duration patience) {
        this.servers = servers;
        this.pipeline = pipeline;
        this.security = security;
        this.patience = patience;
    }

    /** What is done with the registry. */
    private interface Asking<T> {
        T ask(IdRegistry registry)
                throws InterruptedException, ExecutionException, TimeoutException;
    }

    /** Ids below it are refused; {@link Long#MIN_VALUE}: there is none. */
    long boundaryMicros() {
        return with(
                registry -> {
                    lookup(registry, List.of(OLDEST));
                    return registry.boundaryMicros();
                });
    }

    /** Tells the count what is known of its ids. */
    void ask(EventCount count) {
        List<EventId> ids = count.ids();
        if (ids.isEmpty()) {
            return;
        }
        with(
                registry -> {
                    for (int from = 0; from < ids.size(); from += IDS_PER_LOOKUP) {
                        int to = Math.min(ids.size(), from + IDS_PER_LOOKUP);
                        count.answered(lookup(registry, ids.subList(from, to)));
                    }
                    return true;
                });
    }

    private LookupAnswers lookup(IdRegistry registry, List<EventId> ids)
            throws InterruptedException, ExecutionException {
        return registry.lookup(IdBatch.of(ids), Freshness.LOCAL, patience).get();
    }

    private <T> T with(Asking<T> asking) {
        try (GrpcIdRegistry connection =
                GrpcIdRegistry.connect(
                        servers,
                        pipeline,
                        IdRegistry.Options.DEFAULTS,
                        security,
                        BugHandler.stopProcess())) {
            return asking.ask(
                    connection.registry().get(patience.toMillis(), TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while waiting for the registry", e);
        } catch (ExecutionException | TimeoutException e) {
            throw new FailedException(
                    "the registry did not say within %s ms what it knows: run the command again"
                            .formatted(patience.toMillis()));
        }
    }
}
