package photon.idregistry.reshard;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.core.id.Incarnation;
import photon.core.id.Packed;
import photon.idregistry.control.ControlEntries;
import photon.idregistry.control.ControlState;
import photon.idregistry.control.PipelineView;
import photon.idregistry.replicated.MemorySnapshot;
import photon.idregistry.replicated.ReplicatedState;
import photon.idregistry.shard.ShardEntries;
import photon.idregistry.shard.ShardResults;
import photon.idregistry.shard.ShardState;
import photon.proto.v1.DropEpochRequest;
import photon.proto.v1.OpenPipelineRequest;
import photon.proto.v1.Outcome;
import photon.proto.v1.RemoveOutcome;
import photon.proto.v1.ReshardState;
import photon.proto.v1.ShardBoundary;
import photon.registry.api.RegistryClient.Commit;
import photon.registry.api.RegistryClient.Shard;
import photon.registry.api.RegistryProtos;
import photon.registry.api.ShardMap;

/**
 * The decisions of control group and shards, in every order that delays, repetitions, losses and
 * lagging replicas allow. Whoever holds an id is watched in apply.
 */
final class ReshardWorld {
    static final UUID PIPELINE = new UUID(5, 6);
    private static final String NAME = "ads";
    static final int SERVERS = 3;

    final Random random;
    final Map<Outcome, Integer> outcomes = new EnumMap<>(Outcome.class);
    final List<ShardMap> maps = new ArrayList<>();
    boolean calm;

    /** Groups that were. */
    int dropped;

    /** The control group's log; each server has applied a part of it. */
    private final List<byte[]> controlLog = new ArrayList<>();

    private ControlState control = new ControlState();
    private final ControlState[] replicas = new ControlState[SERVERS];
    private final TreeMap<Shard, ShardState> groups = new TreeMap<>();

    /** Ever: a group that was dropped is not made again. */
    private final Set<Shard> made = new TreeSet<>();

    private final List<Runnable> onTheWay = new ArrayList<>();
    private final Map<EventId, CommitToken> holders = new HashMap<>();
    private final Set<Incarnation> fencedEverywhere = new java.util.LinkedHashSet<>();

    ReshardWorld(long seed) {
        random = new Random(seed);
        for (int server = 0; server < SERVERS; server++) {
            replicas[server] = new ControlState();
        }
        applyControl(
                ControlEntries.openPipeline(
                        OpenPipelineRequest.newBuilder()
                                .setName(NAME)
                                .setUuid(RegistryProtos.bytes(PIPELINE))
                                .setShards(1 + random.nextInt(2))
                                .build()));
    }

    ShardMap map() {
        return view(control).map();
    }

    List<Long> openAttempts() {
        return view(control).reshards().open();
    }

    /** Of every attempt that was ever begun. */
    List<ReshardState> states() {
        return List.copyOf(view(control).reshards().states().values());
    }

    private static PipelineView view(ControlState state) {
        return state.describe(NAME).orElseThrow();
    }

    /** A map that some client may know: any that ever stood. */
    ShardMap anyMap() {
        return maps.get(maps.size() - 1 - random.nextInt(Math.min(3, maps.size())));
    }

    // How messages travel.

    /** Arrives later, twice perhaps; or never, perhaps. */
    void send(Runnable arrive) {
        if (calm || random.nextInt(10) > 0) {
            onTheWay.add(arrive);
        }
        if (!calm && random.nextInt(8) == 0) {
            onTheWay.add(arrive);
        }
    }

    boolean deliverOne() {
        if (onTheWay.isEmpty()) {
            return false;
        }
        int at = calm ? 0 : random.nextInt(onTheWay.size());
        onTheWay.remove(at).run();
        return true;
    }

    // The control group.

    interface Parse<R> {
        R from(byte[] bytes) throws InvalidProtocolBufferException;
    }

    /** A request to the control group, whose answer travels too. */
    <R> void control(byte[] entry, Parse<R> parse, Consumer<R> answered) {
        send(
                () -> {
                    byte[] result = applyControl(entry);
                    send(() -> answered.accept(parsed(parse, result)));
                });
    }

