package photon.registry.admin.backup;

import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import photon.registry.api.RegistryClient.Shard;

/**
 * One group of a backup.
 *
 * @param pipeline null: the control group
 * @param shard null: the control group
 * @param term of the last entry that is in it
 * @param index of the last entry that is in it
 */
public record BackupGroup(
        @Nullable UUID pipeline,
        @Nullable Shard shard,
        long term,
        long index,
        List<StoredBytes> files) {

    /**
     * A file.
     *
     * @param name as the snapshot has it
     * @param sha256 hex, of the whole file
     */
    public record StoredBytes(String name, long length, String sha256) {}

    public BackupGroup {
        files = List.copyOf(files);
    }

    /** Its folder in the backup. */
    public String folder() {
        return folder(pipeline, shard);
    }

    /** The folder of a group; of the control group's if both are null. */
    public static String folder(@Nullable UUID pipeline, @Nullable Shard shard) {
        return pipeline == null || shard == null
                ? "control"
                : pipeline + "-" + shard.epoch() + "-" + shard.number();
    }
}
