package photon.server.health;

import static photon.core.error.Checks.check;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Peers of which any one is enough.
 *
 * @param name such as {@code registry}; the check's and the metrics' label
 * @param whom for people, such as {@code the registry}
 * @param consequence of all being away
 * @param peers at least one
 */
public record PeerGroup(String name, String whom, String consequence, List<PeerState> peers) {
    public PeerGroup {
        check(!peers.isEmpty(), "Expected a peer of %s", name);
        peers = List.copyOf(peers);
    }

    /** Passes while any of them answers. */
    Check reachable() {
        return new Check(name, consequence, this::look);
    }

    private Optional<Failure> look(long nowNanos) {
        List<Failure> failures = new ArrayList<>();
        for (PeerState peer : peers) {
            Optional<Failure> failure = peer.failure(nowNanos);
            if (failure.isEmpty()) {
                return Optional.empty();
            }
            failures.add(failure.get());
        }
        long since = Long.MIN_VALUE;
        boolean first = true;
        for (Failure failure : failures) {
            long one = failure.sinceNanos().orElse(nowNanos);
            since = first || one - since > 0 ? one : since;
            first = false;
        }
        return Optional.of(
                Failure.since(
                        since,
                        "no service from %s (%s) for %s: %s"
                                .formatted(
                                        whom,
                                        peers.stream()
                                                .map(PeerState::address)
                                                .collect(Collectors.joining(", ")),
                                        SecondsText.text(nowNanos - since),
                                        failures.stream()
                                                .map(Failure::reason)
                                                .distinct()
                                                .collect(Collectors.joining("; ")))));
    }
}
