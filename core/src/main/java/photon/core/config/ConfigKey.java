package photon.core.config;

import java.util.Optional;

/**
 * One key of a configuration file, as the code that reads it asks for it. The reference of all keys
 * is made from these (docs/configuration-reference.md), and so is their schema for editors
 * (docs/photon.schema.json).
 *
 * @param path such as {@code limits.cacheBytes}
 * @param kind what is written there
 * @param values what it may hold, as messages say it; empty: not known yet
 * @param otherwise what holds where it is absent
 */
record ConfigKey(String path, Kind kind, String values, Optional<String> otherwise) {
    /** The forms of a value. */
    enum Kind {
        /** Not known: the key is only looked for. */
        ANY,
        MAPPING,
        MAPPINGS,
        TEXT,
        /** One text, or a list of them. */
        TEXTS,
        /** From names of the user's to a text, or a list of them. */
        TEXTS_BY_NAME,
        FLAG,
        NUMBER,
        DURATION,
        SIZE
    }

    /** A key that is read only if it is there. */
    static ConfigKey optional(String path) {
        return new ConfigKey(path, Kind.ANY, "", Optional.empty());
    }
}
