package photon.simulation.raft;

import static photon.core.error.Checks.check;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.zip.CRC32;
import photon.core.rpc.HostPort;
import photon.idregistry.control.ControlState;
import photon.idregistry.replicated.MemorySnapshot;
import photon.idregistry.replicated.StateFile;
import photon.idregistry.shard.ShardState;
import photon.idregistry.table.MemoryBudget;
import photon.idregistry.table.MemoryTableFiles;
import photon.idregistry.table.TableHome;
import photon.proto.v1.ShardRef;
import photon.registry.api.RegistryProtos;
import photon.simulation.kernel.Life;
import photon.simulation.kernel.Timeline;

/**
 * The replicated log of all groups over all registry servers: elections, terms, majorities, lagging
 * replicas, crashes that lose what was not synced. Outlasts the servers' lives, as their disks do.
 */
public final class SimulatedCluster {
    /** By server, so that its ids lie elsewhere than its neighbours': from some dozen ids on. */
    private static final long[] TABLE_BYTES = {8 << 10, 24 << 10, 72 << 10};

    /** By server, how long the writing of a file takes: much may change of its ids meanwhile. */
    private static final long[] SEALING_NANOS = {0, 40_000_000L, 2_000_000_000L};

    private static final long SYNC_NANOS = 3_000_000;

    /** Longer than a commit's caller waits for its answer. */
    private static final long SLOW_SYNC_NANOS = 12_000_000_000L;

    final Timeline timeline;
    final Reach reach;
    final List<String> hosts = new ArrayList<>();
    private final Map<String, String> addresses = new LinkedHashMap<>();
    private final Consumer<String> violation;
    private final Counts counts = new Counts();
    private final long[] lagUntilNanos;
    private long controlLagUntilNanos;
    private long slowUntilNanos;
    private final SimulatedGroup<ControlState> control;
    private final Map<String, SimulatedGroup<ShardState>> shards = new LinkedHashMap<>();
    private boolean calm;

    /**
     * @param servers where the servers serve; a host names its process on the network
     * @param violation told of replicas that have applied the same entries and differ
     */
    public SimulatedCluster(
            Timeline timeline, Reach reach, List<HostPort> servers, Consumer<String> violation) {
        this.timeline = timeline;
        this.reach = reach;
        this.violation = violation;
        this.lagUntilNanos = new long[servers.size()];
        for (HostPort server : servers) {
            hosts.add(server.host());
            addresses.put(server.host(), server.toString());
        }
        this.control =
                new SimulatedGroup<>(
                        "control",
                        this,
                        new ControlState(),
                        new Agreement<>("control", SimulatedCluster::hash, violation, counts));
    }

