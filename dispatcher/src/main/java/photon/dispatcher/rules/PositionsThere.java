package photon.dispatcher.rules;

import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiPredicate;
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
     * @param fits whether a file begins as the one did of which the position is; asked only where
     *     the number is the same, which says little by itself
     * @return one position a key, in their order. One that is of no file there is as it was: its
     *     log may come back, and a repair must know of it
     */
    public static List<FilePosition> of(
            Map<String, FileInfo> there,
            Collection<FilePosition> positions,
            BiPredicate<FileInfo, FilePosition> fits) {
        Map<String, Optional<FileInfo>> byNumber = new HashMap<>();
        // Empty: two file systems have a file of this number.
        there.values()
                .forEach(
                        file ->
                                byNumber.merge(
                                        FilePosition.number(file.key()),
                                        Optional.of(file),
                                        (one, other) -> Optional.empty()));
        Map<String, FilePosition> found = new LinkedHashMap<>();
        for (FilePosition position : positions) {
            String key =
                    there.containsKey(position.key())
                            ? position.key()
                            : byNumber.getOrDefault(
                                            FilePosition.number(position.key()), Optional.empty())
                                    .filter(file -> position.wasReadFrom())
                                    .filter(file -> fits.test(file, position))
                                    .map(FileInfo::key)
                                    .orElse(position.key());
            found.merge(
                    key,
                    position.under(key),
                    (one, other) -> one.offset() >= other.offset() ? one : other);
        }
        return List.copyOf(found.values());
    }
}
