package photon.idregistry.server.control;

import com.google.protobuf.ByteString;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import photon.core.loop.EventLoop;
import photon.idregistry.control.ControlState;
import photon.idregistry.control.PipelineView;
import photon.idregistry.reshard.ShardUpkeep;
import photon.idregistry.reshard.ShardUpkeep.Decided;
import photon.idregistry.server.groups.Group;
import photon.idregistry.server.groups.GroupMaker;
import photon.idregistry.server.groups.ServedGroups;
import photon.idregistry.server.groups.ServerPeers;
import photon.idregistry.server.groups.ShardGroup;
import photon.idregistry.server.groups.Stamping;
import photon.idregistry.server.reshard.OldEpochs;
import photon.idregistry.server.reshard.OverdueReshards;
import photon.idregistry.server.reshard.ReshardDriver;
import photon.idregistry.shard.ShardResults;
import photon.idregistry.shard.ShardState;
import photon.proto.v1.DroppedPipeline;
import photon.proto.v1.ShardRef;
import photon.registry.api.RegistryClient.Shard;
import photon.registry.api.RegistryProtos;
import photon.registry.api.ShardMap;

/**
 * Brings this server to what the control group has decided, looking at its own replica of it every
 * now and then: it makes the groups that are missing, removes those of epochs and pipelines that
 * were dropped, and in those that it leads it proposes what {@link ShardUpkeep} finds missing. So a
 * fence and a new map reach every shard that has a quorum without anybody waiting for one that has
 * none, or telling one that is forgotten (docs/protocol.md sections 1 and 4). Every step can be
 * repeated. Runs in the server's loop.
 */
public final class Reconciler {
    private static final Logger LOG = LoggerFactory.getLogger(Reconciler.class);

    /** Between two lines that say that a replica cannot be made. */
    static final Duration NOT_MADE_TOLD_EVERY = Duration.ofSeconds(10);

    private final EventLoop loop;
    private final ServedGroups groups;
    private final GroupMaker maker;
    private final Duration every;
    private final OverdueReshards overdue;
    private final ReshardDriver driver;
    private final OldEpochs oldEpochs;
    private final GoneGroups gone;

    /** Dropped pipelines of which nothing is left here. */
    private final Set<ByteString> removed = new HashSet<>();

    private final Map<ShardRef, Progressing> shards = new HashMap<>();

    private EventLoop.@Nullable Cancellable timer;
    private boolean stopped;

    /** Where one shard is. */
    private static final class Progressing {
        @Nullable ShardGroup served;
        boolean busy;

        /** When it was last told that its replica cannot be made; null: never. */
        @Nullable Long notMadeToldAtNanos;

        /** This fence table and this map of the control group are known to stand in the shard. */
        long fencesThereOf = -1;

        long mapThereOf = -1;
    }

    public Reconciler(
            EventLoop loop,
            ServedGroups groups,
            GroupMaker maker,
            ServerPeers peers,
            Stamping stamping,
            Duration every) {
        this.loop = loop;
        this.groups = groups;
        this.maker = maker;
        this.every = every;
        this.overdue = new OverdueReshards(loop, groups, peers, stamping);
        this.driver = new ReshardDriver(loop, groups, peers, stamping, this::lookUnlessStopped);
        this.oldEpochs = new OldEpochs(loop, groups, peers, stamping);
        this.gone = new GoneGroups(loop, groups, maker);
    }

    /** Looks now, and from now on. */
    public void start() {
        loop.checkInLoop();
        if (!stopped) {
            look();
            timer = loop.schedule(every, this::start);
        }
    }

    public void stop() {
        stopped = true;
        driver.stop();
        if (timer != null) {
            timer.cancel();
        }
    }

    private void lookUnlessStopped() {
        if (!stopped) {
            look();
        }
    }

    private void look() {
        List<PipelineView> pipelines = groups.control().read(ControlState::pipelines);
        overdue.look(pipelines);
        driver.look(pipelines);
        oldEpochs.look(pipelines);
        for (PipelineView pipeline : pipelines) {
            removeAll(pipeline.uuid(), pipeline.dropped());
            for (Shard shard : pipeline.map().shards()) {
                ShardRef ref = RegistryProtos.shardRef(pipeline.uuid(), shard);
                advance(pipeline, shard, ref, shards.computeIfAbsent(ref, r -> new Progressing()));
                groups.limit(ref, pipeline.settings());
            }
        }
        for (DroppedPipeline pipeline : groups.control().read(ControlState::dropped)) {
            if (!removed.contains(pipeline.getUuid())) {
                remove(pipeline);
            }
        }
    }