    /** By the snapshot, which is the whole state. */
    private static long hash(ControlState state) {
        CRC32 crc = new CRC32();
        try (InputStream in = MemorySnapshot.of(state, null).file(StateFile.NAME).open()) {
            crc.update(in.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return crc.getValue();
    }

    /**
     * A server's process begins, with what is on its disk. When it ends, its states are lost.
     *
     * @param host one of the servers'; its last life has ended
     */
    public ClusterServer start(String host, Life life) {
        int place = hosts.indexOf(host);
        check(place >= 0, "Expected one of the servers %s, but got %s", hosts, host);
        check(
                control.members.get(place).replica() == null,
                "Expected the last life of %s to have ended",
                host);
        SimulatedReplica<ControlState> replica =
                control.members.get(place).start(life, new ControlState());
        for (SimulatedGroup<ShardState> shard : shards.values()) {
            if (shard.members.get(place).made()) {
                shard.members.get(place).start(life, shardState(place, life));
            }
        }
        life.onEnd(() -> crash(place));
        return new ClusterServer(this, place, life, replica);
    }

    /** An empty one that keeps little in memory, unlike those that replicas are compared with. */
    ShardState shardState(int place, Life life) {
        long writing = SEALING_NANOS[place % SEALING_NANOS.length];
        return new ShardState(
                new TableHome(
                        new MemoryTableFiles(),
                        MemoryBudget.of(TABLE_BYTES[place % TABLE_BYTES.length]),
                        file -> seal(file, writing, life)));
    }

    private void seal(Runnable file, long nanos, Life life) {
        if (nanos == 0) {
            file.run();
            return;
        }
        timeline.at(
                timeline.nowNanos() + nanos,
                () -> {
                    if (life.alive()) {
                        file.run();
                    }
                });
    }

    private void crash(int place) {
        control.members.get(place).crash();
        shards.values().forEach(shard -> shard.members.get(place).crash());
    }

    SimulatedGroup<ShardState> shard(ShardRef ref) {
        return shards.computeIfAbsent(
                name(ref),
                name ->
                        new SimulatedGroup<>(
                                name,
                                this,
                                new ShardState(),
                                new Agreement<>(name, ShardState::stateHash, violation, counts)));
    }

    private static String name(ShardRef ref) {
        return RegistryProtos.uuid(ref.getPipeline()) + "/" + ref.getEpoch() + "/" + ref.getShard();
    }

    String address(String host) {
        return addresses.getOrDefault(host, "");
    }

    /** "control", and each shard known to any server as {@code pipeline/epoch/shard}. */
    public List<String> groups() {
        List<String> all = new ArrayList<>();
        all.add(control.name);
        all.addAll(shards.keySet());
        return all;
    }

    private SimulatedGroup<?> group(String name) {
        SimulatedGroup<?> found = name.equals(control.name) ? control : shards.get(name);
        check(found != null, "Expected one of the groups %s, but got %s", groups(), name);
        return Objects.requireNonNull(found);
    }

    /**
     * Another leader is elected, whatever the present one is about.
     *
     * @return false if no majority reaches one another
     */
    public boolean deposeLeader(String group) {
        return group(group).depose();
    }

    /** True if some server has taken its replica of the group away for good. */
    public boolean isRemovedSomewhere(String group) {
        SimulatedGroup<ShardState> found = shards.get(group);
        return found != null && found.members.stream().anyMatch(Member::removed);
    }

    /** True if no server has a replica of the group any more, nor will have. */
    public boolean isRemovedEverywhere(String group) {
        SimulatedGroup<ShardState> found = shards.get(group);
        return found != null
                && found.members.stream().allMatch(m -> m.removed() || !m.made())
                && isRemovedSomewhere(group);
    }

    /** The host that leads, or that was the last to believe so; empty if none does. */
    public String leader(String group) {
        Member<?> leader = group(group).leader();
        return leader == null ? "" : leader.host;
    }

    /** The server's replicas apply nothing for so long, unless they lead. */
    public void lag(String host, Duration length) {
        int place = hosts.indexOf(host);
        timeline.trace().add(host, "applies nothing for %d ms", length.toMillis());
        lagUntilNanos[place] =
                Math.max(lagUntilNanos[place], timeline.nowNanos() + length.toNanos());
    }

    /** The same for all servers, in the control group alone. */
    public void lagInControl(Duration length) {
        timeline.trace().add("control", "followers apply nothing for %d ms", length.toMillis());
        controlLagUntilNanos =
                Math.max(controlLagUntilNanos, timeline.nowNanos() + length.toNanos());
    }

    /** For so long a sync of a log takes up to {@link #SLOW_SYNC_NANOS}, on all servers. */
    public void slowDisks(Duration length) {
        timeline.trace().add("registry", "syncs slowly for %d ms", length.toMillis());
        slowUntilNanos = Math.max(slowUntilNanos, timeline.nowNanos() + length.toNanos());
    }

    /** The longest that a sync takes now. */
    long syncNanosMax() {
        return timeline.nowNanos() < slowUntilNanos ? SLOW_SYNC_NANOS : SYNC_NANOS;
    }

    boolean lags(int place, String group) {
        return timeline.nowNanos() < lagUntilNanos[place]
                || (timeline.nowNanos() < controlLagUntilNanos && group.equals(control.name));
    }

    /** From now on nobody is voted out without need, and nobody lags. */
    public void calm() {
        calm = true;
        Arrays.fill(lagUntilNanos, 0);
        controlLagUntilNanos = 0;
        slowUntilNanos = 0;
    }

    boolean isCalm() {
        return calm;
    }

    /** True if every server runs and has applied all that is committed, in every group. */
    public boolean settled() {
        return control.settled() && shards.values().stream().allMatch(SimulatedGroup::settled);
    }

    /** True if every server has removed every group of the pipeline that it ever had. */
    public boolean removed(UUID pipeline) {
        return shards.entrySet().stream()
                .filter(shard -> shard.getKey().startsWith(pipeline + "/"))
                .flatMap(shard -> shard.getValue().members.stream())
                .noneMatch(Member::made);
    }

    /** Compares the states of all replicas that stand at the same index, at the end of a run. */
    public void compareStates() {
        control.compareStates();
        shards.values().forEach(SimulatedGroup::compareStates);
    }

    /** The control group's state by all that is committed, whichever replica knows it by now. */
    public ControlState committedControl() {
        return control.committedState();
    }

    /** The shards' states likewise, in the order in which the groups were made. */
    public List<ShardState> committedShards() {
        List<ShardState> all = new ArrayList<>();
        shards.values().forEach(shard -> all.add(shard.committedState()));
        return all;
    }

    /** How far each shard's boundary stands there, by group. */
    public SortedMap<String, Long> committedBoundaries() {
        SortedMap<String, Long> all = new TreeMap<>();
        shards.forEach((name, shard) -> all.put(name, shard.committedState().boundaryMicros()));
        return all;
    }

    /** All that the shards have committed, group after group, each in the order of its log. */
    public void replayShards(CommittedEntries to) {
        shards.values().forEach(shard -> shard.replay(new ShardState(), to));
    }

    public Counts counts() {
        return counts;
    }
}
