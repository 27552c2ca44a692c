package photon.registry.admin;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import photon.core.text.Columns;
import photon.idregistry.replicated.GroupCost;
import photon.proto.v1.Epoch;
import photon.proto.v1.PipelineStatus;
import photon.proto.v1.ReshardAttempt;

/** Reshards for people. */
public final class ReshardText {
    private ReshardText() {}

    public static String of(ReshardPlan plan) {
        StringBuilder text = new StringBuilder(pipeline(plan.pipeline()));
        int count = plan.groups().size();
        text.append("new epoch: ")
                .append(StatusText.counted(plan.shards(), "shard"))
                .append(", ids from ")
                .append(StatusText.time(plan.startMicros()))
                .append('\n');
        if (!plan.groups().isEmpty()) {
            text.append(
                    "  groups %s to %s, a replica on each of %s\n"
                            .formatted(
                                    plan.groups().get(0).name(),
                                    plan.groups().get(count - 1).name(),
                                    StatusText.counted(plan.servers(), "server")));
            text.append("  leaders when all servers are up: ")
                    .append(counts(plan.leaders()))
                    .append('\n');
            if (!plan.leadersByDatacenter().containsKey("")) {
                text.append("  leaders by datacenter: ")
                        .append(counts(plan.leadersByDatacenter()))
                        .append('\n');
            }
            text.append(
                    "  each server needs %s of direct memory, about %s of heap and %d threads more, and %s of disk at once\n"
                            .formatted(
                                    StatusText.bytes(count * GroupCost.DIRECT_BYTES),
                                    StatusText.bytes(count * GroupCost.HEAP_BYTES),
                                    count * GroupCost.THREADS,
                                    StatusText.bytes(count * GroupCost.DISK_BYTES)));
        }
        plan.warnings().forEach(warning -> text.append("NOTE: ").append(warning).append('\n'));
        plan.refusals().forEach(why -> text.append("REFUSED: ").append(why).append('\n'));
        return text.toString();
    }

    private static String counts(Map<String, Integer> counts) {
        return counts.entrySet().stream()
                .map(one -> one.getKey() + " " + one.getValue())
                .collect(Collectors.joining(", "));
    }

    private static String pipeline(PipelineStatus pipeline) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("EPOCH", "SHARDS", "IDS FROM"));
        for (Epoch epoch : pipeline.getMap().getEpochsList()) {
            rows.add(
                    List.of(
                            String.valueOf(epoch.getNumber()),
                            String.valueOf(epoch.getShards()),
                            from(epoch)));
        }
        return "pipeline %s  shard map version %d\n%s"
                .formatted(
                        pipeline.getName(), pipeline.getMap().getVersion(), Columns.of("  ", rows));
    }

    private static String from(Epoch epoch) {
        return epoch.getStartMicros() == Long.MIN_VALUE
                ? "the beginning"
                : StatusText.time(epoch.getStartMicros());
    }

    public static String of(ReshardState state) {
        StringBuilder text = new StringBuilder(pipeline(state.pipeline()));
        text.append(
                state.settled()
                        ? "no reshard is under way: every shard has this map and a leader\n"
                        : "a reshard is under way: a shard does not have this map, has no leader,"
                                + " or is prepared\n");
        if (!state.attempts().isEmpty()) {
            List<List<String>> rows = new ArrayList<>();
            rows.add(List.of("ATTEMPT", "STATE", "ON VERSION", "SHARDS", "IDS FROM"));
            for (ReshardAttempt attempt : state.attempts()) {
                rows.add(
                        List.of(
                                String.valueOf(attempt.getNumber()),
                                ReshardDocument.name(attempt),
                                String.valueOf(attempt.getBaseVersion()),
                                String.valueOf(attempt.getShards()),
                                StatusText.time(attempt.getStartMicros())));
            }
            text.append('\n').append(Columns.of("", rows));
        }
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("SHARD", "LEADER", "MAP", "PREPARED FOR"));
        for (ReshardState.Shard shard : state.shards()) {
            rows.add(
                    List.of(
                            shard.name(),
                            shard.leader().orElse("none"),
                            shard.mapVersion() == 0 ? "none" : "" + shard.mapVersion(),
                            shard.preparedFor().isEmpty() ? "-" : "" + shard.preparedFor()));
        }
        text.append('\n').append(Columns.of("", rows));
        for (ReshardState.EndingEpoch epoch : state.endingEpochs()) {
            if (state.pipeline().getSettings().getRetentionMicros() == 0) {
                text.append("epoch ")
                        .append(epoch.number())
                        .append(" is never dropped: retention is unlimited\n");
                continue;
            }
            text.append("epoch ")
                    .append(epoch.number())
                    .append(" is dropped when the boundary reaches ")
                    .append(StatusText.time(epoch.endMicros()))
                    .append(
                            epoch.leftMicros()
                                    .map(
                                            left ->
                                                    ": it is "
                                                            + StatusText.age(left / 1_000_000)
                                                            + " behind")
                                    .orElse(": there is none yet"))
                    .append('\n');
        }
        for (Epoch dropped : state.pipeline().getDroppedEpochsList()) {
            text.append("epoch ").append(dropped.getNumber()).append(" was dropped\n");
        }
        return text.toString();
    }
}
