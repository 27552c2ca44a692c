package photon.simulation.checks;

import java.io.IOException;
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

    List<InvariantViolation> check() throws IOException {
        List<InvariantViolation> found = new ArrayList<>();
        for (Incarnation incarnation : registry.incarnations()) {
            if (registry.repaired(incarnation)
                    && !isMarked(incarnation)
                    && !isRetired(incarnation)) {
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

    private boolean isRetired(Incarnation incarnation) throws IOException {
        for (DatacenterFiles datacenter : datacenters) {
            if (Retired.retired(datacenter).contains(incarnation)) {
                return true;
            }
        }
        return false;
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
