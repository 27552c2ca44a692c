package photon.registry.admin;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import photon.idregistry.batch.BatchLimits;
import photon.idregistry.leaders.Placement;
import photon.proto.v1.Epoch;
import photon.proto.v1.PipelineStatus;
import photon.proto.v1.ShardStatus;
import photon.registry.api.ShardMap;

/**
 * What a reshard would do, and why it would be refused, as far as the servers' answers tell.
 *
 * @param startMicros the first timestamp of the new epoch
 * @param groups to be made, in order of their shards
 * @param servers on each of which every group has a replica
 * @param refusals empty: it can be begun
 * @param warnings it can be begun for all that
 */
public record ReshardPlan(
        PipelineStatus pipeline,
        int shards,
        long startMicros,
        List<NewGroup> groups,
        int servers,
        List<String> refusals,
        List<String> warnings) {

    private static final long MAX_SKEW_MICROS =
            TimeUnit.NANOSECONDS.toMicros(BatchLimits.DEFAULT_MAX_SKEW.toNanos());

    /**
     * @param leader the server that leads it when all are up
     * @param datacenter its, empty: not known
     */
    public record NewGroup(String name, String leader, String datacenter) {}

    public ReshardPlan {
        groups = List.copyOf(groups);
        refusals = List.copyOf(refusals);
        warnings = List.copyOf(warnings);
    }

    public boolean isRefused() {
        return !refusals.isEmpty();
    }

    /** How many of the new groups each server leads, by server. */
    public Map<String, Integer> leaders() {
        Map<String, Integer> leaders = new TreeMap<>();
        groups.forEach(group -> leaders.merge(group.leader(), 1, Integer::sum));
        return leaders;
    }

    /** The same by datacenter; those of unknown servers under the empty name. */
    public Map<String, Integer> leadersByDatacenter() {
        Map<String, Integer> leaders = new TreeMap<>();
        groups.forEach(group -> leaders.merge(group.datacenter(), 1, Integer::sum));
        return leaders;
    }

    /**
     * @param nowMicros by the asking machine's clock, as the start is
     * @param datacenters server to datacenter; may lack some
     * @return empty if no server knows the pipeline
     */
    public static Optional<ReshardPlan> of(
            RegistryView view,
            String pipelineName,
            int shards,
            long startMicros,
            long nowMicros,
            Map<String, String> datacenters) {
        return view.pipeline(pipelineName)
                .map(
                        pipeline ->
                                new ReshardPlan(
                                        pipeline,
                                        shards,
                                        startMicros,
                                        groups(view, pipeline, shards, datacenters),
                                        view.servers().size(),
                                        refusals(view, pipeline, shards, startMicros),
                                        warnings(pipeline, startMicros, nowMicros)));
    }

    /** As the servers spread leaders: by their weights, in the order of the configuration. */
    private static List<NewGroup> groups(
            RegistryView view,
            PipelineStatus pipeline,
            int shards,
            Map<String, String> datacenters) {
        Optional<Placement> placement =
                view.servers().stream().allMatch(server -> server.name().isEmpty())
                        ? Optional.empty()
                        : Optional.of(LeaderMoves.placement(view));
        int epoch = lastEpoch(pipeline).getNumber() + 1;
        List<NewGroup> groups = new ArrayList<>();
        for (int shard = 0; shard < Math.min(shards, ShardMap.SHARDS_MAX); shard++) {
            int place = shard;
            String leader = placement.map(by -> by.preferredLeader(place)).orElse("?");
            groups.add(
                    new NewGroup(
                            pipeline.getName() + "/" + epoch + "/" + shard,
                            leader,
                            datacenters.getOrDefault(leader, "")));
        }
        return groups;
    }

    private static Epoch lastEpoch(PipelineStatus pipeline) {
        return pipeline.getMap().getEpochs(pipeline.getMap().getEpochsCount() - 1);
    }

    private static List<String> refusals(
            RegistryView view, PipelineStatus pipeline, int shards, long startMicros) {
        List<String> refusals = new ArrayList<>();
        int there = pipeline.getMap().getEpochsList().stream().mapToInt(Epoch::getShards).sum();
        if (shards < 1 || shards > ShardMap.SHARDS_MAX - there) {
            refusals.add(
                    "expected 1 to %d shards, but got %d: a pipeline has at most %d over all epochs, and %d now"
                            .formatted(
                                    ShardMap.SHARDS_MAX - there,
                                    shards,
                                    ShardMap.SHARDS_MAX,
                                    there));
        }
        if (pipeline.getOpenAttemptsCount() > 0) {
            refusals.add(
                    "attempt %s is under way: wait for it, or cancel it"
                            .formatted(pipeline.getOpenAttempts(0)));
        }
        if (startMicros <= lastEpoch(pipeline).getStartMicros()) {
            refusals.add(
                    "expected a start after that of the last epoch, "
                            + StatusText.time(lastEpoch(pipeline).getStartMicros())
                            + ", but got "
                            + StatusText.time(startMicros));
        }
        long ahead = view.clocksAheadMicros().orElse(0);
        if (Math.abs(ahead) > MAX_SKEW_MICROS) {
            refusals.add(
                    "this machine's clock is %s %s the clocks of most servers, and --start-in counts by it: fix the clock"
                            .formatted(
                                    StatusText.age(Math.abs(ahead) / 1_000_000),
                                    ahead > 0 ? "behind" : "ahead of"));
        }
        for (GroupView group : view.groups()) {
            if (concerns(group, pipeline)) {
                group.trouble()
                        .ifPresent(trouble -> refusals.add(group.name() + " has " + trouble));
                group.state()
                        .map(ShardStatus::getMaxAcceptedMicros)
                        .filter(newest -> newest >= startMicros)
                        .ifPresent(
                                newest ->
                                        refusals.add(
                                                "%s has accepted an id of %s, at or after the start: choose a later one"
                                                        .formatted(
                                                                group.name(),
                                                                StatusText.time(newest))));
            }
        }
        return refusals;
    }

    /** The control group, and the shards that are to be prepared. */
    private static boolean concerns(GroupView group, PipelineStatus pipeline) {
        return group.shard()
                .map(
                        shard ->
                                shard.getPipeline().equals(pipeline.getUuid())
                                        && shard.getEpoch() == lastEpoch(pipeline).getNumber())
                .orElse(true);
    }

    private static List<String> warnings(
            PipelineStatus pipeline, long startMicros, long nowMicros) {
        List<String> warnings = new ArrayList<>();
        if (startMicros - nowMicros <= MAX_SKEW_MICROS) {
            warnings.add(
                    "the start is within %d s of now, so commits of ids after the start may have to wait until the reshard is complete"
                            .formatted(TimeUnit.MICROSECONDS.toSeconds(MAX_SKEW_MICROS)));
        }
        if (pipeline.getSettings().getRetentionMicros() == 0) {
            warnings.add(
                    "retention is unlimited: the registry never drops the old epochs, and each"
                            + " reshard permanently adds groups");
        }
        return warnings;
    }
}
