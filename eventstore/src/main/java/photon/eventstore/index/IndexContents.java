package photon.eventstore.index;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What the index consists of now. Readers take a view, writers replace it. Thread-safe. */
final class IndexContents {
    private volatile IndexView view;

    IndexContents(RecentTable active, List<PartFile> parts, Collection<SegmentFile> segments) {
        NavigableMap<Long, SegmentFile> byNumber = new TreeMap<>();
        segments.forEach(segment -> byNumber.put(segment.number(), segment));
        this.view =
                new IndexView(
                        1,
                        active,
                        null,
                        List.copyOf(parts),
                        Collections.unmodifiableNavigableMap(byNumber));
    }

    IndexView view() {
        return view;
    }

    /** Whether nothing has changed since this view was taken. */
    boolean isCurrent(IndexView taken) {
        return view.number() == taken.number();
    }

    /** A segment has ended, and the next one is begun. */
    synchronized void rolled(SegmentFile ended, SegmentFile next) {
        NavigableMap<Long, SegmentFile> segments = new TreeMap<>(view.segments());
        segments.put(ended.number(), ended);
        segments.put(next.number(), next);
        replaceSegments(segments);
    }

    /** These segments are held no more; returns them, to be deleted. */
    synchronized List<SegmentFile> drop(List<Long> numbers) {
        NavigableMap<Long, SegmentFile> segments = new TreeMap<>(view.segments());
        List<SegmentFile> dropped = new ArrayList<>();
        for (long number : numbers) {
            SegmentFile segment = segments.remove(number);
            if (segment != null) {
                dropped.add(segment);
            }
        }
        replaceSegments(segments);
        return dropped;
    }

    private void replaceSegments(NavigableMap<Long, SegmentFile> segments) {
        view =
                new IndexView(
                        view.number() + 1,
                        view.active(),
                        view.frozen(),
                        view.parts(),
                        Collections.unmodifiableNavigableMap(segments));
    }

    /** The active table is full: returns it, to be sealed. None may be frozen. */
    synchronized RecentTable freeze() {
        RecentTable full = view.active();
        view =
                new IndexView(
                        view.number() + 1, new RecentTable(), full, view.parts(), view.segments());
        return full;
    }

    /** The frozen table is sealed. */
    synchronized void sealed(PartFile part) {
        List<PartFile> parts = new ArrayList<>(view.parts());
        parts.add(part);
        view =
                new IndexView(
                        view.number() + 1,
                        view.active(),
                        null,
                        List.copyOf(parts),
                        view.segments());
    }

    /** Neighbours have become one part, or none is left of them. */
    synchronized void merged(List<PartFile> from, @Nullable PartFile into) {
        List<PartFile> parts = new ArrayList<>(view.parts());
        int at = parts.indexOf(from.get(0));
        parts.removeAll(from);
        if (into != null) {
            parts.add(at, into);
        }
        view =
                new IndexView(
                        view.number() + 1,
                        view.active(),
                        view.frozen(),
                        List.copyOf(parts),
                        view.segments());
    }
}
