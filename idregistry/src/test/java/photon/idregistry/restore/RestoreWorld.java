package photon.idregistry.restore;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import photon.core.hash.Sha256;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.core.id.Incarnation;
import photon.core.id.Packed;
import photon.core.id.UserKey;
import photon.idregistry.control.ControlEntries;
import photon.idregistry.control.ControlState;
import photon.idregistry.replicated.MemorySnapshot;
import photon.idregistry.replicated.StateFile;
import photon.idregistry.reshard.ShardUpkeep;
import photon.idregistry.shard.ShardEntries;
import photon.idregistry.shard.ShardResults;
import photon.idregistry.shard.ShardState;
import photon.proto.v1.IncarnationInfo;
import photon.proto.v1.IncarnationState;
import photon.proto.v1.OpenPipelineRequest;
import photon.proto.v1.Outcome;
import photon.proto.v1.Progress;
import photon.proto.v1.RegisterRequest;
import photon.proto.v1.RegisterResponse;
import photon.proto.v1.RestoreBegin;
import photon.proto.v1.RestoreLoaded;
import photon.proto.v1.RestorePiece;
import photon.proto.v1.RestoreReported;
import photon.proto.v1.RestoreRequest;
import photon.proto.v1.RestoreResponse;
import photon.proto.v1.SetIncarnationStateRequest;
import photon.proto.v1.SetIncarnationStateResponse;
import photon.proto.v1.SlotSeen;
import photon.registry.api.RegistryClient.Commit;
import photon.registry.api.RegistryClient.Shard;
import photon.registry.api.RegistryProtos;

/**
 * A registry's states without their logs' machinery, and two datacenters that join the same events:
 * dispatchers that forget what was settled, joiners that crash, outputs that last. The registry is
 * lost and brought back from a backup in the midst of it.
 */
final class RestoreWorld {
    static final UUID PIPELINE = new UUID(7, 7);
    private static final ByteString UUID_BYTES = RegistryProtos.bytes(PIPELINE);
    private static final ByteString RESTORE = RegistryProtos.bytes(new UUID(8, 8));

    /** What may be left out, to see that it is missed. */
    enum Fault {
        NONE,
        /** The control group is cut before the shards. */
        CONTROL_FIRST,
        /** Shards get their maps as soon as the backup is loaded. */
        NOT_WAITED_FOR,
        /** Reports put ids only where nobody holds them. */
        BACKUPS_HOLDER_STAYS,
        /** Dispatchers do not read their logs again. */
        NOT_READ_AGAIN,
        /** A repair takes the restored registry, whole or not, for the one in which it began. */
        REPAIR_GOES_ON
    }

    final Random random;
    final Fault fault;
    final Map<String, Datacenter> datacenters = new LinkedHashMap<>();

    /** Published: id to tokens, over all datacenters. */
    final Map<EventId, List<CommitToken>> output = new HashMap<>();

    private ControlState control = new ControlState();
    private final Map<Shard, ShardState> shards = new TreeMap<>();
    private long index;
    private int nonces;

    /** One datacenter: what lasts of it, and its one joiner. */
    final class Datacenter {
        final String name;

        /** A dispatcher's: not settled. */
        final Set<EventId> todo = new TreeSet<>();

        /** A dispatcher's repair rows: event, lost token. */
        final List<Commit> rows = new ArrayList<>();

        /** By incarnation: written whole, and not published. */
        final Map<Incarnation, Map<EventId, CommitToken>> workLogs = new HashMap<>();

        final Map<Incarnation, Map<EventId, CommitToken>> manifests = new HashMap<>();
        final Set<Incarnation> sealed = new HashSet<>();

        /** Made before the first commit. */
        final Set<Incarnation> directories = new HashSet<>();

        /** The joiner's memory: accepted, and not written. */
        final Map<EventId, CommitToken> accepted = new LinkedHashMap<>();

        @Nullable Incarnation me;
        private @Nullable Repair repairing;
        private long sequence;