    private void remove(DroppedPipeline pipeline) {
        UUID uuid = Objects.requireNonNull(RegistryProtos.uuid(pipeline.getUuid()));
        List<ShardMap.Epoch> epochs = new ArrayList<>();
        pipeline.getDroppedEpochsList().forEach(epoch -> epochs.add(ShardMap.Epoch.of(epoch)));
        epochs.addAll(ShardMap.of(pipeline.getMap()).epochs());
        if (removeAll(uuid, epochs)) {
            removed.add(pipeline.getUuid());
            LOG.info("Nothing is left here of the dropped pipeline {}", pipeline.getName());
        }
    }

    private boolean removeAll(UUID pipeline, List<ShardMap.Epoch> epochs) {
        boolean all = true;
        for (ShardMap.Epoch epoch : epochs) {
            for (Shard shard : ShardMap.shardsOf(epoch)) {
                all &= remove(RegistryProtos.shardRef(pipeline, shard));
            }
        }
        return all;
    }

    private void advance(PipelineView pipeline, Shard shard, ShardRef ref, Progressing at) {
        if (at.busy) {
            return;
        }
        if (at.served == null) {
            serve(ref, at);
        }
        // A shard accepts nothing before it has its map.
        if (at.served != null
                && at.served.group().log().leads()
                && !groups.control().read(ControlState::isRestoring)) {
            lead(pipeline, shard, at, at.served);
        }
    }

    private void serve(ShardRef ref, Progressing at) {
        Group<ShardState> group = maker.find(ref);
        if (group != null) {
            at.served = groups.add(ref, group);
            return;
        }
        // A server that leaves, too: a group that began with it may need it to be rid of it.
        if (!groups.control().replayed()) {
            // What is decided since may be that it is gone. Made anew by a majority, empty, it
            // would accept ids that were accepted before.
            return;
        }
        at.busy = true;
        maker.make(ref)
                .whenComplete(
                        (made, failure) ->
                                loop.execute(
                                        () -> {
                                            at.busy = false;
                                            if (failure != null && !stopped) {
                                                notMade(ref, at, failure);
                                            }
                                        }));
    }

    /**
     * While a registry starts, servers are not known for a moment, which is no reason to warn. Ten
     * tries a second, of many shards, are no news either.
     */
    private void notMade(ShardRef ref, Progressing at, Throwable failure) {
        long now = loop.nanoTime();
        Long told = at.notMadeToldAtNanos;
        if (told != null && now - told < NOT_MADE_TOLD_EVERY.toNanos()) {
            return;
        }
        at.notMadeToldAtNanos = now;
        LOG.atLevel(told == null ? Level.INFO : Level.WARN)
                .log(
                        "No replica of shard {} yet, it is tried again: {}",
                        ServedGroups.name(ref),
                        failure.toString());
    }

    /**
     * At every start: a crash may have come before, or this server was down when it was decided.
     *
     * @return true when nothing is left of it here
     */
    private boolean remove(ShardRef ref) {
        Progressing at = shards.get(ref);
        // One that is being made is removed when it is there.
        if (at != null && at.served == null && at.busy) {
            return false;
        }
        shards.remove(ref);
        return gone.remove(ref);
    }

    private void lead(PipelineView pipeline, Shard shard, Progressing at, ShardGroup served) {
        boolean stands =
                at.fencesThereOf == pipeline.fenceVersion()
                        && at.mapThereOf == pipeline.map().version();
        // A delayed prepare may come at any time, so where there ever was one it is asked for.
        if (stands && pipeline.reshards().never()) {
            return;
        }
        Decided decided = groups.control().read(state -> Decided.of(state, pipeline));
        byte[] missing = served.group().read(state -> ShardUpkeep.missing(decided, shard, state));
        if (missing == null) {
            at.fencesThereOf = pipeline.fenceVersion();
            at.mapThereOf = pipeline.map().version();
        } else {
            propose(shard, at, served, missing);
        }
    }

    /** What is refused or lost is proposed again at the next look, if it is still missing. */
    private void propose(Shard shard, Progressing at, ShardGroup served, byte[] entry) {
        at.busy = true;
        served.entries()
                .submit(
                        entry,
                        result -> {
                            at.busy = false;
                            if (ShardResults.refusedInstall(entry, result)) {
                                LOG.error("Shard {} has another map", shard);
                            }
                        },
                        refused -> at.busy = false);
    }
}
