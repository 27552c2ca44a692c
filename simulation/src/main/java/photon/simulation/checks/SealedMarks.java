package photon.simulation.checks;

import java.util.ArrayList;
import java.util.List;
import photon.core.id.Incarnation;

/**
 * FILES: an incarnation that was repaired has its mark, which says for ever which manifests there
 * are (docs/protocol.md section 6). No power cut may take it back.
 */
final class SealedMarks {
    private final List<DatacenterFiles> datacenters;
    private final RegistryTruth registry;

    SealedMarks(List<DatacenterFiles> datacenters, RegistryTruth registry) {
        this.datacenters = List.copyOf(datacenters);
        this.registry = registry;
    }

    List<InvariantViolation> check() {
        List<InvariantViolation> found = new ArrayList<>();
        for (Incarnation incarnation : registry.incarnations()) {
            if (registry.repaired(incarnation) && !isMarked(incarnation)) {
                found.add(
                        InvariantViolation.of(
                                "FILES",
                                List.of(),
                                "Incarnation %s was repaired, but its directory has no mark",
                                incarnation));
            }
        }
        return found;
    }

    /** Its slot tells nobody here which datacenter it is of. */
    private boolean isMarked(Incarnation incarnation) {
        return datacenters.stream()
                .anyMatch(
                        datacenter -> {
                            String directory =
                                    datacenter.outputDirectory()
                                            + "/_work/"
                                            + incarnation
                                            + ".sealed";
                            return datacenter.files().peek(directory).stream()
                                    .anyMatch(e -> e.path().equals(directory + "/SEALED"));
                        });
    }
}
