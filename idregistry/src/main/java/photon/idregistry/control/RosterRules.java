package photon.idregistry.control;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import photon.proto.v1.GroupsBefore;
import photon.proto.v1.PipelineBefore;
import photon.proto.v1.Roster;
import photon.proto.v1.RosterChange;
import photon.proto.v1.RosterHistory;
import photon.proto.v1.ShardRef;
import photon.registry.api.RegistryClient.Shard;
import photon.registry.api.RegistryProtos;

/**
 * Which servers are members of the registry, and were when each group was decided (docs/protocol.md
 * section 11). Part of {@link ControlState}.
 */
final class RosterRules {
    /** None: not known yet. */
    private final TreeSet<String> first = new TreeSet<>();

    private final List<RosterChange> changes = new ArrayList<>();

    /** The first one is never changed: it is what the control group began with. */
    void begin(Collection<String> servers) {
        if (first.isEmpty()) {
            first.addAll(servers);
        }
    }

    boolean isKnown() {
        return !first.isEmpty();
    }

    boolean contains(String name) {
        return after(change -> true).contains(name);
    }

    int size() {
        return after(change -> true).size();
    }

    long version() {
        return isKnown() ? 1 + changes.size() : 0;
    }

    Roster current() {
        return Roster.newBuilder()
                .setVersion(version())
                .addAllServers(after(change -> true))
                .build();
    }

    /**
     * @param before the groups that are there: they began without this change
     */
    void change(String name, boolean added, GroupsBefore before) {
        changes.add(
                RosterChange.newBuilder().setName(name).setAdded(added).setBefore(before).build());
    }

    /** True if a group began since the last change. */
    boolean isLaterThanChanges(Collection<PipelineState> pipelines) {
        if (changes.isEmpty()) {
            return false;
        }
        GroupsBefore before = changes.get(changes.size() - 1).getBefore();
        return pipelines.stream().anyMatch(pipeline -> !contains(before, newest(pipeline)));
    }

    private static ShardRef newest(PipelineState pipeline) {
        return RegistryProtos.shardRef(
                pipeline.uuid, new Shard(pipeline.map.lastEpoch().number(), 0));
    }

    /** With which the group began; none: not known yet. */
    List<String> initial(ShardRef shard) {
        return List.copyOf(after(change -> !contains(change.getBefore(), shard)));
    }

    private Set<String> after(Predicate<RosterChange> which) {
        Set<String> servers = new TreeSet<>(first);
        for (RosterChange change : changes) {
            if (which.test(change)) {
                if (change.getAdded()) {
                    servers.add(change.getName());
                } else {
                    servers.remove(change.getName());
                }
            }
        }
        return servers;
    }

    /** All groups that are there. */
    static GroupsBefore before(Collection<PipelineState> pipelines) {
        GroupsBefore.Builder before = GroupsBefore.newBuilder();
        for (PipelineState pipeline : pipelines) {
            before.addPipelines(
                    PipelineBefore.newBuilder()
                            .setPipeline(RegistryProtos.bytes(pipeline.uuid))
                            .setLastEpoch(pipeline.map.lastEpoch().number()));
        }
        return before.build();
    }

    static boolean contains(GroupsBefore before, ShardRef shard) {
        return before.getPipelinesList().stream()
                .anyMatch(
                        pipeline ->
                                pipeline.getPipeline().equals(shard.getPipeline())
                                        && shard.getEpoch() <= pipeline.getLastEpoch());
    }

    RosterHistory toProto() {
        return RosterHistory.newBuilder().addAllFirst(first).addAllChanges(changes).build();
    }

    void restore(RosterHistory from) {
        first.clear();
        first.addAll(from.getFirstList());
        changes.clear();
        changes.addAll(from.getChangesList());
    }
}
