package photon.cli;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import photon.dispatcher.lease.PartitionOwners.Owner;

/** Which dispatcher works on which partitions, for people. */
final class PartitionText {
    private PartitionText() {}

    /** Empty where the work is not shared. */
    static String text(String datacenter, List<Owner> owners) {
        if (owners.isEmpty()) {
            return "";
        }
        Map<String, List<Owner>> byAddress =
                owners.stream()
                        .collect(
                                Collectors.groupingBy(
                                        Owner::address, TreeMap::new, Collectors.toList()));
        StringBuilder text =
                new StringBuilder(
                        "%d partitions of the foreign logs of %s%n"
                                .formatted(owners.size(), datacenter));
        byAddress.forEach(
                (address, some) ->
                        text.append(
                                "  %s: %s%n"
                                        .formatted(
                                                address.isEmpty()
                                                        ? "NOBODY WORKS ON"
                                                        : address + " works on",
                                                some.stream()
                                                        .map(o -> String.valueOf(o.partition()))
                                                        .collect(Collectors.joining(", ")))));
        return text.toString();
    }
}
