package photon.eventstore.server;

import static photon.core.error.Checks.check;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import photon.core.config.StreamConfig;
import photon.core.rpc.HostPort;
import photon.core.share.StoreShare;

/**
 * Settings of an event store.
 *
 * @param listen port 0: any free one
 * @param stateDirectory local, absolute, this store's own; made if need be
 * @param ledgerDirectory of bad records, local or a URI; made if need be
 * @param share which primary events it keeps
 * @param primary the stream whose events it finds
 * @param cacheBytes memory of the cache, 0 or more; the index has bounds of its own (64 MiB, and
 *     1.4 bytes per primary event)
 * @param retention of the pipeline: primary events are kept for about twice as long; empty: for
 *     good
 * @param keepLedger so long an entry of the ledger of bad records stands at least
 */
public record EventStoreSettings(
        HostPort listen,
        String stateDirectory,
        String ledgerDirectory,
        StoreShare share,
        StreamConfig primary,
        long cacheBytes,
        Optional<Duration> retention,
        Duration keepLedger) {
    public EventStoreSettings {
        Objects.requireNonNull(listen, "listen");
        Objects.requireNonNull(primary, "primary");
        check(
                stateDirectory.startsWith("/"),
                "Expected an absolute state directory, but got %s",
                stateDirectory);
        check(cacheBytes >= 0, "Expected cacheBytes of 0 or more, but got %s", cacheBytes);
    }
}
