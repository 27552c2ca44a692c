package photon.simulation.checks;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import photon.core.id.EventId;
import photon.core.id.Incarnation;
import photon.storage.output.LostFiles;

/**
 * The joined events that stand in published files, by foreign event. All of one event stand in
 * files of one publication, those of one output in one file, in order. Not thread-safe.
 */
final class PublishedEvents {
    private final TreeMap<EventId, Standing> events = new TreeMap<>();

    /** There was one. */
    private boolean upgrades;

    /** Of one event. */
    private static final class Standing {
        final String pair;
        final int count;
        final boolean unmatched;

        /** By output and ordinal. */
        final TreeMap<String, Place> places = new TreeMap<>();

        Standing(Emitted first) {
            this.pair = first.pair();
            this.count = first.count();
            this.unmatched = first.unmatched();
        }

        Place any() {
            return places.firstEntry().getValue();
        }
    }

    private record Place(String datacenter, String file, int line) {
        @Override
        public String toString() {
            return "%s%s line %d".formatted(datacenter, file, line);
        }

        boolean isIn(String otherDatacenter, String otherFile) {
            return datacenter.equals(otherDatacenter) && file.equals(otherFile);
        }

        boolean samePublication(Place other) {
            return datacenter.equals(other.datacenter)
                    && LostFiles.named(file).equals(LostFiles.named(other.file));
        }
    }

    /**
     * @return what is wrong; null: nothing
     */
    @Nullable String add(Emitted joined, String datacenter, String file, int line) {
        Standing standing = events.computeIfAbsent(joined.id(), id -> new Standing(joined));
        Place place = new Place(datacenter, file, line);
        Place before = standing.places.putIfAbsent(joined.place(), place);
        if (before != null) {
            return "published twice, at %s and %s".formatted(before, place);
        }
        if (!standing.pair.equals(joined.pair())) {
            return "joined of other contents at %s than at %s".formatted(standing.any(), place);
        }
        if (standing.places.values().stream().anyMatch(one -> !one.samePublication(place))) {
            return "published in part by one, at %s, and in part by another, at %s"
                    .formatted(standing.any(), place);
        }
        if (joined.ordinal() > 0) {
            Place last = standing.places.get(joined.output() + "#" + (joined.ordinal() - 1));
            if (last == null || !last.file().equals(file)) {
                return "number %d of output '%s' stands at %s, but the one before it at %s"
                        .formatted(joined.ordinal(), joined.output(), place, last);
            }
        }
        return twiceMatched(joined)
                ? "joined with its primary event, and upgraded besides, at %s".formatted(place)
                : null;
    }

    /** Where an event and its upgrade are both with the primary event, it counts twice. */
    private boolean twiceMatched(Emitted joined) {
        if (!joined.upgrade()) {
            return upgrades && !joined.unmatched() && events.containsKey(joined.id().upgrade());
        }
        upgrades = true;
        Standing event = events.get(joined.event());
        return event != null && !event.unmatched;
    }

    /** How many upgrades stand there. */
    long upgrades() {
        return events.keySet().stream().filter(EventId::isUpgrade).count();
    }

    /** All that the event gives stands there. */
    boolean isWhole(EventId id) {
        Standing standing = events.get(id);
        return standing != null && standing.places.size() == standing.count;
    }

    /** How many joined events of it stand there. */
    int countOf(EventId id) {
        Standing standing = events.get(id);
        return standing == null ? 0 : standing.places.size();
    }

    /** How many foreign events stand there, in part at least. */
    int size() {
        return events.size();
    }

    /** How many of them in more than one output. */
    int inSeveralOutputs() {
        return (int)
                events.values().stream()
                        .filter(
                                standing ->
                                        standing.places.values().stream()
                                                        .map(Place::file)
                                                        .distinct()
                                                        .count()
                                                > 1)
                        .count();
    }

    /** Where it stands, for people; null: nowhere. */
    @Nullable String describe(EventId id) {
        Standing standing = events.get(id);
        return standing == null ? null : standing.places.values().toString();
    }

    /** The file is gone for good: what stood there. */
    List<EventId> remove(String datacenter, String file) {
        List<EventId> gone = new ArrayList<>();
        events.forEach(
                (id, standing) -> {
                    if (standing.places.values().removeIf(place -> place.isIn(datacenter, file))) {
                        gone.add(id);
                    }
                });
        events.values().removeIf(standing -> standing.places.isEmpty());
        return gone;
    }

    /** What stands in one datacenter, by who has published it. */
    Map<Incarnation, List<EventId>> by(String datacenter) {
        Map<Incarnation, List<EventId>> identities = new TreeMap<>();
        events.forEach(
                (id, standing) -> {
                    Place place = standing.any();
                    if (place.datacenter().equals(datacenter)) {
                        LostFiles.named(place.file())
                                .ifPresent(
                                        named ->
                                                identities
                                                        .computeIfAbsent(
                                                                named.incarnation(),
                                                                unknown -> new ArrayList<>())
                                                        .add(id));
                    }
                });
        return identities;
    }
}
