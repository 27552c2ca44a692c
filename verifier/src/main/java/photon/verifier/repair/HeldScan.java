package photon.verifier.repair;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import photon.core.id.Incarnation;
import photon.registry.api.ControlClient.Fenced;
import photon.registry.api.RegistryClient.Commit;

/**
 * The scans of all groups side by side, as one in id order. Memory: two pages a group, and a page
 * is the smaller the more groups there are. Not thread-safe.
 */
final class HeldScan {
    private static final int PAGE_MIN = 100;

    /** Ids of all groups together that are asked for at one time, about. */
    private static final int PAGES_OF_GROUPS = 8;

    private final List<GroupScan> groups = new ArrayList<>();
    private final int page;

    /** Nothing makes a known group unknown but that its last is taken. */
    private boolean allKnown;

    /**
     * @param pageMax ids of one page
     */
    HeldScan(Incarnation incarnation, List<Fenced> fenced, int pageMax) {
        fenced.forEach(group -> groups.add(new GroupScan(incarnation, group)));
        int share = PAGES_OF_GROUPS * pageMax / Math.max(1, fenced.size());
        this.page = Math.min(pageMax, Math.max(PAGE_MIN, share));
    }

    /** Ids to ask for at one time. */
    int page() {
        return page;
    }

    /** Groups whose next page is to be asked for now. */
    List<GroupScan> wanting() {
        return groups.stream().filter(group -> group.wants((page + 1) / 2)).toList();
    }

    /** True: {@link #next} can tell. */
    boolean known() {
        if (!allKnown) {
            for (GroupScan group : groups) {
                if (!group.known()) {
                    return false;
                }
            }
            allKnown = true;
        }
        return true;
    }

    /** Takes the next in id order; null: that was all. */
    @Nullable Commit next() {
        GroupScan least = null;
        Commit leastHeld = null;
        for (GroupScan group : groups) {
            Commit held = group.peek();
            if (held != null && (leastHeld == null || held.id().compareTo(leastHeld.id()) < 0)) {
                least = group;
                leastHeld = held;
            }
        }
        if (least != null) {
            least.remove();
            allKnown = least.known();
        }
        return leastHeld;
    }
}
