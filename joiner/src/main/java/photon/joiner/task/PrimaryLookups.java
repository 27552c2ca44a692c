package photon.joiner.task;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import photon.core.loop.EventLoop;
import photon.core.rpc.Caller;
import photon.core.time.IntervalClock;
import photon.joiner.rules.Attempt;
import photon.joiner.rules.StoreRoutes;
import photon.joiner.rules.UnmatchedRule;
import photon.proto.v1.Event;
import photon.proto.v1.JoinResult.Status;
import photon.proto.v1.PrimaryLookupRequest;
import photon.proto.v1.PrimaryLookupResponse;

/**
 * Looks up the primary events of attempts at the event stores: a batch a request, a few requests at
 * one time to each store, the rest waits inside the admission bound. Each attempt is with one store
 * at a time; which one comes next is {@link StoreRoutes}' to say.
 */
final class PrimaryLookups {
    /** Given with an attempt that waits for its primary event: many others will, too. */
    static final String BEHIND = "the event store is behind";

    /** Likewise, where every store says that others keep the event: their lists differ. */
    static final String NOWHERE = "no event store keeps the primary event";

    private final EventLoop loop;
    private final StoreRoutes routes;
    private final List<Store> stores;
    private final int batchMax;
    private final int requestsMax;
    private final LongSupplier boundaryMicros;
    private final UnmatchedRule unmatched;
    private final IntervalClock clock;
    private final Listener listener;
    private final Runnable moved;
    private final CoalescedTask turn;

    /** One event store, and what is with it. */
    private static final class Store {
        final int place;
        final Caller<PrimaryLookupRequest, PrimaryLookupResponse> caller;
        final ArrayDeque<Attempt> waiting = new ArrayDeque<>();
        int requests;

        Store(int place, Caller<PrimaryLookupRequest, PrimaryLookupResponse> caller) {
            this.place = place;
            this.caller = caller;
        }
    }

    /**
     * @param boundaryMicros the highest boundary that was heard of; {@link Long#MIN_VALUE}: none
     * @param unmatched when a miss is final
     * @param clock by which that is judged
     * @param moved told of each attempt that goes to another store since one has failed
     */
    PrimaryLookups(
            EventLoop loop,
            EventStores eventStores,
            int batchMax,
            int requestsMax,
            LongSupplier boundaryMicros,
            UnmatchedRule unmatched,
            IntervalClock clock,
            Listener listener,
            Runnable moved) {
        this.loop = loop;
        this.routes = eventStores.routes();
        this.stores = new ArrayList<>();
        eventStores.callers().forEach(caller -> stores.add(new Store(stores.size(), caller)));
        this.batchMax = batchMax;
        this.requestsMax = requestsMax;
        this.boundaryMicros = boundaryMicros;
        this.unmatched = unmatched;
        this.clock = clock;
        this.listener = listener;
        this.moved = moved;
        this.turn = new CoalescedTask(loop, this::send);
    }

    /** Hears the answers, in the loop. */
    interface Listener {
        /** Pairs, and events that are joined without. Not those that were answered meanwhile. */
        void found(List<Found> pairs);

        void notFound(Attempt attempt, Status status, String reason);
    }

    /**
     * @param primary null: its primary event is not waited for any longer
     */
    record Found(Attempt attempt, @Nullable Event primary) {}

    void add(Attempt attempt) {
        stores.get(next(attempt)).waiting.add(attempt);
        turn.ask();
    }

    /** What waits was answered by somebody else. */
    void end() {
        stores.forEach(store -> store.waiting.clear());
    }

    private int next(Attempt attempt) {
        return routes.next(
                attempt.event().getPrimaryKey(),
                attempt.storesAsked(),
                attempt.hasStoreLooked(),
                loop.nanoTime());
    }

    /** False: there is no other store to ask. */
    private boolean askNext(Attempt attempt) {
        int next = next(attempt);
        if (next == StoreRoutes.NONE) {
            return false;
        }
        stores.get(next).waiting.add(attempt);
        turn.ask();
        return true;
    }

    private void send() {
        stores.forEach(this::send);
    }

    private void send(Store store) {
        while (store.requests < requestsMax && !store.waiting.isEmpty()) {
            List<@Nullable Attempt> batch =
                    new ArrayList<>(Math.min(batchMax, store.waiting.size()));
            PrimaryLookupRequest.Builder request = PrimaryLookupRequest.newBuilder();
            while (batch.size() < batchMax && !store.waiting.isEmpty()) {
                Attempt next = store.waiting.remove();
                if (!next.isAnswered()) {
                    next.askedStore(store.place);
                    batch.add(next);
                    request.addKeys(next.event().getPrimaryKey());
                }
            }
            if (!batch.isEmpty()) {
                store.requests++;
                long boundary = boundaryMicros.getAsLong();
                if (boundary != Long.MIN_VALUE) {
                    request.setBoundaryMicros(boundary);
                }
                Reply reply = new Reply(store, batch);
                store.caller.call(request.build(), reply);
                reply.watch();
            }
        }
    }

    /** What waits for a store that has failed goes elsewhere, where it can. */
    private void failed(Store store) {
        routes.failed(store.place, loop.nanoTime());
        for (int i = store.waiting.size(); i > 0; i--) {
            Attempt attempt = store.waiting.remove();
            if (!attempt.isAnswered()) {
                // It was not asked yet, so there is one to ask: this one, at the worst.
                int next = next(attempt);
                stores.get(next == StoreRoutes.NONE ? store.place : next).waiting.add(attempt);
            }
        }
        turn.ask();
    }

    private long earliestMicros() {
        return clock.state().synchronised() ? clock.now().earliestMicros() : Long.MIN_VALUE;
    }

