package photon.core.config;

import java.util.Optional;

/**
 * One key of a configuration file, as the code that reads it asks for it. The reference of all keys
 * is made from these (docs/configuration-reference.md).
 *
 * @param path such as {@code limits.cacheBytes}
 * @param values what it may hold, as messages say it; empty: not known yet
 * @param otherwise what holds where it is absent
 */
record ConfigKey(String path, String values, Optional<String> otherwise) {
    /** A key that is read only if it is there. */
    static ConfigKey optional(String path) {
        return new ConfigKey(path, "", Optional.empty());
    }

    boolean isOnlyLookedFor() {
        return values.isEmpty();
    }
}
