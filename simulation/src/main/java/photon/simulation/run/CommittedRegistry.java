package photon.simulation.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.core.id.Incarnation;
import photon.idregistry.control.ControlState;
import photon.idregistry.control.PipelineView;
import photon.idregistry.shard.ShardState;
import photon.proto.v1.AuditKind;
import photon.proto.v1.AuditRecord;
import photon.proto.v1.IncarnationInfo;
import photon.proto.v1.IncarnationState;
import photon.registry.api.RegistryProtos;
import photon.simulation.checks.RegistryTruth;
import photon.simulation.checks.SilentFences;
import photon.simulation.checks.SlotPairs;
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
            if (holder != null && !holder.equals(CommitToken.JOIN_UNMATCHED)) {
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

    /**
     * What {@link SilentFences} looks at.
     *
     * @param listings that were answered
     */
    SilentFences.Seen silentFences(long nowNanos, long listings) {
        ControlState control = cluster.committedControl();
        List<SilentFences.Renewed> renewed = new ArrayList<>();
        for (IncarnationInfo info : infos()) {
            if (!info.getFenced()) {
                renewed.add(
                        new SilentFences.Renewed(
                                incarnation(info).toString(), info.getRenewedIndex()));
            }
        }
        List<SilentFences.Fence> fences = new ArrayList<>();
        for (AuditRecord record : control.audit()) {
            int silent = record.getDetail().indexOf(", silent for ");
            if (record.getKind() == AuditKind.AUDIT_FENCED && silent > 0) {
                fences.add(
                        new SilentFences.Fence(
                                record.getIndex(),
                                new Incarnation(
                                                record.getIncarnation().getSlot(),
                                                record.getIncarnation().getGeneration())
                                        .toString(),
                                record.getDetail().substring(0, silent),
                                record.getStamp().getActor()));
            }
        }
        return new SilentFences.Seen(nowNanos, listings, renewed, fences);
    }

    /** For {@link SlotPairs}. */
    List<SlotPairs.Live> liveOnes() {
        return infos().stream()
                .filter(info -> !info.getFenced())
                .map(
                        info ->
                                new SlotPairs.Live(
                                        info.getSlotName(),
                                        incarnation(info).toString(),
                                        "process %d of %s, started at %d"
                                                .formatted(
                                                        info.getProcessId(),
                                                        info.getAddress(),
                                                        info.getStartedMicros())))
                .toList();
    }

    /** How many have ended in another way than by a clean close. */
    int endedUncleanly() {
        return (int)
                infos().stream()
                        .filter(
                                info ->
                                        info.getFenced()
                                                && info.getState() != IncarnationState.CLEAN)
                        .count();
    }

    /** As incarnations know it whose repair has not ended; empty: none does. */
    OptionalLong lastStateLossMicros() {
        return infos().stream()
                .filter(info -> info.getFenced() && info.getState() == IncarnationState.OPEN)
                .mapToLong(IncarnationInfo::getStateLostMicros)
                .filter(micros -> micros != 0)
                .max();
    }

    /** How many incarnations were followed by another while they served. */
    long rolls() {
        return cluster.committedControl().audit().stream()
                .filter(record -> record.getKind() == AuditKind.AUDIT_REGISTERED)
                .filter(record -> record.getDetail().contains("rolls from"))
                .count();
    }

    private static Incarnation incarnation(IncarnationInfo info) {
        return new Incarnation(
                info.getIncarnation().getSlot(), info.getIncarnation().getGeneration());
    }

    /** Those that were closed clean share a row. */
    static boolean tellsOf(IncarnationInfo info, int generation) {
        return generation >= first(info) && generation <= info.getIncarnation().getGeneration();
    }

    private static int first(IncarnationInfo info) {
        return info.getFirstGeneration() == 0
                ? info.getIncarnation().getGeneration()
                : info.getFirstGeneration();
    }

    private @Nullable IncarnationInfo info(Incarnation incarnation) {
        for (IncarnationInfo info : infos()) {
            if (info.getIncarnation().getSlot() == incarnation.slot()
                    && tellsOf(info, incarnation.generation())) {
                return info;
            }
        }
        return null;
    }

    @Override
    public List<Incarnation> incarnations() {
        List<Incarnation> all = new ArrayList<>();
        for (IncarnationInfo info : infos()) {
            for (int one = first(info); one <= info.getIncarnation().getGeneration(); one++) {
                all.add(new Incarnation(info.getIncarnation().getSlot(), one));
            }
        }
        return all;
    }

    @Override
    public boolean settled(Incarnation incarnation) {
        IncarnationInfo info = info(incarnation);
        return info != null && info.getState() != IncarnationState.OPEN;
    }

    @Override
    public boolean repaired(Incarnation incarnation) {
        IncarnationInfo info = info(incarnation);
        return info != null && info.getState() == IncarnationState.REPAIRED;
    }

    @Override
    public List<String> rowsInOtherStates() {
        ControlState control = cluster.committedControl();
        List<String> found = new ArrayList<>();
        for (PipelineView pipeline : control.pipelines()) {
            for (IncarnationInfo info : control.incarnations(pipeline.uuid(), "")) {
                UUID rowsIn = RegistryProtos.uuid(info.getRowsIn());
                String datacenter = ControlState.datacenter(info.getSlotName());
                if (rowsIn != null
                        && !control.dispatcherState(pipeline.uuid(), datacenter)
                                .equals(Optional.of(rowsIn))) {
                    found.add("%s in %s".formatted(incarnation(info), rowsIn));
                }
            }
        }
        return found;
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
