package photon.verifier.repair;

import static photon.core.error.Checks.check;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;
import photon.core.id.EventId;
import photon.core.id.Incarnation;
import photon.registry.api.ControlClient.Fenced;
import photon.registry.api.ControlClient.ScanPage;
import photon.registry.api.RegistryClient.Commit;

/**
 * Where the scan of one group stands: page by page in id order, with what was read and not yet
 * taken. It is made of a group in which the fence is applied and of nothing else, so a scan cannot
 * come before the fence. Not thread-safe.
 */
final class GroupScan {
    private final Incarnation incarnation;
    private final Fenced group;
    private final Deque<Commit> read = new ArrayDeque<>();
    private @Nullable EventId after;
    private boolean more = true;
    private boolean asked;

    GroupScan(Incarnation incarnation, Fenced group) {
        this.incarnation = incarnation;
        this.group = group;
    }

    Fenced group() {
        return group;
    }

    /** True: the next page is to be asked for, since fewer than this wait to be taken. */
    boolean wants(int few) {
        return more && !asked && read.size() < few;
    }

    /** Notes that it was asked for. */
    void ask() {
        asked = true;
    }

    /** The id to start behind; null: from the start. */
    @Nullable EventId after() {
        return after;
    }

    /** True: what comes next is known, or that nothing does. */
    boolean known() {
        return !more || !read.isEmpty();
    }

    /** The next; null: there is none, or it is not {@link #known}. */
    @Nullable Commit peek() {
        return read.peek();
    }

    void remove() {
        read.remove();
    }

    /**
     * Moves on behind this page.
     *
     * @throws photon.core.error.BugException if the page cannot be one of this scan: to go on would
     *     skip ids, and with them events
     */
    void passed(ScanPage page) {
        for (Commit held : page.held()) {
            check(
                    held.token().isOf(incarnation),
                    "Expected a page of incarnation %s, but it has token %s",
                    incarnation,
                    held.token());
            check(
                    after == null || held.id().compareTo(after) > 0,
                    "Expected ids behind %s, but got %s",
                    after,
                    held.id());
            after = held.id();
            read.add(held);
        }
        check(
                !page.more() || !page.held().isEmpty(),
                "Expected a last id to go on from in group %s, but the page is empty",
                group);
        more = page.more();
        asked = false;
    }
}
