package photon.simulation.run;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import photon.idregistry.replicated.FeatureLevel;
import photon.simulation.checks.Checkers;
import photon.simulation.checks.GroundTruth;
import photon.simulation.kernel.Timeline;
import photon.simulation.parts.RegistryHost;
import photon.simulation.parts.RetirementOperator;
import photon.simulation.parts.SimulatedDatacenter;
import photon.simulation.parts.Surroundings;
import photon.simulation.raft.SimulatedCluster;

/** In few worlds of three datacenters one of them is stopped in the midst, and retired. */
final class DatacenterRetirement {
    private final Timeline timeline;
    private final SimulatedCluster cluster;
    private final List<RegistryHost> servers;
    private final RetirementOperator operator;
    private final RandomGenerator random;

    private DatacenterRetirement(
            Timeline timeline,
            SimulatedCluster cluster,
            List<RegistryHost> servers,
            RetirementOperator operator,
            RandomGenerator random) {
        this.timeline = timeline;
        this.cluster = cluster;
        this.servers = List.copyOf(servers);
        this.operator = operator;
        this.random = random;
    }

    /** Empty: all datacenters of this world stay. */
    static Optional<DatacenterRetirement> of(
            Additions additions,
            Surroundings surroundings,
            SimulatedCluster cluster,
            List<RegistryHost> servers,
            List<SimulatedDatacenter> datacenters) {
        if (datacenters.size() < 3) {
            return Optional.empty();
        }
        return additions
                .retirement()
                .map(
                        random ->
                                new DatacenterRetirement(
                                        surroundings.timeline(),
                                        cluster,
                                        servers,
                                        new RetirementOperator(
                                                surroundings,
                                                datacenters.get(random.nextInt(datacenters.size())),
                                                random),
                                        random));
    }

    /** From the time on at which the input begins. */
    void begin() {
        new FeatureLevels(timeline, cluster, servers).tellUpTo(FeatureLevel.RETIRED_DATACENTERS);
        long millis = GroundTruth.SPAN.toMillis();
        timeline.after(
                Duration.ofMillis(random.nextLong(millis / 5, millis * 9 / 10)), operator::begin);
    }

    /** Nothing goes wrong any more. */
    void calm() {
        operator.calm();
    }

    /** True for the one that is retired or shall be. */
    boolean concerns(String datacenter) {
        return operator.datacenter().equals(datacenter);
    }

    boolean done() {
        return operator.retired();
    }

    int refused() {
        return operator.refused();
    }

    void tell(Checkers checkers) {
        if (operator.retired()) {
            checkers.retired(operator.datacenter());
        }
    }
}