        Datacenter(String name) {
            this.name = name;
        }

        /** Its process is gone, with what it had in memory. */
        void crash() {
            me = null;
            accepted.clear();
        }

        boolean live() {
            if (me == null) {
                me = register(this);
                if (me != null) {
                    directories.add(me);
                }
            }
            return me != null;
        }

        /** One attempt at one event that is to be done. */
        void attempt() {
            if (todo.isEmpty() || !live()) {
                return;
            }
            List<EventId> all = new ArrayList<>(todo);
            EventId id = all.get(random.nextInt(all.size()));
            if (!accepted.containsKey(id)) {
                commit(id);
            }
        }

        /** True if another attempt has it. */
        private boolean commit(EventId id) {
            Incarnation mine = java.util.Objects.requireNonNull(me);
            CommitToken matched = CommitToken.of(mine, ++sequence);
            CommitToken token = random.nextInt(3) == 0 ? matched.asUnmatched() : matched;
            Commit commit = new Commit(id, token);
            ShardResults.Committed answer =
                    ShardResults.commit(
                            apply(
                                    owner(id),
                                    ShardEntries.commit(
                                            Packed.ids(List.of(id)),
                                            Packed.tokens(List.of(commit.token())))));
            switch (answer.outcomes().byteAt(0)) {
                case Outcome.ACCEPTED_VALUE -> {
                    accepted.put(id, token);
                    todo.add(id); // until it is written
                }
                case Outcome.TAKEN_VALUE -> {
                    if (Packed.tokens(answer.holders()).contains(CommitToken.JOIN_UNMATCHED)) {
                        return false; // nobody has it: a later attempt is an unmatched one
                    }
                    todo.remove(id);
                    return true;
                }
                case Outcome.FENCED_VALUE -> crash();
                default -> {}
            }
            return false;
        }

        void processRow() {
            if (rows.isEmpty() || !live()) {
                return;
            }
            Commit row = rows.get(random.nextInt(rows.size()));
            byte[] removed =
                    apply(
                            owner(row.id()),
                            ShardEntries.remove(
                                    Packed.ids(List.of(row.id())),
                                    Packed.tokens(List.of(row.token()))));
            boolean gone =
                    ShardResults.remove(removed).byteAt(0)
                            == photon.proto.v1.RemoveOutcome.REMOVED_VALUE;
            // It stays until its event is written, here or by another attempt.
            if (gone && !accepted.containsKey(row.id()) && commit(row.id())) {
                rows.remove(row);
            }
        }

        /** Writes one accepted event; its dispatcher is answered. */
        void write() {
            if (accepted.isEmpty() || me == null) {
                return;
            }
            if (sealed.contains(me)) {
                crash();
                return;
            }
            EventId id = accepted.keySet().iterator().next();
            workLogs.computeIfAbsent(me, i -> new LinkedHashMap<>()).put(id, accepted.remove(id));
            todo.remove(id);
        }

        void publish(@Nullable Incarnation of) {
            Map<EventId, CommitToken> log = of == null ? null : workLogs.remove(of);
            if (of != null && log != null) {
                manifests.computeIfAbsent(of, i -> new LinkedHashMap<>()).putAll(log);
                log.forEach(
                        (id, token) ->
                                output.computeIfAbsent(id, i -> new ArrayList<>()).add(token));
            }
        }

        void seal(Incarnation of) {
            sealed.add(of);
            publish(of);
        }

        /** One step of the repair of an incarnation that is open and not live. */
        void repair() {
            if (repairing == null) {
                repairing = begun();
            } else if (repairing.step()) {
                repairing = null;
            }
        }

        private @Nullable Repair begun() {
            if (control.isRestoring()) {
                // A fence waits for its end.
                return null;
            }
            for (IncarnationInfo info : control.incarnations(PIPELINE, name + "/")) {
                if (info.getState() == IncarnationState.OPEN && info.getFenced()) {
                    return new Repair(this, info.getIncarnation());
                }
            }
            return null;
        }
    }

