package photon.verifier.repair;

import static photon.core.error.Checks.check;

import java.util.List;
import org.jspecify.annotations.Nullable;
import photon.core.id.EventId;
import photon.core.id.Incarnation;
import photon.registry.api.ControlClient.Fenced;
import photon.registry.api.ControlClient.ScanPage;
import photon.registry.api.RegistryClient.Commit;

/**
 * Where a scan of all groups stands: group by group, in each page by page in id order. It is made
 * of groups in which the fence is applied and of nothing else, so a scan cannot come before the
 * fence.
 */
final class GroupScan {
    private final Incarnation incarnation;
    private final List<Fenced> groups;
    private int group;
    private @Nullable EventId after;

    GroupScan(Incarnation incarnation, List<Fenced> groups) {
        this.incarnation = incarnation;
        this.groups = List.copyOf(groups);
    }

    boolean done() {
        return group == groups.size();
    }

    /** The group to ask next. */
    Fenced group() {
        return groups.get(group);
    }

    /** The id to start behind; null: from the start. */
    @Nullable EventId after() {
        return after;
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
        }
        check(
                !page.more() || !page.held().isEmpty(),
                "Expected a last id to go on from in group %s, but the page is empty",
                group());
        if (!page.more()) {
            group++;
            after = null;
        }
    }
}
