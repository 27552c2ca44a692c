package photon.registry.admin.backup;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import photon.core.error.IoText;
import photon.core.id.EventId;
import photon.idregistry.replicated.SnapshotReader;
import photon.idregistry.shard.ShardState;
import photon.idregistry.table.IdPage;
import photon.storage.files.UnavailableException;

/** Reads all that a shard's snapshot holds. */
final class ShardPages {
    private ShardPages() {}

    static void read(ShardState state, SnapshotReader from, int rows, Backup.Pages pages)
            throws IOException {
        try {
            state.restore(from);
        } catch (DamagedBackupException | UnavailableException e) {
            throw e;
        } catch (IOException e) {
            throw new DamagedBackupException("A shard cannot be read: " + IoText.of(e));
        }
        @Nullable EventId after = null;
        boolean more = true;
        while (more) {
            IdPage page = state.scan(null, Long.MIN_VALUE, Long.MAX_VALUE, after, rows);
            more = page.more();
            after = more ? page.resumeAfter() : null;
            if (page.size() > 0) {
                pages.page(
                        state,
                        new Backup.Page(bytes(page.ids()), bytes(page.holders()), page.size()));
            }
        }
    }

    private static byte[] bytes(ByteBuffer packed) {
        byte[] copy = new byte[packed.remaining()];
        packed.duplicate().get(copy);
        return copy;
    }
}