    /** Goes on shard by shard, whatever becomes of the registry meanwhile. */
    private final class Repair {
        private final Datacenter at;
        private final photon.proto.v1.Incarnation named;
        private final Incarnation of;
        private final int life = control.lostSlots();
        private final Map<Integer, Integer> fences = control.fenceTable(PIPELINE);
        private final List<Shard> left = new ArrayList<>(shards.keySet());
        private final List<Commit> lost = new ArrayList<>();

        Repair(Datacenter at, photon.proto.v1.Incarnation named) {
            this.at = at;
            this.named = named;
            this.of = new Incarnation(named.getSlot(), named.getGeneration());
        }

        /** True when it has ended. */
        boolean step() {
            if (left.isEmpty()) {
                at.rows.addAll(lost);
                lost.clear();
                return marked();
            }
            ShardState state = shards.get(left.get(0));
            boolean goesOn = fault == Fault.REPAIR_GOES_ON;
            if (state == null || (state.map() == null && !goesOn)) {
                return false; // asked again
            }
            if (control.lostSlots() > life && !goesOn) {
                return true; // refused: it begins anew
            }
            at.seal(of);
            apply(left.get(0), ShardEntries.fence(fences));
            Map<EventId, CommitToken> mine = at.manifests.getOrDefault(of, Map.of());
            for (Commit held : state.scan(of, null, 10_000).held()) {
                if (!held.token().equals(mine.get(held.id()))) {
                    lost.add(held);
                }
            }
            left.remove(0);
            return false;
        }

        private boolean marked() {
            try {
                return SetIncarnationStateResponse.parseFrom(
                                        decide(
                                                ControlEntries.setState(
                                                        SetIncarnationStateRequest.newBuilder()
                                                                .setPipeline(UUID_BYTES)
                                                                .setIncarnation(named)
                                                                .setState(IncarnationState.REPAIRED)
                                                                .setLife(
                                                                        fault
                                                                                        == Fault
                                                                                                .REPAIR_GOES_ON
                                                                                ? control
                                                                                        .lostSlots()
                                                                                : life)
                                                                .build())))
                                .getProgress()
                        == Progress.DECIDED;
            } catch (InvalidProtocolBufferException e) {
                throw new AssertionError(e);
            }
        }
    }

    RestoreWorld(long seed, Fault fault) {
        this.random = new Random(seed);
        this.fault = fault;
        decide(
                ControlEntries.openPipeline(
                        OpenPipelineRequest.newBuilder()
                                .setName("ads")
                                .setUuid(UUID_BYTES)
                                .setIdentityFingerprint("f")
                                .setShards(2)
                                .build()));
        for (String name : List.of("east", "west")) {
            datacenters.put(name, new Datacenter(name));
        }
        makeShards();
        upkeep();
    }

    private void makeShards() {
        shards.clear();
        control.describe("ads")
                .orElseThrow()
                .map()
                .shards()
                .forEach(shard -> shards.put(shard, new ShardState()));
    }

    static EventId id(int number) {
        return EventId.ofUser(1_000 + number, UserKey.of(List.of("e" + number)));
    }

    private Shard owner(EventId id) {
        return control.describe("ads").orElseThrow().map().owner(id);
    }

    private ShardState state(Shard shard) {
        return java.util.Objects.requireNonNull(shards.get(shard));
    }

    private byte[] decide(byte[] entry) {
        return control.apply(++index, ByteBuffer.wrap(entry));
    }

    private byte[] apply(Shard shard, byte[] entry) {
        return state(shard).apply(++index, ByteBuffer.wrap(entry));
    }

