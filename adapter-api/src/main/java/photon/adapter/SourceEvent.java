package photon.adapter;

import java.util.Optional;

/** An event of an input log, as an adapter sees it. Immutable. */
public interface SourceEvent {
    /** For people: the id fields joined by ':'. */
    String id();

    /** When it happened, microseconds since 1970 UTC. */
    long timestampMicros();

    /** The record's fields: one JSON object, UTF-8. A copy. */
    byte[] json();

    /** A field by dotted path, as text; empty if it is not there or null. */
    Optional<String> field(String path);
}
