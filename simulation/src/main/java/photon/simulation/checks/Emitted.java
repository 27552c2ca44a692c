package photon.simulation.checks;

import photon.core.id.EventId;

/**
 * One joined event that would be right.
 *
 * @param event id of the foreign event
 * @param id under which it is joined: that of the foreign event, or the key of its upgrade
 * @param pair tells of which contents it was joined: all that an event gives is of one pair
 * @param output where it belongs; empty: the main output
 * @param ordinal among those of the event in this output, from 0
 * @param count how many the event gives in all outputs together
 * @param unmatched it is joined without its primary event
 */
record Emitted(
        EventId event,
        EventId id,
        String pair,
        String output,
        int ordinal,
        int count,
        String line,
        boolean unmatched) {
    /** One that is joined under the event's own id. */
    Emitted(
            EventId id,
            String pair,
            String output,
            int ordinal,
            int count,
            String line,
            boolean unmatched) {
        this(id, id, pair, output, ordinal, count, line, unmatched);
    }

    /** The event is joined without its primary event besides. */
    boolean upgrade() {
        return id.isUpgrade();
    }

    /** True for another of the same event with the same output and ordinal. */
    String place() {
        return output + "#" + ordinal;
    }
}
