package photon.simulation.run;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.core.id.Incarnation;
import photon.idregistry.control.ControlState;
import photon.idregistry.shard.ShardState;
import photon.proto.v1.IncarnationInfo;
import photon.proto.v1.IncarnationState;
import photon.simulation.checks.RegistryTruth;
import photon.simulation.raft.SimulatedCluster;

/** What the registry's groups have committed, as the one who sees all logs knows it. */
final class CommittedRegistry implements RegistryTruth {
    private final SimulatedCluster cluster;

    CommittedRegistry(SimulatedCluster cluster) {
        this.cluster = cluster;
    }

    @Override
    public @Nullable CommitToken holder(EventId id) {
        for (ShardState shard : cluster.committedShards()) {
            CommitToken holder = shard.owns(id) ? shard.lookup(id) : null;
            if (holder != null) {
                return holder;
            }
        }
        return null;
    }

    private List<IncarnationInfo> infos() {
        ControlState control = cluster.committedControl();
        List<IncarnationInfo> all = new ArrayList<>();
        control.pipelines().forEach(p -> all.addAll(control.incarnations(p.uuid(), "")));
        return all;
    }

    private static Incarnation incarnation(IncarnationInfo info) {
        return new Incarnation(
                info.getIncarnation().getSlot(), info.getIncarnation().getGeneration());
    }

    private @Nullable IncarnationInfo info(Incarnation incarnation) {
        for (IncarnationInfo info : infos()) {
            if (incarnation(info).equals(incarnation)) {
                return info;
            }
        }
        return null;
    }

    @Override
    public List<Incarnation> incarnations() {
        return infos().stream().map(CommittedRegistry::incarnation).toList();
    }

    @Override
    public boolean settled(Incarnation incarnation) {
        IncarnationInfo info = info(incarnation);
        return info != null && info.getState() != IncarnationState.OPEN;
    }

    @Override
    public boolean live(Incarnation incarnation) {
        IncarnationInfo info = info(incarnation);
        return info != null && !info.getFenced();
    }

    @Override
    public List<Decision> decisions(EventId id) {
        return new DecidedCommits(cluster).of(id);
    }

    /** Shard maps that have followed the first. */
    long reshards() {
        return cluster.committedControl().pipelines().stream()
                .mapToLong(p -> p.map().lastEpoch().number() - 1)
                .sum();
    }

    /** Epochs whose groups were dropped. */
    long epochsDropped() {
        return cluster.committedControl().pipelines().stream()
                .mapToLong(p -> p.dropped().size())
                .sum();
    }

    long repaired() {
        return infos().stream().filter(i -> i.getState() == IncarnationState.REPAIRED).count();
    }

    @Override
    public long boundaryMicros() {
        long highest = Long.MIN_VALUE;
        for (ShardState shard : cluster.committedShards()) {
            highest = Math.max(highest, shard.boundaryMicros());
        }
        return highest;
    }
}
