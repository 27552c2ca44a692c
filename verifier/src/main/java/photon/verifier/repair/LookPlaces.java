package photon.verifier.repair;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Says which of the repairs that wait may have the foreign logs open: a few keep them open from
 * look to look, and the others open them one after the other, for one look. An open reading takes
 * memory for each log, and files; what waits has no bound. Lives in its repairs' loop.
 */
final class LookPlaces {
    /** So that a few, as there are as a rule, read no log twice. */
    static final int KEPT_MAX = 8;

    private final int keptMax;
    private final Set<Object> keeping = new HashSet<>();
    private final Deque<Asking> asking = new ArrayDeque<>();
    private @Nullable Object inTurn;

    LookPlaces(int keptMax) {
        this.keptMax = keptMax;
    }

    private record Asking(Object who, Runnable then) {}

    /**
     * One that waits wants to open the logs.
     *
     * @param then run when it may, now or later
     */
    void ask(Object who, Runnable then) {
        asking.add(new Asking(who, then));
        serve();
    }

    /**
     * A look has ended, and another follows.
     *
     * @return it may keep the logs open until then; false: it closes them, and asks
     */
    boolean keeps(Object who) {
        boolean kept = keeping.contains(who) || keeping.size() < keptMax;
        if (kept) {
            keeping.add(who);
        }
        endTurn(who);
        return kept;
    }

    /** It has closed the logs, and asks for nothing any more. */
    void leave(Object who) {
        keeping.remove(who);
        asking.removeIf(one -> one.who() == who);
        endTurn(who);
    }

    private void endTurn(Object who) {
        if (inTurn == who) {
            inTurn = null;
        }
        serve();
    }

    private void serve() {
        while (!asking.isEmpty() && (keeping.size() < keptMax || inTurn == null)) {
            Asking next = asking.remove();
            if (keeping.size() < keptMax) {
                keeping.add(next.who());
            } else {
                inTurn = next.who();
            }
            next.then().run();
        }
    }
}
