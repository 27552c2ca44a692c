package photon.eventstore.index;

import java.util.List;
import java.util.NavigableMap;
import org.jspecify.annotations.Nullable;

/**
 * What a lookup looks through, as of one moment. What is not in it any more may be deleted while a
 * lookup reads.
 *
 * @param number of the view: another one has another
 * @param active takes new rows
 * @param frozen is being sealed; null: none is
 * @param parts oldest first; later ones have later positions
 * @param segments by number
 */
record IndexView(
        long number,
        RecentTable active,
        @Nullable RecentTable frozen,
        List<PartFile> parts,
        NavigableMap<Long, SegmentFile> segments) {

    /** Events in the part's segments that are held, repeats among them. */
    long live(PartFile part) {
        return segments.subMap(part.range().from(), true, part.range().to(), true).values().stream()
                .mapToLong(segment -> segment.stat().events())
                .sum();
    }

    /**
     * False: the position was put after this view was taken, in a segment that it does not have.
     */
    boolean reaches(long position) {
        return RecordPosition.segment(position) <= segments.lastKey();
    }

    /**
     * The position of the record at this place; 0: there is none.
     *
     * @param into has room for a block of a part
     */
    long find(Place place, byte[] into) throws java.io.IOException {
        long position = active.find(place.high(), place.low());
        if (position == 0 && frozen != null) {
            position = frozen.find(place.high(), place.low());
        }
        for (int i = parts.size() - 1; i >= 0 && position == 0; i--) {
            position = parts.get(i).find(place.high(), place.low(), into);
        }
        return position;
    }
}
