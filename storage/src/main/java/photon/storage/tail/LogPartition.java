package photon.storage.tail;

import static photon.core.error.Checks.check;

import com.google.common.hash.Hashing;
import java.nio.charset.StandardCharsets;
import photon.storage.files.FileStore.FileInfo;

/**
 * A part of a stream's log files, by the hash of their identity: a file stays in its partition when
 * it is renamed, and all machines put it into the same.
 *
 * @param index from 0 on
 * @param count of partitions
 */
public record LogPartition(int index, int count) {
    /** All files. */
    public static final LogPartition WHOLE = new LogPartition(0, 1);

    /**
     * In a local file system's keys, behind the device, which has another number on each machine.
     */
    private static final char DEVICE_END = ':';

    public LogPartition {
        check(
                index >= 0 && index < count,
                "Expected one of %s partitions, but got %s",
                count,
                index);
    }

    /** Whether the file is in it. */
    public boolean has(FileInfo file) {
        if (count == 1) {
            return true;
        }
        String key = file.key();
        String same = key.substring(key.lastIndexOf(DEVICE_END) + 1);
        long hash = Hashing.murmur3_128().hashString(same, StandardCharsets.UTF_8).asLong();
        return Math.floorMod(hash, count) == index;
    }
}
