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
import photon.joiner.rules.UnmatchedRule;
import photon.proto.v1.Event;
import photon.proto.v1.JoinResult.Status;
import photon.proto.v1.PrimaryLookupRequest;
import photon.proto.v1.PrimaryLookupResponse;

/**
 * Looks up the primary events of attempts at the event store: a batch a request, a few requests at
 * one time, the rest waits inside the admission bound.
 */
final class PrimaryLookups {
    /** Given with an attempt that waits for its primary event: many others will, too. */
    static final String BEHIND = "the event store is behind";

    private final Caller<PrimaryLookupRequest, PrimaryLookupResponse> eventStore;
    private final int batchMax;
    private final int requestsMax;
    private final LongSupplier boundaryMicros;
    private final UnmatchedRule unmatched;
    private final IntervalClock clock;
    private final Listener listener;
    private final TurnTask turn;
    private final ArrayDeque<Attempt> waiting = new ArrayDeque<>();
    private int requests;

    /**
     * @param boundaryMicros the highest boundary that was heard of; {@link Long#MIN_VALUE}: none
     * @param unmatched when a miss is final
     * @param clock by which that is judged
     */
    PrimaryLookups(
            EventLoop loop,
            Caller<PrimaryLookupRequest, PrimaryLookupResponse> eventStore,
            int batchMax,
            int requestsMax,
            LongSupplier boundaryMicros,
            UnmatchedRule unmatched,
            IntervalClock clock,
            Listener listener) {
        this.eventStore = eventStore;
        this.batchMax = batchMax;
        this.requestsMax = requestsMax;
        this.boundaryMicros = boundaryMicros;
        this.unmatched = unmatched;
        this.clock = clock;
        this.listener = listener;
        this.turn = new TurnTask(loop, this::send);
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
        waiting.add(attempt);
        turn.ask();
    }

    /** What waits was answered by somebody else. */
    void end() {
        waiting.clear();
    }

    private void send() {
        while (requests < requestsMax && !waiting.isEmpty()) {
            List<Attempt> batch = new ArrayList<>(Math.min(batchMax, waiting.size()));
            PrimaryLookupRequest.Builder request = PrimaryLookupRequest.newBuilder();
            while (batch.size() < batchMax && !waiting.isEmpty()) {
                Attempt next = waiting.remove();
                if (!next.isAnswered()) {
                    batch.add(next);
                    request.addKeys(next.event().getPrimaryKey());
                }
            }
            if (!batch.isEmpty()) {
                requests++;
                long boundary = boundaryMicros.getAsLong();
                if (boundary != Long.MIN_VALUE) {
                    request.setBoundaryMicros(boundary);
                }
                eventStore.call(request.build(), new Reply(batch));
            }
        }
    }

    private long earliestMicros() {
        return clock.state().synchronised() ? clock.now().earliestMicros() : Long.MIN_VALUE;
    }

    private final class Reply implements Caller.Reply<PrimaryLookupResponse> {
        private final List<Attempt> batch;

        /** What was logged by then is looked up. */
        private final long askedMicros = unmatched.isOn() ? earliestMicros() : Long.MIN_VALUE;

        Reply(List<Attempt> batch) {
            this.batch = batch;
        }

        @Override
        public void answered(PrimaryLookupResponse answer) {
            ended();
            if (answer.getResourceExhausted()) {
                all(Status.RETRY_ALL, "event store: too much is waiting there");
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
            ended();
            all(Status.RETRY_ALL, "event store: " + why);
        }

        private void ended() {
            requests--;
            if (!waiting.isEmpty()) {
                turn.ask();
            }
        }

        private void all(Status status, String reason) {
            for (Attempt attempt : batch) {
                if (!attempt.isAnswered()) {
                    listener.notFound(attempt, status, reason);
                }
            }
        }

        private void settle(PrimaryLookupResponse answer) {
            List<Found> found = new ArrayList<>(batch.size());
            for (int i = 0; i < batch.size(); i++) {
                Attempt attempt = batch.get(i);
                if (attempt.isAnswered()) {
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
                    case NOT_YET, ABSENT -> {
                        if (unmatched.permits(attempt.id(), answer.getAllRead(), askedMicros)) {
                            found.add(new Found(attempt, null));
                        } else {
                            listener.notFound(
                                    attempt,
                                    Status.WAITING_FOR_PRIMARY,
                                    answer.getBehind() ? BEHIND : "");
                        }
                    }
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

        /** Checked again on this side of the border: a wrong pair would be joined for ever. */
        private boolean isAskedFor(Attempt attempt, Event primary) {
            return primary.getKey().equals(attempt.event().getPrimaryKey())
                    && primary.getId().size() == photon.core.id.EventId.BYTES;
        }
    }
}
