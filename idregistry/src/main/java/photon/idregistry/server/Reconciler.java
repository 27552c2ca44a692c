package photon.idregistry.server;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import photon.core.loop.EventLoop;
import photon.idregistry.api.RegistryClient.Shard;
import photon.idregistry.control.ControlState;
import photon.idregistry.control.ControlState.PipelineView;
import photon.idregistry.shard.ShardEntries;
import photon.idregistry.shard.ShardResults;
import photon.idregistry.shard.ShardState;
import photon.proto.v1.Progress;
import photon.proto.v1.ShardRef;

/**
 * Brings this server to what the control group has decided, looking at its own replica of it every
 * now and then: it makes the groups that are missing, and in those that it leads it installs the
 * map and raises fences that are behind. So a fence reaches every shard that has a quorum without
 * anybody waiting for one that has none (docs/protocol.md section 1). Every step can be repeated.
 * Runs in the server's loop.
 */
final class Reconciler {
    private static final Logger LOG = LoggerFactory.getLogger(Reconciler.class);

    private final EventLoop loop;
    private final ServedGroups groups;
    private final GroupMaker maker;
    private final Duration every;
    private final Map<ShardRef, Progressing> shards = new HashMap<>();
    private EventLoop.@Nullable Cancellable timer;
    private boolean stopped;

    /** Where one shard is. */
    private static final class Progressing {
        @Nullable ShardGroup served;
        boolean busy;

        /** This fence table of the control group is known to stand in the shard. */
        long fencesThereOf = -1;
    }

    Reconciler(EventLoop loop, ServedGroups groups, GroupMaker maker, Duration every) {
        this.loop = loop;
        this.groups = groups;
        this.maker = maker;
        this.every = every;
    }

    /** Looks now, and from now on. */
    void start() {
        loop.checkInLoop();
        if (!stopped) {
            look();
            timer = loop.schedule(every, this::start);
        }
    }

    void stop() {
        stopped = true;
        if (timer != null) {
            timer.cancel();
        }
    }

    private void look() {
        List<PipelineView> pipelines = groups.control().read(ControlState::pipelines);
        for (PipelineView pipeline : pipelines) {
            for (Shard shard : pipeline.map().shards()) {
                ShardRef ref = ControlState.shardRef(pipeline.uuid(), shard);
                advance(pipeline, shard, ref, shards.computeIfAbsent(ref, r -> new Progressing()));
            }
        }
    }

    private void advance(PipelineView pipeline, Shard shard, ShardRef ref, Progressing at) {
        if (at.busy) {
            return;
        }
        if (at.served == null) {
            serve(ref, at);
        }
        if (at.served != null && at.served.group().log().leads()) {
            lead(pipeline, shard, at, at.served);
        }
    }

    private void serve(ShardRef ref, Progressing at) {
        Group<ShardState> group = maker.find(ref);
        if (group != null) {
            at.served = groups.add(ref, group);
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
                                                LOG.warn(
                                                        "No replica of shard {} yet, it is tried again: {}",
                                                        ServedGroups.name(ref),
                                                        failure.toString());
                                            }
                                        }));
    }

    private void lead(PipelineView pipeline, Shard shard, Progressing at, ShardGroup served) {
        if (at.fencesThereOf == pipeline.fenceVersion()) {
            return;
        }
        SortedMap<Integer, Integer> decided =
                groups.control().read(state -> new TreeMap<>(state.fenceTable(pipeline.uuid())));
        boolean installed = served.group().read(state -> state.map() != null);
        if (!installed) {
            propose(
                    at,
                    served,
                    ShardEntries.install(pipeline.map(), shard, decided),
                    result -> {
                        if (!ShardResults.installed(result)) {
                            LOG.error("Shard {} of {} has another map", shard, pipeline.name());
                        }
                    });
            return;
        }
        decided.entrySet().removeAll(standing(served, decided).entrySet());
        if (decided.isEmpty()) {
            at.fencesThereOf = pipeline.fenceVersion();
        } else {
            propose(at, served, ShardEntries.fence(decided), result -> {});
        }
    }

    /** Of these fences those that stand in the shard already, or are surpassed there. */
    private static Map<Integer, Integer> standing(
            ShardGroup served, Map<Integer, Integer> decided) {
        return served.group()
                .read(
                        state -> {
                            Map<Integer, Integer> there = new TreeMap<>();
                            decided.forEach(
                                    (slot, lowest) -> {
                                        if (state.fenceTable().getOrDefault(slot, 0) >= lowest) {
                                            there.put(slot, lowest);
                                        }
                                    });
                            return there;
                        });
    }

    /** What is refused or lost is proposed again at the next look, if it is still missing. */
    private void propose(
            Progressing at,
            ShardGroup served,
            byte[] entry,
            java.util.function.Consumer<byte[]> applied) {
        at.busy = true;
        served.entries()
                .submit(
                        entry,
                        result -> {
                            at.busy = false;
                            applied.accept(result);
                        },
                        (Progress refused) -> at.busy = false);
    }
}