    private @Nullable Incarnation register(Datacenter at) {
        try {
            RegisterResponse answer =
                    RegisterResponse.parseFrom(
                            decide(
                                    ControlEntries.register(
                                            RegisterRequest.newBuilder()
                                                    .setPipeline(UUID_BYTES)
                                                    .setSlotName(at.name + "/joiner-0")
                                                    .setNonce(
                                                            ByteString.copyFromUtf8(
                                                                    "nonce-" + ++nonces))
                                                    .setIdentityFingerprint("f")
                                                    .setOutputId("out-" + at.name)
                                                    .build())));
            return answer.getProgress() == Progress.DECIDED && answer.hasIncarnation()
                    ? new Incarnation(
                            answer.getIncarnation().getSlot(),
                            answer.getIncarnation().getGeneration())
                    : null;
        } catch (InvalidProtocolBufferException e) {
            throw new AssertionError(e);
        }
    }

    /** What leaders of shards do by themselves. */
    void upkeep() {
        if (control.isRestoring()
                && !(fault == Fault.NOT_WAITED_FOR && !shards.isEmpty() && loadedAll)) {
            return;
        }
        ShardUpkeep.Decided decided =
                ShardUpkeep.Decided.of(control, control.describe("ads").orElseThrow());
        shards.forEach(
                (shard, state) -> {
                    byte[] missing = ShardUpkeep.missing(decided, shard, state);
                    if (missing != null) {
                        apply(shard, missing);
                    }
                });
    }

    private boolean loadedAll;

    /** Something happens. */
    void step() {
        List<Datacenter> all = new ArrayList<>(datacenters.values());
        Datacenter at = all.get(random.nextInt(all.size()));
        switch (random.nextInt(24)) {
            case 0 -> at.crash();
            case 1, 2 -> at.repair();
            case 3, 4, 5 -> at.processRow();
            case 6, 7 -> at.publish(at.me);
            case 8 -> upkeep();
            case 9, 10, 11, 12, 13, 14 -> at.write();
            default -> at.attempt();
        }
    }

    void steps(int count) {
        for (int i = 0; i < count; i++) {
            step();
        }
    }

    /** Cut at different moments. */
    record Taken(byte[] control, Map<Shard, MemorySnapshot> shards) {}

    Taken backup() throws IOException {
        byte[] first = bytes(MemorySnapshot.of(control, null));
        Map<Shard, MemorySnapshot> cuts = new TreeMap<>();
        List<Shard> order = new ArrayList<>(shards.keySet());
        Collections.shuffle(order, random);
        for (Shard shard : order) {
            steps(random.nextInt(12));
            cuts.put(shard, MemorySnapshot.of(state(shard), null));
        }
        steps(random.nextInt(12));
        byte[] last = bytes(MemorySnapshot.of(control, null));
        return new Taken(fault == Fault.CONTROL_FIRST ? first : last, cuts);
    }

