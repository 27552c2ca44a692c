package photon.idregistry.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.core.id.Packed;
import photon.idregistry.control.ControlState;
import photon.idregistry.control.PipelineView;
import photon.idregistry.replicated.MemorySnapshot;
import photon.idregistry.replicated.ReplicatedState;
import photon.idregistry.shard.ShardEntries;
import photon.idregistry.shard.ShardState;
import photon.idregistry.table.IdPage;

/**
 * Guards what is on disks already: logs, snapshots, and the rules by which a replica replays them.
 * For each kind of group the resources hold a log ({@code .log}: each entry behind its length), a
 * snapshot of the state after it ({@code .snapshot}, a {@link PackedSnapshot}), and in {@code .txt}
 * the result of each entry and the state at the end.
 *
 * <p>A failure means that a replica with this code differs from one that ran before. Once Photon is
 * released, that takes a new kind of entry or a new version beside the old one. Until then, write
 * the files anew, and say why in the commit:
 *
 * <pre>
 * mvn -pl idregistry -am test -Dtest=StoredLogsTest -Dsurefire.failIfNoSpecifiedTests=false \\
 *     -Dphoton.stored-logs.write=true
 * </pre>
 */
class StoredLogsTest {
    private static final boolean WRITE = Boolean.getBoolean("photon.stored-logs.write");
    private static final Path DIRECTORY = Path.of("src/test/resources/stored-logs");

    /** A group of which a log is stored. */
    enum Stored {
        SHARD,
        RESTORED_SHARD,
        UNMATCHED_SHARD,
        CONTROL;

        Path file(String suffix) {
            return DIRECTORY.resolve(name().toLowerCase(java.util.Locale.ROOT) + suffix);
        }

        ReplicatedState empty() {
            return this == CONTROL ? new ControlState() : new ShardState();
        }

        /** For {@link #WRITE} only: the test itself replays the file. */
        List<byte[]> entries() {
            return switch (this) {
                case SHARD ->
                        Stream.concat(
                                        RightInputs.shardEntries().stream(),
                                        Stream.of(
                                                // Fenced, taken, then too old.
                                                commit(7),
                                                commit(3),
                                                ShardEntries.advanceBoundary(1_001),
                                                commit(3)))
                                .toList();
                case RESTORED_SHARD -> RightInputs.restoredShardEntries();
                case UNMATCHED_SHARD -> unmatchedEntries();
                case CONTROL -> RightInputs.controlEntries();
            };
        }
    }

    /** Of feature level 4: two ids are held unmatched, and lost; one of them is joined again. */
    private static List<byte[]> unmatchedEntries() {
        ByteString lost = unmatched(2, 1);
        return List.of(
                RightInputs.shardEntries().get(0),
                ShardEntries.commit(RightInputs.ids(2), lost),
                ShardEntries.commit(RightInputs.ids(2), RightInputs.tokens(2, 2)),
                ShardEntries.fence(1, 1_000),
                ShardEntries.remove(RightInputs.ids(2), lost),
                ShardEntries.commit(RightInputs.ids(2), RightInputs.tokens(2, 2)),
                ShardEntries.commit(RightInputs.ids(1), unmatched(1, 2)),
                ShardEntries.remove(RightInputs.ids(2), lost),
                ShardEntries.restorePublished(RightInputs.ids(2), lost));
    }

    private static ByteString unmatched(int count, int slot) {
        return Packed.tokens(
                Packed.tokens(RightInputs.tokens(count, slot)).stream()
                        .map(CommitToken::asUnmatched)
                        .toList());
    }

    private static byte[] commit(int slot) {
        return ShardEntries.commit(RightInputs.ids(3), RightInputs.tokens(3, slot));
    }

    @ParameterizedTest
    @EnumSource
    void aStoredLogGivesTheResultsAndTheStateThatItGaveBefore(Stored group) throws IOException {
        if (WRITE) {
            write(group);
        }
        ReplicatedState state = group.empty();
        String results = replay(state, unpack(Files.readAllBytes(group.file(".log"))));
        assertThat(results + describe(state)).isEqualTo(Files.readString(group.file(".txt")));
        assertThat(snapshot(state))
                .as("a snapshot of that state")
                .isEqualTo(Files.readAllBytes(group.file(".snapshot")));
    }

