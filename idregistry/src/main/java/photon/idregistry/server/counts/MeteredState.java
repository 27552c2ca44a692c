package photon.idregistry.server.counts;

import java.io.IOException;
import java.nio.ByteBuffer;
import photon.idregistry.replicated.FrozenState;
import photon.idregistry.replicated.ReplicatedState;
import photon.idregistry.replicated.SnapshotReader;
import photon.idregistry.replicated.SnapshotWriter;

/** A state of which is measured how long it takes for what it does, which changes nothing else. */
public final class MeteredState implements ReplicatedState {
    private final ReplicatedState state;
    private final StateMeter meter;

    public MeteredState(ReplicatedState state, StateMeter meter) {
        this.state = state;
        this.meter = meter;
    }

    /** The state itself. */
    public static ReplicatedState within(ReplicatedState state) {
        return state instanceof MeteredState metered ? metered.state : state;
    }

    @Override
    public byte[] apply(long index, ByteBuffer entry) {
        long begun = meter.nanoTime();
        byte[] result = state.apply(index, entry);
        meter.applied(begun);
        return result;
    }

    @Override
    public long lastIndex() {
        return state.lastIndex();
    }

    @Override
    public FrozenState freeze() {
        long begun = meter.nanoTime();
        FrozenState frozen = state.freeze();
        meter.frozen(begun);
        return new FrozenState() {
            @Override
            public void write(SnapshotWriter to) throws IOException {
                long writingSince = meter.nanoTime();
                frozen.write(to);
                meter.written(writingSince);
            }

            @Override
            public void close() {
                frozen.close();
            }
        };
    }

    @Override
    public void restore(SnapshotReader from) throws IOException {
        state.restore(from);
    }

    @Override
    public void close() {
        state.close();
    }
}
