package photon.idregistry.table;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import photon.idregistry.replicated.FrozenState;
import photon.idregistry.replicated.MemorySnapshot;
import photon.idregistry.replicated.SnapshotWriter;

/** A table's snapshot in memory. */
record Snapshot(MemorySnapshot files, byte[] list, long boundary, long index) {
    static Snapshot write(FrozenTable table, long boundary, long index, @Nullable Snapshot previous)
            throws IOException {
        ByteArrayOutputStream list = new ByteArrayOutputStream();
        FrozenState state =
                new FrozenState() {
                    @Override
                    public void write(SnapshotWriter to) throws IOException {
                        table.write(to, new DataOutputStream(list));
                    }

                    @Override
                    public void close() {
                        table.close();
                    }
                };
        try (state) {
            MemorySnapshot files =
                    MemorySnapshot.of(state, previous == null ? null : previous.files);
            return new Snapshot(files, list.toByteArray(), boundary, index);
        }
    }

    void restore(IdTable into) throws IOException {
        into.restore(new DataInputStream(new ByteArrayInputStream(list)), files, boundary, index);
    }
}
