package photon.idregistry.raft;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import photon.idregistry.replicated.FrozenState;
import photon.idregistry.replicated.ReplicatedState;
import photon.idregistry.replicated.SnapshotReader;
import photon.idregistry.replicated.SnapshotWriter;
import photon.idregistry.replicated.StateFile;
import photon.idregistry.replicated.StoredFile;

/**
 * Sums by slot, a file each, named after the entry that changed it last; the files that did not
 * change are carried over. With a file of its own it links that one too.
 */
public final class SlotState implements ReplicatedState {
    static final int SLOTS = 4;

    public final long[] sums = new long[SLOTS];
    final long[] changed = new long[SLOTS];
    final @Nullable Path linked;

    /** Hears of each step of a write in another thread: "begin", "end". */
    Consumer<String> writing = step -> {};

    private long lastIndex;
    private long lastToken;

    public SlotState() {
        this(null);
    }

    public SlotState(@Nullable Path linked) {
        this.linked = linked;
    }

    public static byte[] entry(int slot, long number) {
        return ByteBuffer.allocate(12).putInt(slot).putLong(number).array();
    }

    /** Of a writer that asks again with the token it has, and goes on with a higher one. */
    public static byte[] entry(int slot, long number, long token) {
        return ByteBuffer.allocate(20).putInt(slot).putLong(number).putLong(token).array();
    }

    @Override
    public byte[] apply(long index, ByteBuffer entry) {
        int slot = entry.getInt();
        long number = entry.getLong();
        SumState.checkOnce(index, lastIndex);
        lastIndex = index;
        if (isNew(entry)) {
            sums[slot] += number;
            changed[slot] = index;
        }
        return SumState.entry(sums[slot]);
    }

    private boolean isNew(ByteBuffer token) {
        if (!token.hasRemaining()) {
            return true;
        }
        long its = token.getLong();
        boolean isNew = its > lastToken;
        lastToken = Math.max(lastToken, its);
        return isNew;
    }

    @Override
    public long lastIndex() {
        return lastIndex;
    }

    public long sum() {
        return Arrays.stream(sums).sum();
    }

    @Override
    public FrozenState freeze() {
        long[] sumsThen = sums.clone();
        long[] changedThen = changed.clone();
        byte[] head =
                StateFile.bytes(
                        out -> {
                            out.writeLong(lastIndex);
                            out.writeLong(lastToken);
                            for (long index : changedThen) {
                                out.writeLong(index);
                            }
                        });
        return new FrozenState() {
            @Override
            public void write(SnapshotWriter to) throws IOException {
                writing.accept("begin");
                StateFile.write(head, to);
                for (int slot = 0; slot < SLOTS; slot++) {
                    if (!to.reuse(file(slot, changedThen[slot]))) {
                        try (DataOutputStream out =
                                new DataOutputStream(to.create(file(slot, changedThen[slot])))) {
                            for (int i = 0; i < 5_000; i++) {
                                out.writeLong(sumsThen[slot]);
                            }
                        }
                    }
                }
                if (linked != null) {
                    to.link("linked", new Linked(linked));
                }
                writing.accept("end");
            }

            @Override
            public void close() {
                writing.accept("closed");
            }
        };
    }

    private static String file(int slot, long changed) {
        return "slot-" + slot + "." + changed;
    }

    @Override
    public void restore(SnapshotReader from) throws IOException {
        StateFile.read(
                from,
                in -> {
                    lastIndex = in.readLong();
                    lastToken = in.readLong();
                    for (int slot = 0; slot < SLOTS; slot++) {
                        changed[slot] = in.readLong();
                    }
                });
        for (int slot = 0; slot < SLOTS; slot++) {
            StoredFile file = from.file(file(slot, changed[slot]));
            try (DataInputStream in = new DataInputStream(file.open())) {
                sums[slot] = in.readLong();
            }
        }
    }

    private record Linked(Path path) implements StoredFile {
        @Override
        public java.io.InputStream open() throws IOException {
            return Files.newInputStream(path);
        }

        @Override
        public long size() throws IOException {
            return Files.size(path);
        }
    }
}
