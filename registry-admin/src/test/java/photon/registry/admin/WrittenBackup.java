package photon.registry.admin;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.core.id.Packed;
import photon.idregistry.replicated.MemorySnapshot;
import photon.idregistry.replicated.ReplicatedState;
import photon.idregistry.shard.ShardEntries;
import photon.registry.admin.backup.Backup;
import photon.registry.admin.backup.BackupPlace;
import photon.registry.admin.backup.BackupWriter;

/** A backup on disk, of one shard. */
final class WrittenBackup {
    private WrittenBackup() {}

    /** One that holds one id. */
    static Backup write(BackupPlace directory) throws IOException {
        return write(directory, new EventId(5, 1, 2, 3), new CommitToken(1, 1, 1));
    }

    static Backup write(BackupPlace directory, EventId id, CommitToken token) throws IOException {
        RestoredRegistry registry = new RestoredRegistry();
        registry.apply(
                ShardEntries.restorePublished(
                        Packed.ids(List.of(id)), Packed.tokens(List.of(token))));
        BackupWriter writer = BackupWriter.create(directory);
        write(writer.shard(RestoredRegistry.PIPELINE, RestoredRegistry.SHARD), registry.shard);
        write(writer.control(), registry.control());
        writer.finish("now");
        return Backup.open(directory);
    }

    private static void write(BackupWriter.Group group, ReplicatedState state) throws IOException {
        MemorySnapshot snapshot = MemorySnapshot.of(state, null);
        for (String name : snapshot.names()) {
            group.file(
                    name,
                    out -> {
                        try (InputStream in = snapshot.file(name).open()) {
                            in.transferTo(out);
                        }
                    });
        }
        group.finish(1, state.lastIndex());
    }
}
