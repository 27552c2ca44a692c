package photon.simulation.checks;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import photon.core.id.EventId;
import photon.core.id.Incarnation;
import photon.storage.output.OutputDirectory;
import photon.storage.output.RetiredIncarnations;

/**
 * RETIRED: manifests are removed only of what was settled, with a boundary above all that it had
 * published; and who is retired, and how much that was, is known from before they go
 * (docs/protocol.md section 6, Retention).
 */
final class Retired {
    private static final String INVARIANT = "RETIRED";

    private final List<DatacenterFiles> datacenters;
    private final OutputChecker output;
    private final RegistryTruth registry;
    private final Map<String, Set<Incarnation>> seen = new HashMap<>();

    Retired(List<DatacenterFiles> datacenters, OutputChecker output, RegistryTruth registry) {
        this.datacenters = List.copyOf(datacenters);
        this.output = output;
        this.registry = registry;
    }

    List<InvariantViolation> check() throws IOException {
        List<InvariantViolation> found = new ArrayList<>();
        for (DatacenterFiles datacenter : datacenters) {
            Map<Incarnation, List<EventId>> published = output.identities(datacenter);
            RetiredIncarnations retired = retired(datacenter);
            Set<Incarnation> before =
                    seen.computeIfAbsent(datacenter.name(), name -> new HashSet<>());
            long events = 0;
            for (Map.Entry<Incarnation, List<EventId>> one : published.entrySet()) {
                Incarnation incarnation = one.getKey();
                if (!retired.contains(incarnation)) {
                    mustStand(datacenter, incarnation, one.getValue(), found);
                    continue;
                }
                events += one.getValue().stream().filter(id -> !id.isUpgrade()).count();
                if (before.add(incarnation)) {
                    mayBeRetired(incarnation, one.getValue(), found);
                }
            }
            if (retired.sum().events() < events) {
                found.add(
                        InvariantViolation.of(
                                INVARIANT,
                                List.of(),
                                "%s: retired incarnations have published %d events, but the sum says %d",
                                datacenter.name(),
                                events,
                                retired.sum().events()));
            }
        }
        return found;
    }

    /** How many were retired. */
    long count() {
        return seen.values().stream().mapToLong(Set::size).sum();
    }

    /** As it is seen first: later it may be opened again, which changes nothing. */
    private void mayBeRetired(
            Incarnation incarnation, List<EventId> ids, List<InvariantViolation> found) {
        if (!registry.settled(incarnation)) {
            found.add(
                    InvariantViolation.of(
                            INVARIANT, ids, "%s is retired, but not settled", incarnation));
        }
        List<EventId> above =
                ids.stream().filter(id -> id.micros() >= registry.boundaryMicros()).toList();
        if (!above.isEmpty()) {
            found.add(
                    InvariantViolation.of(
                            INVARIANT,
                            above,
                            "%s is retired, but the boundary is not above all of its ids",
                            incarnation));
        }
    }

    private static void mustStand(
            DatacenterFiles datacenter,
            Incarnation incarnation,
            List<EventId> ids,
            List<InvariantViolation> found) {
        String work = datacenter.outputDirectory() + "/_work/" + incarnation;
        boolean stands =
                datacenter.files().peek(datacenter.outputDirectory() + "/_work").stream()
                        .anyMatch(
                                entry ->
                                        entry.directory()
                                                && (entry.path().equals(work)
                                                        || entry.path()
                                                                .startsWith(work + ".sealed")));
        if (!stands) {
            found.add(
                    InvariantViolation.of(
                            INVARIANT,
                            ids,
                            "the manifests of %s in %s are gone, but it is not known to be retired",
                            incarnation,
                            datacenter.name()));
        }
    }

    static RetiredIncarnations retired(DatacenterFiles datacenter) throws IOException {
        boolean any =
                datacenter.files().peek(datacenter.outputDirectory() + "/_work").stream()
                        .anyMatch(entry -> entry.path().contains("/_work/retired."));
        if (!any) {
            return RetiredIncarnations.NONE; // in most worlds, and cheaper than a copy
        }
        OutputDirectory directory =
                new StoredState(datacenter, datacenter.files().copy()).output().orElse(null);
        return directory == null ? RetiredIncarnations.NONE : directory.retirement().retired();
    }
}
