package photon.idregistry.batch;

import static photon.core.error.Checks.check;

import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Divides one server among the pipelines that it leads shards of. While ids of one pipeline wait,
 * and no others, its entries go as their shards' windows allow: a share that nobody wants is free
 * for all. While several wait, all entries in flight together are held to a budget, and the next
 * goes to the pipeline whose turn it is: deficit round-robin by weight over what entries cost, so
 * that neither many shards nor small entries give a pipeline more than its share. A pipeline with
 * nothing in flight may always hand over one entry, so that none waits behind another's window.
 *
 * <p>The work is a few steps an entry, whatever it holds. Used in one event loop.
 */
public final class FairShares {
    /** Until a pipeline says another. */
    private static final int FIRST_WEIGHT = 100;

    /** An entry costs about so many ids beyond those in it. */
    static final int ENTRY_COST = 200;

    /** A turn of a pipeline of the default weight is about one large entry. */
    private static final long CREDIT_PER_WEIGHT = 43;

    private final long budget;
    private final Map<Object, Share> shares = new LinkedHashMap<>();

    /** Those of which something could go now, in the order of their turns. */
    private final ArrayDeque<Share> turns = new ArrayDeque<>();

    private int waitingShares;
    private long inFlight;
    private boolean handingOut;

    /**
     * @param budget what entries in flight may cost together while several pipelines wait, in ids
     */
    public FairShares(long budget) {
        check(budget > 0, "Expected a budget above 0, but got %s", budget);
        this.budget = budget;
    }

    /** As much as one shard may have in flight: enough to keep the disk busy. */
    public static FairShares of(BatchLimits limits) {
        return new FairShares(
                (long) limits.entriesInFlightMax() * (limits.idsPerEntryMax() + ENTRY_COST));
    }

    /** What hands entries to one shard's log. */
    interface Flow {
        /** True if ids wait. */
        boolean waiting();

        /** True if its own window has room for one more entry. */
        boolean hasRoom();

        /**
         * Hands one entry to the log. Only if ids wait and it has room.
         *
         * @return the ids in it
         */
        int submit();
    }

    /** The same for the same pipeline. */
    public Share of(Object pipeline) {
        return shares.computeIfAbsent(pipeline, p -> new Share());
    }

    /** What one pipeline may take. */
    public final class Share {
        private final ArrayDeque<Turn> ready = new ArrayDeque<>();
        private int weight = FIRST_WEIGHT;
        private int waitingLanes;
        private long credit;
        private long sharesInFlight;
        private boolean queued;

        private Share() {}

        /**
         * @param newWeight compared with that of other pipelines; 1 or more
         */
        public void weigh(int newWeight) {
            check(newWeight > 0, "Expected a weight above 0, but got %s", newWeight);
            weight = newWeight;
        }

        Turn turn(Flow flow) {
            return new Turn(this, flow);
        }
    }

    /** One shard's place in its pipeline's share. */
    final class Turn {
        private final Share share;
        private final Flow flow;
        private boolean waits;
        private boolean queued;
        private boolean closed;
        private long ownInFlight;

        private Turn(Share share, Flow flow) {
            this.share = share;
            this.flow = flow;
        }

        /** What waits, or the room, may have changed: whoever's turn it is goes. */
        void changed() {
            note();
            handOut();
        }

        /** An entry is answered. */
        void settled(int ids) {
            if (!closed) {
                release(ids + ENTRY_COST);
            }
            changed();
        }

        /** It goes no more: what it has in flight is nobody's concern any more. */
        void close() {
            closed = true;
            release(ownInFlight);
            changed();
        }

        private void release(long cost) {
            ownInFlight -= cost;
            share.sharesInFlight -= cost;
            inFlight -= cost;
        }

        private void note() {
            boolean waitsNow = !closed && flow.waiting();
            if (waitsNow != waits) {
                waits = waitsNow;
                share.waitingLanes += waits ? 1 : -1;
                if (share.waitingLanes == (waits ? 1 : 0)) {
                    waitingShares += waits ? 1 : -1;
                }
            }
            if (waits && !queued && flow.hasRoom()) {
                queued = true;
                share.ready.add(this);
                if (!share.queued) {
                    share.queued = true;
                    turns.add(share);
                }
            }
        }

        /** True if it could go; if not, it leaves the queue until it says so. */
        private boolean isReady() {
            return waits && flow.hasRoom();
        }

        private void go() {
            long cost = flow.submit() + (long) ENTRY_COST;
            ownInFlight += cost;
            share.sharesInFlight += cost;
            inFlight += cost;
            // The one that may always go must not come to owe more than it can pay soon.
            share.credit = Math.max(share.credit - cost, -budget);
            queued = false;
            note();
        }
    }

    private void handOut() {
        if (handingOut) {
            return;
        }
        handingOut = true;
        // So many turns in a row were passed over for want of room, not of credit.
        int passed = 0;
        while (passed < turns.size()) {
            Share share = turns.element();
            Turn next = nextReady(share);
            if (next == null) {
                turns.remove();
                share.queued = false;
                // What it did not use is not saved up; what it took too much it owes.
                share.credit = Math.min(share.credit, 0);
            } else if (waitingShares == 1 || inFlight < budget) {
                takeTurn(share, next);
                passed = 0;
            } else {
                // There is room for nobody, but for one who has nothing in flight: it pays for that
                // when its turn comes, and the order of turns stays.
                if (share.sharesInFlight == 0) {
                    share.ready.remove();
                    next.go();
                }
                rotate();
                passed++;
            }
        }
        handingOut = false;
    }

    /** One entry goes, unless the share has to save up for it first. */
    private void takeTurn(Share share, Turn next) {
        boolean alone = waitingShares == 1;
        if (!alone && share.credit <= 0) {
            share.credit += CREDIT_PER_WEIGHT * share.weight;
        }
        if (alone || share.credit > 0) {
            share.ready.remove();
            next.go();
        }
        if (alone) {
            share.credit = 0;
        } else if (share.credit <= 0) {
            rotate();
        }
    }

    private static @Nullable Turn nextReady(Share share) {
        while (!share.ready.isEmpty() && !share.ready.element().isReady()) {
            share.ready.remove().queued = false;
        }
        return share.ready.peek();
    }

    private void rotate() {
        turns.add(turns.remove());
    }
}