    private static <R> R parsed(Parse<R> parse, byte[] result) {
        try {
            return parse.from(result);
        } catch (InvalidProtocolBufferException e) {
            throw new AssertionError(e);
        }
    }

    byte[] applyControl(byte[] entry) {
        controlLog.add(entry);
        byte[] result = control.apply(controlLog.size(), ByteBuffer.wrap(entry));
        if (maps.isEmpty() || !map().equals(maps.get(maps.size() - 1))) {
            maps.add(map());
        }
        return result;
    }

    // What servers do by themselves.

    /** One server's look at one of the groups that it may lead. */
    void look(int server) {
        catchUp(server);
        ControlState replica = replicas[server];
        if (replica.describe(NAME).isEmpty()) {
            return;
        }
        removeDropped(server);
        List<Shard> shards = view(replica).map().shards();
        Shard shard = shards.get(random.nextInt(shards.size()));
        upkeep(server, shard);
    }

    /** What a server's replica of the control group says, if it knows the pipeline. */
    Optional<PipelineView> known(int server) {
        catchUp(server);
        return replicas[server].describe(NAME);
    }

    /** The boundaries of the shards move, each when it hears of it, if it does. */
    void moveBoundaries(long micros) {
        for (Shard shard : List.copyOf(groups.keySet())) {
            send(
                    () -> {
                        if (groups.containsKey(shard)) {
                            apply(shard, ShardEntries.advanceBoundary(micros));
                        }
                    });
        }
    }

    /** A leader of the control group asks for the first epoch to be dropped, on what it knows. */
    void dropFirstEpoch(int server) {
        Optional<PipelineView> known = known(server);
        if (known.isEmpty() || known.get().map().epochs().size() < 2) {
            return;
        }
        DropEpochRequest.Builder request =
                DropEpochRequest.newBuilder()
                        .setPipeline(RegistryProtos.bytes(PIPELINE))
                        .setEpoch(known.get().map().firstEpoch().number());
        groups.forEach(
                (shard, group) ->
                        request.addBoundaries(
                                ShardBoundary.newBuilder()
                                        .setShard(RegistryProtos.shardRef(PIPELINE, shard))
                                        .setBoundaryMicros(group.boundaryMicros())));
        send(() -> applyControl(ControlEntries.dropEpoch(request.build())));
    }

    /** By the time one server knows, the majority may. */
    private void removeDropped(int server) {
        for (ShardMap.Epoch epoch : view(replicas[server]).dropped()) {
            for (Shard shard : ShardMap.shardsOf(epoch)) {
                made.add(shard);
                dropped += groups.remove(shard) == null ? 0 : 1;
            }
        }
    }

    /** A group that is gone for good. */
    boolean isDropped(Shard shard) {
        return control.dropped(RegistryProtos.shardRef(PIPELINE, shard)).isPresent()
                && !groups.containsKey(shard);
    }

    private void upkeep(int server, Shard shard) {
        ControlState replica = replicas[server];
        if (made.add(shard)) {
            groups.put(shard, new ShardState());
        }
        ShardState group = groups.get(shard);
        if (group == null) {
            return;
        }
        ShardUpkeep.Decided decided = ShardUpkeep.Decided.of(replica, view(replica));
        byte[] missing = ShardUpkeep.missing(decided, shard, group);
        if (missing != null) {
            send(
                    () -> {
                        if (groups.containsKey(shard)) {
                            apply(shard, missing);
                        }
                    });
        }
    }

    /** Every server looks at every group, knowing all. */
    void lookEverywhere() {
        for (int server = 0; server < SERVERS; server++) {
            catchUp(server);
        }
        removeDropped(0);
        for (Shard shard : map().shards()) {
            upkeep(random.nextInt(SERVERS), shard);
        }
    }

    private void catchUp(int server) {
        ControlState replica = replicas[server];
        int missing = controlLog.size() - (int) replica.lastIndex();
        int more = calm ? missing : random.nextInt(missing + 1);
        for (int i = 0; i < more; i++) {
            int index = (int) replica.lastIndex() + 1;
            replica.apply(index, ByteBuffer.wrap(controlLog.get(index - 1)));
        }
    }