    @ParameterizedTest
    @EnumSource
    void aStoredSnapshotGivesTheStateThatItHeld(Stored group) throws IOException {
        if (WRITE) {
            write(group);
        }
        byte[] stored = Files.readAllBytes(group.file(".snapshot"));
        ReplicatedState state = group.empty();
        state.restore(PackedSnapshot.unpack(stored));
        assertThat(Files.readString(group.file(".txt"))).endsWith("\n" + describe(state));
        assertThat(snapshot(state)).isEqualTo(stored);
    }

    private static void write(Stored group) throws IOException {
        Files.createDirectories(DIRECTORY);
        ReplicatedState state = group.empty();
        String results = replay(state, group.entries());
        Files.write(group.file(".log"), pack(group.entries()));
        Files.writeString(group.file(".txt"), results + describe(state));
        Files.write(group.file(".snapshot"), snapshot(state));
    }

    private static byte[] snapshot(ReplicatedState state) throws IOException {
        return PackedSnapshot.pack(MemorySnapshot.of(state, null));
    }

    private static byte[] pack(List<byte[]> entries) {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        for (byte[] entry : entries) {
            packed.writeBytes(ByteBuffer.allocate(4).putInt(entry.length).array());
            packed.writeBytes(entry);
        }
        return packed.toByteArray();
    }

    private static List<byte[]> unpack(byte[] packed) {
        List<byte[]> entries = new ArrayList<>();
        ByteBuffer in = ByteBuffer.wrap(packed);
        while (in.hasRemaining()) {
            byte[] entry = new byte[in.getInt()];
            in.get(entry);
            entries.add(entry);
        }
        return entries;
    }

    /** A line per entry: its index, and its result in hex. */
    private static String replay(ReplicatedState state, List<byte[]> entries) {
        StringBuilder results = new StringBuilder();
        for (byte[] entry : entries) {
            long index = state.lastIndex() + 1;
            byte[] result = state.apply(index, ByteBuffer.wrap(entry));
            results.append("result ").append(index).append(' ');
            results.append(HexFormat.of().formatHex(result)).append('\n');
        }
        return results.toString();
    }

    private static String describe(ReplicatedState state) {
        List<Object> lines = new ArrayList<>();
        lines.add("last index " + state.lastIndex());
        if (state instanceof ShardState shard) {
            describe(shard, lines);
        } else {
            describe((ControlState) state, lines);
        }
        StringBuilder text = new StringBuilder();
        lines.forEach(line -> text.append(String.valueOf(line).strip()).append('\n'));
        return text.toString();
    }

    private static void describe(ShardState shard, List<Object> lines) {
        lines.add("shard " + shard.self() + " of " + shard.map());
        lines.add("boundary " + shard.boundaryMicros());
        lines.add("highest accepted " + shard.maxAcceptedMicros());
        lines.add("prepared for " + shard.preparedAttempts());
        lines.add("fences " + shard.fenceTable() + ", lost slots " + shard.lostSlots());
        lines.add("commits " + shard.commitEntries() + " of ids " + shard.committedIds());
        lines.add("cancelled tokens " + shard.cancelledTokens());
        lines.add("removals forgotten " + shard.removalsForgotten());
        lines.addAll(shard.removals());
        lines.add("ids " + shard.ids().count());
        IdPage page = shard.scan(null, Long.MIN_VALUE, Long.MAX_VALUE, null, 1_000);
        ByteBuffer packedIds = page.ids();
        ByteBuffer holders = page.holders();
        while (packedIds.hasRemaining()) {
            EventId id = EventId.read(packedIds);
            byte[] bytes = id.toBytes();
            lines.add(HexFormat.of().formatHex(bytes) + " " + CommitToken.read(holders));
        }
    }

    private static void describe(ControlState control, List<Object> lines) {
        lines.add("passed " + control.passedMicros());
        for (PipelineView pipeline : control.pipelines()) {
            UUID uuid = pipeline.uuid();
            lines.add("pipeline " + pipeline);
            lines.add("fences " + control.fenceTable(uuid));
            lines.addAll(control.attempts(uuid));
            lines.addAll(control.incarnations(uuid, ""));
            lines.add("holder " + control.holder(uuid));
        }
        lines.addAll(control.dropped());
        lines.addAll(control.members());
        lines.add(control.roster());
        lines.add("restore " + control.restoreStatus() + ", lost slots " + control.lostSlots());
        lines.add("records forgotten " + control.auditForgotten());
        lines.addAll(control.audit());
    }
}
