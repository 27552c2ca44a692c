package photon.simulation.run;

import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import photon.core.id.Incarnation;
import photon.idregistry.control.ControlState;
import photon.idregistry.control.PipelineView;
import photon.proto.v1.IncarnationInfo;
import photon.simulation.checks.Checkers;
import photon.simulation.faults.Victim;
import photon.simulation.kernel.Timeline;
import photon.simulation.parts.ReshardOperators;
import photon.simulation.parts.SimulatedDatacenter;
import photon.simulation.raft.SimulatedCluster;
import photon.storage.output.LostFiles;

/**
 * Takes published files away for good, and is the operator who declares them lost: one who first
 * stops the joiner that wrote the file, may be away between two steps, and asks until the
 * incarnation was reopened.
 */
final class LostFilesOperator {
    private static final Duration LOOKS = Duration.ofSeconds(20);
    private static final Set<Victim.Role> JOINERS = EnumSet.of(Victim.Role.JOINER);

    private final Timeline timeline;
    private final SimulatedCluster cluster;
    private final ReshardOperators operators;
    private final List<Victim> victims;
    private final Checkers checkers;
    private final Verdicts verdicts;

    LostFilesOperator(
            Timeline timeline,
            SimulatedCluster cluster,
            ReshardOperators operators,
            List<Victim> victims,
            Checkers checkers,
            Verdicts verdicts) {
        this.timeline = timeline;
        this.cluster = cluster;
        this.operators = operators;
        this.victims = victims;
        this.checkers = checkers;
        this.verdicts = verdicts;
    }

    /** What is known of an incarnation by its logs. */
    private record Known(UUID pipeline, IncarnationInfo info) {}

    boolean lose(SimulatedDatacenter datacenter, long draw, Duration undeclared) {
        List<String> files = datacenter.publishedFiles();
        if (files.isEmpty()) {
            return false;
        }
        verdicts.note(checkers.everyMinute()); // what stands in it is known by now
        String path = files.get((int) Math.floorMod(draw, (long) files.size()));
        lose(datacenter, path);
        timeline.trace().add("world", "the published file %s is gone for good", path);
        timeline.after(undeclared, () -> lookAfter(datacenter, path, draw));
        return true;
    }

    private void lose(SimulatedDatacenter datacenter, String path) {
        datacenter.loseFile(path);
        checkers.fileLost(datacenter.name(), path);
    }

    /** What the same events have in other outputs counts for nothing either. */
    private void takeAway(SimulatedDatacenter datacenter, List<String> whole) {
        verdicts.note(checkers.onPublish(datacenter.name())); // what stands there is known by now
        whole.forEach(path -> lose(datacenter, path));
    }

    private void lookAfter(SimulatedDatacenter datacenter, String path, long draw) {
        Incarnation incarnation = LostFiles.named(path).orElseThrow().incarnation();
        Known known = known(incarnation).orElse(null);
        if (known == null) {
            return; // the registry is the world's to break, not to empty
        }
        if (!known.info().getFenced()) {
            victims.stream()
                    .filter(one -> JOINERS.contains(one.role()))
                    .filter(one -> one.datacenter().equals(datacenter.name()))
                    .filter(one -> one.life() != null)
                    .forEach(Victim::restart);
            timeline.after(LOOKS, () -> lookAfter(datacenter, path, draw));
            return;
        }
        int times = known.info().getTimesReopened();
        if (datacenter.declareFileLost(path, times, whole -> takeAway(datacenter, whole))) {
            Duration away = draw % 3 == 0 ? LOOKS : Duration.ofMillis(Math.floorMod(draw, 3_000L));
            timeline.after(away, () -> reopen(incarnation, times));
        }
    }

    private void reopen(Incarnation incarnation, int since) {
        known(incarnation)
                .filter(known -> known.info().getTimesReopened() <= since)
                .ifPresent(
                        known -> {
                            operators.reopenForLostFile(
                                    known.pipeline(), incarnation, known.info().getTimesReopened());
                            timeline.after(LOOKS, () -> reopen(incarnation, since));
                        });
    }

    private Optional<Known> known(Incarnation incarnation) {
        ControlState control = cluster.committedControl();
        for (PipelineView pipeline : control.pipelines()) {
            for (IncarnationInfo info : control.incarnations(pipeline.uuid(), "")) {
                if (info.getIncarnation().getSlot() == incarnation.slot()
                        && CommittedRegistry.tellsOf(info, incarnation.generation())) {
                    return Optional.of(new Known(pipeline.uuid(), info));
                }
            }
        }
        return Optional.empty();
    }
}
