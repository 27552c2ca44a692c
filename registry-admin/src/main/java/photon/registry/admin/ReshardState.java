package photon.registry.admin;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import photon.proto.v1.Epoch;
import photon.proto.v1.PipelineStatus;
import photon.proto.v1.ReshardAttempt;
import photon.proto.v1.ShardStatus;
import photon.registry.api.ReshardClient;

/**
 * Where a pipeline's reshards are, each group as of its own leader's answer.
 *
 * @param shards of all epochs that are there
 * @param endingEpochs all epochs but the last, in order: they are dropped one day
 * @param settled true: every group that is there has the newest map and a leader, and nothing is
 *     open or prepared
 */
public record ReshardState(
        PipelineStatus pipeline,
        List<Shard> shards,
        List<EndingEpoch> endingEpochs,
        boolean settled) {

    /**
     * @param mapVersion of the map that is installed; 0: none is, or nobody tells
     * @param preparedFor attempts for which it refuses ids
     */
    public record Shard(
            String name, Optional<String> leader, long mapVersion, List<Long> preparedFor) {}

    /**
     * @param endMicros its ids are older
     * @param boundaryMicros the lowest of those that must reach the end; the lowest long: none yet
     */
    public record EndingEpoch(int number, long endMicros, long boundaryMicros) {
        /** So much is left. */
        public Optional<Long> leftMicros() {
            return boundaryMicros == Long.MIN_VALUE
                    ? Optional.empty()
                    : Optional.of(Math.max(0, endMicros - boundaryMicros));
        }
    }

    public ReshardState {
        shards = List.copyOf(shards);
        endingEpochs = List.copyOf(endingEpochs);
    }

    public List<ReshardAttempt> attempts() {
        return pipeline.getAttemptsList();
    }

    /** The same, but with this attempt as it ended. */
    public ReshardState with(long attempt, ReshardClient.End end) {
        PipelineStatus.Builder changed = pipeline.toBuilder().clearOpenAttempts();
        pipeline.getOpenAttemptsList().stream()
                .filter(open -> open != attempt)
                .forEach(changed::addOpenAttempts);
        for (ReshardAttempt.Builder known : changed.getAttemptsBuilderList()) {
            if (known.getNumber() == attempt) {
                known.setState(
                        end == ReshardClient.End.COMMITTED
                                ? photon.proto.v1.ReshardState.RESHARD_COMMITTED
                                : photon.proto.v1.ReshardState.RESHARD_ABORTED);
            }
        }
        return new ReshardState(changed.build(), shards, endingEpochs, settled);
    }

    /** Empty if no server knows the pipeline. */
    public static Optional<ReshardState> of(RegistryView view, String pipelineName) {
        return view.pipeline(pipelineName).map(pipeline -> of(view, pipeline));
    }

    private static ReshardState of(RegistryView view, PipelineStatus pipeline) {
        List<Shard> shards = new ArrayList<>();
        boolean settled = pipeline.getOpenAttemptsCount() == 0;
        for (GroupView group : view.groups()) {
            if (isOf(group, pipeline)) {
                Shard shard =
                        new Shard(
                                group.name(),
                                group.leader(),
                                group.state().map(ShardStatus::getMapVersion).orElse(0L),
                                group.state()
                                        .map(ShardStatus::getPreparedAttemptsList)
                                        .orElse(List.of()));
                shards.add(shard);
                settled &=
                        shard.leader().isPresent()
                                && shard.mapVersion() == pipeline.getMap().getVersion()
                                && shard.preparedFor().isEmpty();
            }
        }
        return new ReshardState(pipeline, shards, ending(view, pipeline), settled);
    }

    private static boolean isOf(GroupView group, PipelineStatus pipeline) {
        return group.shard()
                .filter(shard -> shard.getPipeline().equals(pipeline.getUuid()))
                .isPresent();
    }

    private static List<EndingEpoch> ending(RegistryView view, PipelineStatus pipeline) {
        List<Epoch> epochs = pipeline.getMap().getEpochsList();
        List<EndingEpoch> ending = new ArrayList<>();
        for (int i = 0; i + 1 < epochs.size(); i++) {
            int first = epochs.get(i).getNumber();
            int next = epochs.get(i + 1).getNumber();
            long lowest =
                    view.groups().stream()
                            .filter(group -> isOf(group, pipeline))
                            .filter(
                                    group ->
                                            group.shard().orElseThrow().getEpoch() == first
                                                    || group.shard().orElseThrow().getEpoch()
                                                            == next)
                            .mapToLong(
                                    group ->
                                            group.state()
                                                    .map(ShardStatus::getBoundaryMicros)
                                                    .orElse(Long.MIN_VALUE))
                            .min()
                            .orElse(Long.MIN_VALUE);
            ending.add(new EndingEpoch(first, epochs.get(i + 1).getStartMicros(), lowest));
        }
        return ending;
    }
}