    private final class Reply implements Caller.Reply<PrimaryLookupResponse> {
        private final Store store;

        /** Null: it is with another store by now. */
        private final List<@Nullable Attempt> batch;

        /** What was logged by then is looked up. */
        private final long askedMicros = unmatched.isOn() ? earliestMicros() : Long.MIN_VALUE;

        private EventLoop.@Nullable Cancellable timer;
        private boolean late;
        private boolean ended;

        Reply(Store store, List<@Nullable Attempt> batch) {
            this.store = store;
            this.batch = batch;
        }

        /** One that is alone is waited for, as long as the call may take. */
        void watch() {
            if (!routes.isOne() && !ended) {
                timer = loop.schedule(StoreRoutes.ANSWER_MAX, this::late);
            }
        }

        private void late() {
            timer = null;
            late = true;
            failed(store);
            boolean some = false;
            for (int i = 0; i < batch.size(); i++) {
                Attempt attempt = batch.get(i);
                if (attempt != null && (attempt.isAnswered() || moveOn(attempt))) {
                    batch.set(i, null);
                }
                some |= batch.get(i) != null;
            }
            if (!some) {
                ended();
            }
        }

        private boolean moveOn(Attempt attempt) {
            if (!askNext(attempt)) {
                return false;
            }
            moved.run();
            return true;
        }

        @Override
        public void answered(PrimaryLookupResponse answer) {
            boolean before = ended;
            ended();
            if (!late && !answer.getResourceExhausted()) {
                routes.answered(store.place);
            }
            if (before) {
                return;
            }
            if (answer.getResourceExhausted()) {
                // It lives, so nothing is final without it.
                none("event store: too much is waiting there", false);
            } else if (answer.getResultsCount() != batch.size()) {
                all(
                        Status.RETRY_ALL,
                        "event store: expected "
                                + batch.size()
                                + " results, but got "
                                + answer.getResultsCount());
            } else {
                settle(answer);
            }
        }

        @Override
        public void broken(String why) {
            boolean before = ended;
            ended();
            if (before) {
                return;
            }
            none("event store: " + why, true);
        }

        /**
         * There is no answer: others are asked, where there are any.
         *
         * @param away it is not there, so that what others say may be final
         */
        private void none(String reason, boolean away) {
            if (routes.isOne()) {
                all(Status.RETRY_ALL, reason);
                return;
            }
            failed(store);
            List<Found> without = new ArrayList<>();
            for (Attempt attempt : batch) {
                if (attempt == null || attempt.isAnswered() || moveOn(attempt)) {
                    continue;
                }
                if (away && attempt.mayBeUnmatched()) {
                    without.add(new Found(attempt, null));
                } else if (routes.allFail() && !attempt.hasStoreLooked()) {
                    listener.notFound(attempt, Status.RETRY_ALL, reason);
                } else {
                    // Others are joined meanwhile: nobody else is slowed down, and nothing counts.
                    listener.notFound(attempt, Status.WAITING_FOR_PRIMARY, reason);
                }
            }
            if (!without.isEmpty()) {
                listener.found(without);
            }
        }

        private void ended() {
            if (ended) {
                return;
            }
            ended = true;
            if (timer != null) {
                timer.cancel();
                timer = null;
            }
            store.requests--;
            if (!store.waiting.isEmpty()) {
                turn.ask();
            }
        }

        private void all(Status status, String reason) {
            for (Attempt attempt : batch) {
                if (attempt != null && !attempt.isAnswered()) {
                    listener.notFound(attempt, status, reason);
                }
            }
        }

        private void settle(PrimaryLookupResponse answer) {
            List<Found> found = new ArrayList<>(batch.size());
            for (int i = 0; i < batch.size(); i++) {
                Attempt attempt = batch.get(i);
                if (attempt == null || attempt.isAnswered()) {
                    continue;
                }
                PrimaryLookupResponse.Result result = answer.getResults(i);
                switch (result.getStatus()) {
                    case FOUND -> {
                        if (isAskedFor(attempt, result.getPrimary())) {
                            found.add(new Found(attempt, result.getPrimary()));
                        } else {
                            listener.notFound(
                                    attempt,
                                    Status.RETRY_EVENT,
                                    "event store: answered with another event than was asked for");
                        }
                    }
                    case NOT_YET, ABSENT -> missed(attempt, result.getElsewhere(), answer, found);
                    default ->
                            listener.notFound(
                                    attempt,
                                    Status.RETRY_EVENT,
                                    "event store: unknown status " + result.getStatus());
                }
            }
            if (!found.isEmpty()) {
                listener.found(found);
            }
        }

        /** A miss that says little, or that would be a decision for good, is asked for again. */
        private void missed(
                Attempt attempt,
                boolean elsewhere,
                PrimaryLookupResponse answer,
                List<Found> found) {
            boolean permitted =
                    !elsewhere
                            && !attempt.needsPrimary()
                            && unmatched.permits(attempt.id(), answer.getAllRead(), askedMicros);
            if (!elsewhere) {
                attempt.storeLooked(permitted);
            }
            if (!routes.isOne()
                    && (elsewhere || answer.getBehind() || permitted)
                    && askNext(attempt)) {
                return;
            }
            if (attempt.mayBeUnmatched()) {
                found.add(new Found(attempt, null));
            } else {
                listener.notFound(
                        attempt,
                        Status.WAITING_FOR_PRIMARY,
                        answer.getBehind() ? BEHIND : elsewhere ? NOWHERE : "");
            }
        }

        /** Checked again on this side of the border: a wrong pair would be joined for ever. */
        private boolean isAskedFor(Attempt attempt, Event primary) {
            return primary.getKey().equals(attempt.event().getPrimaryKey())
                    && primary.getId().size() == photon.core.id.EventId.BYTES;
        }
    }
}