    void restoreSomething() {
        control = restored(control, new ControlState());
        int server = random.nextInt(SERVERS);
        replicas[server] = restored(replicas[server], new ControlState());
        for (Map.Entry<Shard, ShardState> group : groups.entrySet()) {
            if (random.nextBoolean()) {
                ShardState copy = restored(group.getValue(), new ShardState());
                assertThat(copy.stateHash()).isEqualTo(group.getValue().stateHash());
                group.setValue(copy);
            }
        }
    }

    static <S extends ReplicatedState> S restored(S state, S fresh) {
        try {
            fresh.restore(MemorySnapshot.of(state, null));
            return fresh;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    // The shards.

    /** A request to a group, whose answer travels too; null if the group is not there. */
    void shard(Shard shard, byte[] entry, Consumer<byte @Nullable []> answered) {
        send(
                () -> {
                    byte[] result = groups.containsKey(shard) ? apply(shard, entry) : null;
                    send(() -> answered.accept(result));
                });
    }

    private byte[] apply(Shard shard, byte[] entry) {
        ShardState group = java.util.Objects.requireNonNull(groups.get(shard));
        return group.apply(group.lastIndex() + 1, ByteBuffer.wrap(entry));
    }

    void commit(Shard shard, Commit commit, Consumer<@Nullable Outcome> answered) {
        byte[] entry =
                ShardEntries.commit(
                        Packed.ids(List.of(commit.id())), Packed.tokens(List.of(commit.token())));
        send(
                () -> {
                    Outcome outcome =
                            groups.containsKey(shard) ? commit(shard, commit, entry) : null;
                    send(() -> answered.accept(outcome));
                });
    }

    private Outcome commit(Shard shard, Commit commit, byte[] entry) {
        ByteString result = ShardResults.commit(apply(shard, entry)).outcomes();
        Outcome outcome = Outcome.forNumber(result.byteAt(0));
        outcomes.merge(outcome, 1, Integer::sum);
        if (outcome == Outcome.ACCEPTED) {
            CommitToken holder = holders.putIfAbsent(commit.id(), commit.token());
            assertThat(holder == null || holder.equals(commit.token()))
                    .as("%s of %s, accepted in %s for %s", commit.id(), holder, shard, commit)
                    .isTrue();
            assertThat(fencedEverywhere)
                    .as("%s was accepted in %s", commit, shard)
                    .doesNotContain(commit.token().incarnation());
        }
        return outcome;
    }

    /** All groups that the fence was to reach have applied it. */
    void fencedEverywhere(Incarnation incarnation) {
        fencedEverywhere.add(incarnation);
    }

    void remove(Shard shard, Commit held, Consumer<@Nullable RemoveOutcome> answered) {
        byte[] entry =
                ShardEntries.remove(
                        Packed.ids(List.of(held.id())), Packed.tokens(List.of(held.token())));
        send(
                () -> {
                    RemoveOutcome outcome = null;
                    if (groups.containsKey(shard)) {
                        outcome = RemoveOutcome.forNumber(apply(shard, entry)[0]);
                        if (outcome == RemoveOutcome.REMOVED) {
                            assertThat(holdersOf(held))
                                    .as("groups where %s is held, removed in %s", held, shard)
                                    .isEmpty();
                            holders.remove(held.id(), held.token());
                        }
                    }
                    RemoveOutcome said = outcome;
                    send(() -> answered.accept(said));
                });
    }

    private Set<Shard> holdersOf(Commit held) {
        Set<Shard> holding = new TreeSet<>();
        groups.forEach(
                (shard, group) -> {
                    if (held.token().equals(group.lookup(held.id()))) {
                        holding.add(shard);
                    }
                });
        return holding;
    }

    /** What the incarnation holds in the group. */
    List<Commit> scan(Shard shard, Incarnation incarnation) {
        ShardState group = groups.get(shard);
        return group == null ? List.of() : group.scan(incarnation, null, 1_000).held();
    }

    /** After it has become quiet. */
    void assertSettled() {
        assertThat(groups.keySet()).containsExactlyElementsOf(map().shards());
        groups.forEach(
                (shard, group) -> {
                    assertThat(group.map()).as("map of %s", shard).isEqualTo(map());
                    assertThat(group.preparedAttempts()).as("prepared in %s", shard).isEmpty();
                });
    }
}
