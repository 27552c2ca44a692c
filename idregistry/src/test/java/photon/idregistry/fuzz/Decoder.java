package photon.idregistry.fuzz;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import photon.core.error.BugException;
import photon.core.id.Packed;
import photon.idregistry.control.ControlState;
import photon.idregistry.replicated.MemorySnapshot;
import photon.idregistry.replicated.ReplicatedState;
import photon.idregistry.shard.ShardResults;
import photon.idregistry.shard.ShardState;
import photon.registry.api.ShardMap;

/**
 * Each reader of bytes, as a test that takes any: what it throws but for its one documented
 * exception is a failure, and so is memory that is out of proportion.
 */
enum Decoder {
    /** {@link ShardState#apply}, of a shard that holds something of everything. */
    SHARD_ENTRY {
        @Override
        void read(byte[] bytes) {
            RightInputs.shard().apply(100, ByteBuffer.wrap(bytes));
        }
    },
    CONTROL_ENTRY {
        @Override
        void read(byte[] bytes) {
            RightInputs.control().apply(100, ByteBuffer.wrap(bytes));
        }
    },
    COMMIT_RESULT {
        @Override
        void read(byte[] bytes) {
            ShardResults.commit(bytes);
        }
    },
    PREPARE_RESULT {
        @Override
        void read(byte[] bytes) {
            ShardResults.prepare(bytes);
        }
    },
    SHARD_MAP {
        @Override
        void read(byte[] bytes) {
            ShardMap.read(ByteBuffer.wrap(bytes));
        }
    },
    PACKED_IDS {
        @Override
        void read(byte[] bytes) {
            Packed.ids(ByteString.copyFrom(bytes));
        }
    },
    PACKED_TOKENS {
        @Override
        void read(byte[] bytes) {
            Packed.tokens(ByteString.copyFrom(bytes));
        }
    },
    SHARD_SNAPSHOT {
        @Override
        void read(byte[] bytes) throws IOException {
            restore(new ShardState(), bytes);
        }
    },
    CONTROL_SNAPSHOT {
        @Override
        void read(byte[] bytes) throws IOException {
            restore(new ControlState(), bytes);
        }
    },
    /** All that a peer may send to a server: it answers, and its replicas apply what it let in. */
    REQUEST {
        @Override
        void read(byte[] bytes) throws InvalidProtocolBufferException {
            FuzzedServer.send(bytes);
        }
    };

    private static final long BYTES_MAX = 32 << 20;
    private static final long BYTES_A_BYTE_MAX = 4_096;

    /** A server's own requests never throw: what it is sent is no bug of its own. */
    private boolean mayThrow(Exception e) {
        return this == REQUEST
                ? e instanceof InvalidProtocolBufferException
                : e instanceof BugException || e instanceof IOException;
    }

    abstract void read(byte[] bytes) throws IOException;

    private static void restore(ReplicatedState state, byte[] bytes) throws IOException {
        state.restore(PackedSnapshot.unpack(bytes));
        // What was read can be used.
        MemorySnapshot.of(state, null);
        state.lastIndex();
    }

    /**
     * Reads it.
     *
     * @throws AssertionError if that ends as it must not
     */
    void check(byte[] bytes) {
        long max = BYTES_MAX + BYTES_A_BYTE_MAX * bytes.length;
        long allocated = allocatedBy(bytes);
        if (allocated > max) {
            // The first time it may be the classes.
            allocated = allocatedBy(bytes);
        }
        if (allocated > max) {
            throw new AssertionError(
                    "%s was given %s and took %,d bytes of memory"
                            .formatted(this, hex(bytes), allocated));
        }
    }

    /** Bytes of memory that it took. */
    private long allocatedBy(byte[] bytes) {
        long before = allocated();
        try {
            read(bytes);
        } catch (Exception e) {
            if (!mayThrow(e)) {
                throw new AssertionError(this + " was given " + hex(bytes) + " and threw " + e, e);
            }
        }
        return allocated() - before;
    }

    private static String hex(byte[] bytes) {
        return java.util.HexFormat.of().formatHex(bytes);
    }

    private static long allocated() {
        return ((com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean())
                .getCurrentThreadAllocatedBytes();
    }
}
