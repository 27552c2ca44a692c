package photon.storage.format;

import photon.core.event.LogEvent;

/** What a record turned out to be. */
public sealed interface Parsed {
    /** Nothing to do: filtered out, a comment, a header, an empty line. */
    Parsed FILTERED = new Filtered();

    /** An event with a usable identity. */
    record Event(LogEvent event) implements Parsed {}

    /** See {@link #FILTERED}. */
    record Filtered() implements Parsed {}

    /**
     * A record without a usable identity.
     *
     * @param reason for people: names the field, its value and what was expected
     */
    record Bad(String reason, BadCause cause) implements Parsed {
        public Bad(String reason) {
            this(reason, BadCause.OTHER);
        }
    }
}
