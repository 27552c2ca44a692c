package photon.verifier.repair;

import static photon.core.error.Checks.check;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.registry.api.RegistryClient.Found;
import photon.verifier.steps.Steps;

/**
 * Of what earlier attempts at a repair had found lost and its scan has not met, finds what nobody
 * holds (docs/protocol.md section 6): a repair row has removed it, and the row may be gone with its
 * dispatcher's state. If another incarnation holds an id, it owes the event, or its repair does.
 * Not thread-safe.
 */
final class RemovedSearch implements LostIds {
    private final RepairParts parts;
    private final Steps steps;
    private final Iterator<Map.Entry<EventId, CommitToken>> removed;
    private final NoLongerHeld noLongerHeld;
    private final LostEvents lost;

    /**
     * @param removed with the token that had held each
     * @param noLongerHeld is told of ids that are too old by now
     * @param lost is filled
     */
    RemovedSearch(
            RepairParts parts,
            Steps steps,
            Map<EventId, CommitToken> removed,
            NoLongerHeld noLongerHeld,
            LostEvents lost) {
        this.parts = parts;
        this.steps = steps;
        this.removed = removed.entrySet().iterator();
        this.noLongerHeld = noLongerHeld;
        this.lost = lost;
    }

    @Override
    public boolean done() {
        return !removed.hasNext();
    }

    @Override
    public void on(Steps.Step whenFound) {
        int room = parts.limits().lostIdsMax() - lost.size();
        if (done() || room <= 0) {
            steps.next(whenFound);
            return;
        }
        List<EventId> ids = new ArrayList<>();
        List<CommitToken> tokens = new ArrayList<>();
        for (int i = Math.min(room, parts.limits().scanPage()); i > 0 && removed.hasNext(); i--) {
            Map.Entry<EventId, CommitToken> one = removed.next();
            ids.add(one.getKey());
            tokens.add(one.getValue());
        }
        steps.await(
                parts.holders().ask(ids),
                found -> {
                    check(
                            found.size() == ids.size(),
                            "Expected %s answers, but got %s",
                            ids.size(),
                            found.size());
                    for (int i = 0; i < ids.size(); i++) {
                        judge(ids.get(i), tokens.get(i), found.get(i));
                    }
                    on(whenFound);
                });
    }

    private void judge(EventId id, CommitToken token, Found found) {
        switch (found.state()) {
            case ABSENT -> lost.add(id, token);
            case HELD -> {}
            case TOO_OLD -> noLongerHeld.boundary(id.micros() + 1);
        }
    }
}
