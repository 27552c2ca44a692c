package photon.idregistry.server.status;

import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import photon.core.rpc.Handler;
import photon.core.time.IntervalClock;
import photon.idregistry.control.ControlState;
import photon.idregistry.control.PipelineView;
import photon.idregistry.replicated.FeatureLevel;
import photon.idregistry.server.boundary.BoundaryAdvancer;
import photon.idregistry.server.boundary.OwnClock;
import photon.idregistry.server.counts.StateMeter;
import photon.idregistry.server.groups.Group;
import photon.idregistry.server.groups.ServedGroups;
import photon.idregistry.server.groups.ShardGroup;
import photon.idregistry.server.members.OwnDisk;
import photon.idregistry.shard.ShardState;
import photon.idregistry.table.IdTable;
import photon.proto.v1.DescribeServerRequest;
import photon.proto.v1.DescribeServerResponse;
import photon.proto.v1.IncarnationInfo;
import photon.proto.v1.IncarnationState;
import photon.proto.v1.PipelineStatus;
import photon.proto.v1.ReplicaStatus;
import photon.proto.v1.Roster;
import photon.proto.v1.ServerMember;
import photon.proto.v1.ShardRef;
import photon.proto.v1.ShardStatus;
import photon.proto.v1.TableStatus;
import photon.registry.api.RegistryProtos;
import photon.registry.api.ShardMap;

/** Tells what this server and its replicas are, from their own state, without the log. */
public final class StatusHandler implements Handler<DescribeServerRequest, DescribeServerResponse> {
    private final String name;
    private final List<ServerMember> members;
    private final ServedGroups groups;
    private final StateMeter states;
    private final IntervalClock clock;
    private final BoundaryAdvancer boundary;
    private final OwnDisk disk;

    public StatusHandler(
            String name,
            List<ServerMember> members,
            ServedGroups groups,
            StateMeter states,
            IntervalClock clock,
            BoundaryAdvancer boundary,
            OwnDisk disk) {
        this.name = name;
        this.members = List.copyOf(members);
        this.groups = groups;
        this.states = states;
        this.clock = clock;
        this.boundary = boundary;
        this.disk = disk;
    }

    @Override
    public void handle(DescribeServerRequest request, Consumer<DescribeServerResponse> respond) {
        DescribeServerResponse.Builder answer =
                DescribeServerResponse.newBuilder()
                        .setName(name)
                        .addAllMembers(members)
                        .setCounts(groups.counts().toProto(states))
                        .setClock(OwnClock.tell(clock))
                        .setDisk(disk.bytes())
                        .setPeer(disk.peer());
        boundary.status().ifPresent(answer::setBoundary);
        Group<ControlState> control = groups.control();
        for (PipelineView pipeline : control.read(ControlState::pipelines)) {
            PipelineStatus.Builder status =
                    PipelineStatus.newBuilder()
                            .setUuid(RegistryProtos.bytes(pipeline.uuid()))
                            .setName(pipeline.name())
                            .setMap(pipeline.map().toProto())
                            .addAllOpenAttempts(pipeline.reshards().open())
                            .setSettings(pipeline.settings())
                            .addAllAttempts(control.read(state -> state.attempts(pipeline.uuid())))
                            .addAllDroppedEpochs(
                                    pipeline.dropped().stream()
                                            .map(ShardMap.Epoch::toProto)
                                            .toList())
                            .setIdentityFingerprint(pipeline.identityFingerprint())
                            .setLiveIncarnations(
                                    count(control, pipeline, info -> !info.getFenced()))
                            .setOpenIncarnations(count(control, pipeline, info -> true));
            if (pipeline.limitMicros() != Long.MIN_VALUE) {
                status.setLimitMicros(pipeline.limitMicros());
            }
            if (pipeline.wantedMicros() != Long.MIN_VALUE) {
                status.setWantedMicros(pipeline.wantedMicros());
            }
            answer.addPipelines(status);
        }
        answer.addAllDropped(control.read(ControlState::dropped));
        answer.addAllDisks(control.read(ControlState::members));
        Roster roster = control.read(ControlState::roster);
        if (roster.getVersion() > 0) {
            answer.setRoster(roster);
        }
        answer.setRestoring(control.read(ControlState::isRestoring));
        answer.setFeatureLevel(control.read(ControlState::featureLevel))
                .setSupportedFeatureLevel(FeatureLevel.SUPPORTED);
        ReplicaStatus.Builder first = answer.addReplicasBuilder();
        control.describe(first);
        groups.shards().forEach((ref, shard) -> describe(ref, shard, answer.addReplicasBuilder()));
        respond.accept(answer.build());
    }

    private static int count(
            Group<ControlState> control, PipelineView pipeline, Predicate<IncarnationInfo> which) {
        return (int)
                control.read(state -> state.incarnations(pipeline.uuid(), "")).stream()
                        .filter(info -> info.getState() == IncarnationState.OPEN)
                        .filter(which)
                        .count();
    }

    private static void describe(ShardRef ref, ShardGroup shard, ReplicaStatus.Builder into) {
        shard.group().describe(into);
        into.setShard(ref)
                .setState(
                        shard.group()
                                .read(StatusHandler::of)
                                .setWaitingIds(shard.commits().waitingIds())
                                .setEntriesInFlight(shard.commits().entriesInFlight())
                                .setRequestsInFlight(shard.entries().inFlight())
                                .setCommitEntries(shard.commits().entries())
                                .setCommittedIds(shard.commits().ids()));
    }

    private static ShardStatus.Builder of(ShardState state) {
        ShardStatus.Builder status =
                ShardStatus.newBuilder()
                        .setIds(state.ids().count())
                        .setBoundaryMicros(state.boundaryMicros())
                        .setMaxAcceptedMicros(state.maxAcceptedMicros())
                        .addAllPreparedAttempts(state.preparedAttempts())
                        .setCancelledTokens(state.cancelledTokens())
                        .setTable(of(state.ids()));
        if (state.map() != null) {
            status.setMapVersion(state.map().version());
        }
        return status;
    }

    private static TableStatus of(IdTable table) {
        return TableStatus.newBuilder()
                .setMemoryBytes(table.memoryBytes())
                .setSealedFiles(table.sealedFiles())
                .setSealedRows(table.sealedRows())
                .setSealedIndexBytes(table.sealedIndexBytes())
                .setSealingFailures(table.sealingFailures())
                .build();
    }
}
