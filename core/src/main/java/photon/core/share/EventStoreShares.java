package photon.core.share;

import static photon.core.error.Checks.check;
import static photon.core.hash.SplitMix.mix;

import com.google.protobuf.ByteString;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;

/**
 * Which event stores keep which primary event (docs/protocol.md section 7): for each key the stores
 * come in an order of its own, and the first few keep it (rendezvous hashing). A store that joins
 * or leaves takes or gives its own share and moves nothing between the others. The order in which
 * the stores are listed does not matter. Immutable.
 */
public final class EventStoreShares {
    /** More than a datacenter has. */
    public static final int STORES_MAX = 64;

    private final List<String> names;
    private final long[] hashes;
    private final int copies;

    /**
     * @param names of the stores, each once
     * @param copies how many stores keep each event
     */
    public EventStoreShares(List<String> names, int copies) {
        check(
                !names.isEmpty() && names.size() <= STORES_MAX,
                "Expected 1 to %s event stores, but got %s",
                STORES_MAX,
                names.size());
        check(
                new HashSet<>(names).size() == names.size(),
                "Expected each event store once, but got %s",
                names);
        check(
                copies >= 1 && copies <= names.size(),
                "Expected 1 to %s copies, but got %s",
                names.size(),
                copies);
        this.names = List.copyOf(names);
        this.copies = copies;
        this.hashes = new long[names.size()];
        for (int i = 0; i < hashes.length; i++) {
            hashes[i] = hash(ByteString.copyFrom(names.get(i), StandardCharsets.UTF_8));
        }
    }

    /** A store that is alone and keeps everything. */
    public static EventStoreShares ofOne(String name) {
        return new EventStoreShares(List.of(name), 1);
    }

    /** The stores are known by their place in this list. */
    public List<String> names() {
        return names;
    }

    public int copies() {
        return copies;
    }

    /** True: each store keeps each event. */
    public boolean areWhole() {
        return copies == names.size();
    }

    /**
     * The stores that keep an event, by place; the one to ask first comes first.
     *
     * @param key {@code Event.key} of the primary event
     */
    public int[] owners(ByteString key) {
        int[] owners = new int[copies];
        if (hashes.length == 1) {
            return owners;
        }
        long keyHash = hash(key);
        int known = 0;
        for (int store = 0; store < hashes.length; store++) {
            int at = known;
            while (at > 0 && isBefore(store, owners[at - 1], keyHash)) {
                at--;
            }
            if (at < copies) {
                known = Math.min(known + 1, copies);
                System.arraycopy(owners, at, owners, at + 1, known - at - 1);
                owners[at] = store;
            }
        }
        return owners;
    }

    /**
     * Whether a store keeps an event.
     *
     * @param store by place
     */
    public boolean owns(int store, ByteString key) {
        if (areWhole()) {
            return true;
        }
        long keyHash = hash(key);
        int before = 0;
        for (int other = 0; other < hashes.length; other++) {
            if (other != store && isBefore(other, store, keyHash) && ++before == copies) {
                return false;
            }
        }
        return true;
    }

    private boolean isBefore(int store, int than, long keyHash) {
        int order = Long.compareUnsigned(mix(hashes[store] ^ keyHash), mix(hashes[than] ^ keyHash));
        return order != 0 ? order < 0 : names.get(store).compareTo(names.get(than)) < 0;
    }

    /**
     * Well mixed, and the same in every process and version. Never change it: stores would hold
     * what they are not asked for.
     */
    static long hash(ByteString bytes) {
        long h = mix(bytes.size() + 0x9E3779B97F4A7C15L);
        for (int from = 0; from < bytes.size(); from += Long.BYTES) {
            long word = 0;
            for (int i = from; i < Math.min(from + Long.BYTES, bytes.size()); i++) {
                word = word << 8 | (bytes.byteAt(i) & 0xFF);
            }
            h = mix(h ^ word);
        }
        return h;
    }
}
