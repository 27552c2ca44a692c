package photon.server.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import photon.core.error.ConfigException;

/**
 * Whether a directory may be a local run's state: empty, or made by one. Whose state it is, the
 * identity in it tells later; this keeps Photon's files from being mixed with a stranger's.
 */
final class StateOwner {
    private static final String IDENTITY = "identity.json";

    /** What a run may have made that ended before it wrote the identity. */
    private static final Set<String> MADE_BEFORE = Set.of("_lock", "registry");

    private StateOwner() {}

    /**
     * @throws ConfigException if something stands there that is not Photon's (names that begin with
     *     a dot do not count)
     */
    static void check(Path state) throws IOException {
        if (!Files.isDirectory(state)) {
            return;
        }
        List<String> names;
        try (Stream<Path> entries = Files.list(state)) {
            names = entries.map(entry -> entry.getFileName().toString()).sorted().toList();
        }
        if (names.contains(IDENTITY)) {
            return;
        }
        for (String name : names) {
            if (!MADE_BEFORE.contains(name)
                    && !name.startsWith(IDENTITY)
                    && !name.startsWith(".")) {
                throw new ConfigException(
                        "State directory %s is not Photon's: expected it empty or with %s, but it holds %s. Choose another directory."
                                .formatted(state, IDENTITY, name));
            }
        }
    }
}
