package photon.core.share;

import static photon.core.error.Checks.check;

import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The primary events that one event store keeps. Immutable. */
public final class StoreShare {
    /** Everything: a store that is alone. */
    public static final StoreShare WHOLE =
            new StoreShare(EventStoreShares.ofOne("eventstore-0"), "eventstore-0");

    private static final Pattern TEXT = Pattern.compile("([a-z0-9-]+)/(\\d{1,2})/([a-z0-9,-]+)");

    private final EventStoreShares shares;
    private final String name;
    private final int store;

    /**
     * @param name the store's, one of the names
     */
    public StoreShare(EventStoreShares shares, String name) {
        this.shares = shares;
        this.name = name;
        this.store = shares.names().indexOf(name);
        check(store >= 0, "Expected one of %s, but got %s", shares.names(), name);
    }

    /** Whether it keeps everything. */
    public boolean isWhole() {
        return shares.areWhole();
    }

    /**
     * Whether the store keeps an event.
     *
     * @param key {@code Event.key} of the primary event
     */
    public boolean holds(ByteString key) {
        return shares.owns(store, key);
    }

    /**
     * Whether everything of the other share is sure to be in this one, whatever the keys are: it is
     * the same store's, and the stores that are in this list alone cannot push it out.
     */
    public boolean holdsAllOf(StoreShare other) {
        if (isWhole()) {
            return true;
        }
        if (!name.equals(other.name)) {
            return false;
        }
        List<String> stay = new ArrayList<>(shares.names());
        stay.retainAll(other.shares.names());
        int left = shares.names().size() - stay.size();
        // Of an event of the other share, at most this many stores come before this one.
        int before = Math.min(other.shares.copies() - 1, stay.size() - 1) + left;
        return before < shares.copies();
    }

    /** For {@link #parse}; the order of the names in a configuration changes nothing. */
    public String text() {
        List<String> sorted = new ArrayList<>(shares.names());
        sorted.sort(null);
        return name + "/" + shares.copies() + "/" + String.join(",", sorted);
    }

    /** Empty: it is no such text. */
    public static Optional<StoreShare> parse(String text) {
        Matcher matcher = TEXT.matcher(text);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        List<String> names = Arrays.asList(matcher.group(3).split(","));
        int copies = Integer.parseInt(matcher.group(2));
        boolean fits =
                names.contains(matcher.group(1))
                        && names.size() <= EventStoreShares.STORES_MAX
                        && names.stream().distinct().count() == names.size()
                        && copies >= 1
                        && copies <= names.size();
        return fits
                ? Optional.of(new StoreShare(new EventStoreShares(names, copies), matcher.group(1)))
                : Optional.empty();
    }

    /** For people. */
    @Override
    public String toString() {
        return isWhole()
                ? "everything"
                : "the share of %s, with %d copies among %s"
                        .formatted(name, shares.copies(), String.join(", ", shares.names()));
    }
}
