package photon.idregistry.server.groups;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import photon.core.loop.EventLoop;
import photon.idregistry.batch.BatchLimits;
import photon.idregistry.batch.CommitBatcher;
import photon.idregistry.batch.FairShares;
import photon.idregistry.control.ControlState;
import photon.idregistry.control.PipelineLimits;
import photon.idregistry.server.counts.MeteredLog;
import photon.idregistry.server.counts.RegistryStats;
import photon.idregistry.server.counts.ServerCounts;
import photon.idregistry.shard.ShardState;
import photon.proto.v1.PipelineSettings;
import photon.proto.v1.Progress;
import photon.proto.v1.ShardRef;
import photon.registry.api.RegistryProtos;

/** The groups of this server. Owned by its loop. */
public final class ServedGroups implements Groups {
    private final EventLoop loop;
    private final BatchLimits limits;
    private final FairShares shares;
    private final ServerCounts counts = new ServerCounts();
    private final Group<ControlState> control;
    private final DirectEntries controlEntries;

    /** In the order in which they came, so that what is done to all is done in a known order. */
    private final Map<ShardRef, ShardGroup> shards = new LinkedHashMap<>();

    /** A look after idle shards is under way. */
    private boolean looking;

    public ServedGroups(EventLoop loop, BatchLimits limits, Group<ControlState> control) {
        this.loop = loop;
        this.limits = limits;
        this.shares = FairShares.of(limits);
        this.control = control;
        this.controlEntries = new DirectEntries(loop, control.log());
    }

    @Override
    public @Nullable ShardGroup shard(ShardRef ref) {
        return shards.get(ref);
    }

    /** From now on the shard is served. */
    public ShardGroup add(ShardRef ref, Group<ShardState> group) {
        loop.checkInLoop();
        ShardGroup made =
                new ShardGroup(
                        group,
                        new CommitBatcher(
                                loop,
                                new MeteredLog(group.log(), loop, counts),
                                limits,
                                shares.of(ref.getPipeline())),
                        new DirectEntries(loop, group.log()),
                        new GroupReads());
        shards.put(ref, made);
        return made;
    }

    /**
     * From now on the shard is not served. What waits for its log is answered as not submitted.
     *
     * @return what it was; null if it was not served
     */
    public @Nullable ShardGroup remove(ShardRef ref) {
        loop.checkInLoop();
        ShardGroup gone = shards.remove(ref);
        if (gone != null) {
            gone.commits().close();
            gone.reads().close();
        }
        return gone;
    }

    /** Brings what this server does for a pipeline's shard to the pipeline's settings. */
    public void limit(ShardRef ref, PipelineSettings settings) {
        loop.checkInLoop();
        ShardGroup shard = shards.get(ref);
        if (shard != null) {
            shard.commits().limitWaiting(settings.getWaitingIdsPerShard());
            shares.of(ref.getPipeline()).weigh(PipelineLimits.weight(settings));
        }
    }

    @Override
    public Progress absent(ShardRef ref) {
        return control.read(state -> state.isDropped(ref.getPipeline()))
                ? Progress.PIPELINE_GONE
                : Progress.NO_SUCH_SHARD;
    }

    @Override
    public Group<ControlState> control() {
        return control;
    }

    @Override
    public DirectEntries controlEntries() {
        return controlEntries;
    }

    public ServerCounts counts() {
        return counts;
    }

    /** In the order in which they came. */
    public Map<ShardRef, ShardGroup> shards() {
        loop.checkInLoop();
        return Collections.unmodifiableMap(shards);
    }

    /**
     * Seals ids of shards that get no entries: those of an earlier epoch, say, after a reshard.
     *
     * @param readers where that is done, since it may wait for an entry that waits for a file
     */
    public void lookAfterIdle(Readers readers) {
        loop.checkInLoop();
        if (!looking) {
            looking = true;
            lookAfterIdle(readers, new ArrayDeque<>(shards.values()));
        }
    }

    /** One after the other: clients need the threads. */
    private void lookAfterIdle(Readers readers, Deque<ShardGroup> ahead) {
        while (!ahead.isEmpty()) {
            ShardGroup shard = ahead.remove();
            boolean begun =
                    shard.reads()
                            .read(
                                    readers,
                                    () -> shard.group().read(ServedGroups::lookAfterIdle),
                                    done -> lookAfterIdle(readers, ahead));
            if (begun) {
                return;
            }
        }
        looking = false;
    }

    private static boolean lookAfterIdle(ShardState shard) {
        shard.ids().lookAfterIdle();
        return true;
    }

    public RegistryStats stats() {
        loop.checkInLoop();
        long entries = 0;
        long ids = 0;
        Map<String, Boolean> leads = new TreeMap<>();
        leads.put("control", control.log().leads());
        for (Map.Entry<ShardRef, ShardGroup> shard : shards.entrySet()) {
            entries += shard.getValue().commits().entries();
            ids += shard.getValue().commits().ids();
            leads.put(name(shard.getKey()), shard.getValue().group().log().leads());
        }
        return new RegistryStats(entries, ids, leads);
    }

    /** Each group's, the control group's first. Not for other threads. */
    public List<GroupLoad> loads() {
        List<GroupLoad> all = new ArrayList<>();
        all.add(new GroupLoad(0, 0, controlEntries.inFlight()));
        for (ShardGroup shard : shards.values()) {
            all.add(
                    new GroupLoad(
                            shard.commits().waitingIds(),
                            shard.commits().entriesInFlight(),
                            shard.entries().inFlight()));
        }
        return all;
    }

    /** For people: pipeline, epoch, shard. */
    public static String name(ShardRef ref) {
        return RegistryProtos.uuid(ref.getPipeline()) + "/" + ref.getEpoch() + "/" + ref.getShard();
    }

    /** What waits is answered as not submitted. */
    public void close() {
        loop.checkInLoop();
        shards.values().forEach(shard -> shard.commits().close());
    }
}