    private static byte[] bytes(MemorySnapshot snapshot) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        try (InputStream in = snapshot.file(StateFile.NAME).open()) {
            in.transferTo(all);
        }
        return all.toByteArray();
    }

    private RestoreResponse restore(RestoreRequest.Builder step) {
        try {
            RestoreResponse answer =
                    RestoreResponse.parseFrom(
                            decide(ControlEntries.restore(step.setRestore(RESTORE).build())));
            assertThat(answer.getVerdict()).isEqualTo(RestoreResponse.Verdict.STANDS);
            if (random.nextInt(4) == 0) {
                // A replica that starts anew.
                ControlState again = new ControlState();
                again.restore(MemorySnapshot.of(control, null));
                control = again;
            }
            return answer;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** All servers' disks are gone. */
    void lose() {
        control = new ControlState();
        shards.clear();
        index = 0;
        loadedAll = false;
    }

    /** Brings it back, while the datacenters go on with whatever they have. */
    void restore(Taken backup) throws IOException {
        byte[] content = backup.control();
        restore(
                RestoreRequest.newBuilder()
                        .setBegin(
                                RestoreBegin.newBuilder()
                                        .setBytes(content.length)
                                        .setSha256(Sha256.of(content))
                                        .addDatacenters("east")
                                        .addDatacenters("west")));
        for (int from = 0; from < content.length; from += 100) {
            int to = Math.min(content.length, from + 100);
            for (int copies = random.nextInt(2); copies >= 0; copies--) {
                restore(
                        RestoreRequest.newBuilder()
                                .setPiece(
                                        RestorePiece.newBuilder()
                                                .setOffset(from)
                                                .setBytes(
                                                        ByteString.copyFrom(
                                                                content, from, to - from))));
            }
        }
        makeShards();
        steps(5);
        List<Runnable> late = new ArrayList<>();
        for (Map.Entry<Shard, MemorySnapshot> cut : backup.shards().entrySet()) {
            load(cut.getKey(), cut.getValue(), late);
        }
        loadedAll = true;
        restore(RestoreRequest.newBuilder().setLoaded(RestoreLoaded.getDefaultInstance()));
        steps(20);
        List<Datacenter> order = new ArrayList<>(datacenters.values());
        Collections.shuffle(order, random);
        for (Datacenter at : order) {
            report(at, late);
            steps(20);
            upkeep();
        }
        assertThat(control.isRestoring()).isFalse();
        upkeep();
        late.forEach(Runnable::run);
    }

    private void load(Shard shard, MemorySnapshot cut, List<Runnable> late) throws IOException {
        ShardState from = new ShardState();
        from.restore(cut);
        byte[] head =
                ShardEntries.restoreHead(
                        control.describe("ads").orElseThrow().map(),
                        shard,
                        control.restoreStatus().getSlotsBelow(),
                        from.boundaryMicros(),
                        from.maxAcceptedMicros());
        apply(shard, head);
        var page = from.scan(null, Long.MIN_VALUE, Long.MAX_VALUE, null, 100_000);
        if (page.size() > 0) {
            byte[] rows =
                    ShardEntries.restoreBackup(
                            ByteString.copyFrom(page.ids()), ByteString.copyFrom(page.holders()));
            apply(shard, rows);
            late.add(() -> apply(shard, rows));
        }
        late.add(() -> apply(shard, head));
    }

    private void report(Datacenter at, List<Runnable> late) {
        Set<Incarnation> there = new HashSet<>(at.directories);
        RestoreReported.Builder reported =
                RestoreReported.newBuilder()
                        .setPipeline(UUID_BYTES)
                        .setDatacenter(at.name)
                        .setOutputId("out-" + at.name);
        for (Incarnation of : there) {
            at.seal(of);
            reported.addSlots(
                    SlotSeen.newBuilder().setSlot(of.slot()).setGeneration(of.generation()));
            at.manifests
                    .getOrDefault(of, Map.of())
                    .forEach(
                            (id, token) -> {
                                ByteString ids = Packed.ids(List.of(id));
                                ByteString tokens = Packed.tokens(List.of(token));
                                byte[] rows =
                                        fault == Fault.BACKUPS_HOLDER_STAYS
                                                ? ShardEntries.restoreBackup(ids, tokens)
                                                : ShardEntries.restorePublished(ids, tokens);
                                Shard shard = owner(id);
                                apply(shard, rows);
                                late.add(() -> apply(shard, rows));
                            });
        }
        restore(RestoreRequest.newBuilder().setReported(reported));
    }

    /** Until nothing is left to do. */
    void settle(int events) {
        if (fault != Fault.NOT_READ_AGAIN) {
            for (int n = 0; n < events; n++) {
                int number = n;
                datacenters.values().forEach(at -> at.todo.add(id(number)));
            }
        }
        for (int round = 0; round < 400; round++) {
            upkeep();
            for (Datacenter at : datacenters.values()) {
                at.live();
                at.repair();
                for (int i = 0; i < 20; i++) {
                    at.processRow();
                    at.attempt();
                    at.write();
                }
                at.publish(at.me);
            }
        }
        for (Datacenter at : datacenters.values()) {
            assertThat(at.todo).as(at.name).isEmpty();
            assertThat(at.rows).as(at.name).isEmpty();
        }
    }
}
