package photon.simulation.parts;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import photon.core.share.EventStoreShares;

/**
 * The event stores of each datacenter, as its configuration lists them. A process reads the list
 * when it starts.
 *
 * @param first at the start of the world
 * @param then from the moment on at which an operator changes the list; empty: nobody does
 */
public record EventStoreLists(EventStoreShares first, Optional<EventStoreShares> then) {
    /** A list that nobody changes. */
    public static EventStoreLists always(EventStoreShares first) {
        return new EventStoreLists(first, Optional.empty());
    }

    /** The names of all event stores that there ever are. */
    List<String> names() {
        return Stream.concat(
                        first.names().stream(),
                        then.map(EventStoreShares::names).stream().flatMap(List::stream))
                .distinct()
                .toList();
    }
}
