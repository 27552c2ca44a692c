package photon.dispatcher.rules;

import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import photon.storage.files.FileStore.FileInfo;
import photon.storage.tail.FilePosition;

/**
 * Positions under the keys that their files have here and now. On NFS what stands in a key before
 * the file's number is another one on each machine, and after each start of one, so a checkpoint
 * may have several positions of one file. A tail goes by the furthest, and so does a reset: what it
 * left under another key would undo it.
 */
public final class PositionsThere {
    private PositionsThere() {}

    /**
     * @param there files by key
     * @return one position a key, in their order; the key of one that no file there can have is as
     *     it was
     */
    public static List<FilePosition> of(
            Map<String, FileInfo> there, Collection<FilePosition> positions) {
        Map<String, Optional<String>> keys = new HashMap<>();
        for (String key : there.keySet()) {
            // Empty: two file systems have a file of this number.
            keys.merge(
                    FilePosition.number(key), Optional.of(key), (one, other) -> Optional.empty());
        }
        Map<String, FilePosition> found = new LinkedHashMap<>();
        for (FilePosition position : positions) {
            String key = position.key();
            if (!there.containsKey(key)) {
                key = keys.getOrDefault(FilePosition.number(key), Optional.empty()).orElse(key);
            }
            found.merge(
                    key,
                    position.under(key),
                    (one, other) -> one.offset() >= other.offset() ? one : other);
        }
        return List.copyOf(found.values());
    }
}
