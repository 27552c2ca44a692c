package photon.server.datacenters;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import photon.core.id.Incarnation;
import photon.proto.v1.DatacenterSeen;
import photon.proto.v1.RetireDatacenterRequest;
import photon.registry.api.ControlClient.IncarnationInfo;
import photon.registry.api.ControlClient.IncarnationState;
import photon.registry.api.RegistryProtos;
import photon.registry.api.RetiredDatacenter;

/**
 * What is known of a datacenter of a pipeline.
 *
 * @param retired empty: it takes part
 * @param incarnations of its joiners, as the registry lists them
 * @param state the state of its dispatcher that the registry has registered; empty: none
 * @param published empty: its output is not here
 * @param journal of its registered state; empty: that state is not here
 */
public record DatacenterFacts(
        String name,
        Optional<RetiredDatacenter> retired,
        List<IncarnationInfo> incarnations,
        Optional<UUID> state,
        Optional<Published> published,
        Optional<Journal> journal) {
    public DatacenterFacts {
        incarnations = List.copyOf(incarnations);
    }

    /**
     * What stands in its output directory.
     *
     * @param files whose manifests are there
     * @param events in these, and in those whose manifests retention has removed
     */
    public record Published(String directory, long files, long events) {}

    /**
     * What waits in its dispatcher's retry journal.
     *
     * @param directory of the journal; of a state that is divided, the state's, which has several
     * @param repairRows of events that one of its incarnations had taken and not published: only
     *     this dispatcher can have them joined anew
     * @param otherRows of events that every other datacenter reads in its logs, too
     */
    public record Journal(String directory, long repairRows, long otherRows) {}

    /** Not closed clean and not repaired. */
    public List<IncarnationInfo> open() {
        return incarnations.stream().filter(info -> info.state() == IncarnationState.OPEN).toList();
    }

    /** Its joiners that may commit still. */
    public List<IncarnationInfo> live() {
        return open().stream().filter(info -> !info.fenced()).toList();
    }

    /** True if repair rows may wait in a journal that is not here. */
    public boolean mayHaveUnseenRows() {
        return journal.isEmpty()
                && state.isPresent()
                && incarnations.stream().anyMatch(info -> info.rows().in().equals(state));
    }

    /** The highest generations of its slots, added up: one more with each registration. */
    public long generations() {
        Map<Integer, Integer> highest = new TreeMap<>();
        for (IncarnationInfo info : incarnations) {
            Incarnation one = info.incarnation();
            highest.merge(one.slot(), one.generation(), Math::max);
        }
        return highest.values().stream().mapToLong(Integer::longValue).sum();
    }

    /** One more with each reopening. */
    public long reopened() {
        return incarnations.stream().mapToLong(info -> info.rows().timesReopened()).sum();
    }

    /** Retires it, if nothing has changed since. */
    public RetireDatacenterRequest request(UUID pipeline) {
        return RetireDatacenterRequest.newBuilder()
                .setPipeline(RegistryProtos.bytes(pipeline))
                .setDatacenter(name)
                .setSeen(
                        DatacenterSeen.newBuilder()
                                .setGenerations(generations())
                                .setReopened(reopened())
                                .setState(RegistryProtos.bytesOrNone(state.orElse(null))))
                .build();
    }
}
