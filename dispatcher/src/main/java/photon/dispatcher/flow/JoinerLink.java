package photon.dispatcher.flow;

import com.google.protobuf.ByteString;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import photon.core.id.CommitToken;
import photon.core.id.Packed;
import photon.core.loop.EventLoop;
import photon.core.rpc.SessionCaller;
import photon.core.trace.AttemptTracer;
import photon.dispatcher.rules.JoinerChoice;
import photon.dispatcher.rules.SenderPace;
import photon.proto.v1.JoinItem;
import photon.proto.v1.JoinRequest;
import photon.proto.v1.JoinResponse;
import photon.proto.v1.JoinResult;

/**
 * Sends events to one joiner and hears what became of them. When the session breaks, whatever was
 * not answered goes back to the front of the queue, marked as an open attempt: it may have been
 * carried out. Main loop.
 */
final class JoinerLink {
    private static final Logger log = LoggerFactory.getLogger(JoinerLink.class);
    private static final int ITEMS_MAX = 512;
    private static final int MESSAGE_BYTES_MAX = 4 << 20;

    private final SessionCaller<JoinRequest, JoinResponse> joiner;
    private final EventLoop loop;
    private final SenderPace pace;
    private final AttemptTracer tracer;
    private final ArrayDeque<PendingEvent> waiting;
    private final Answers answers;
    private final Map<Long, PendingEvent> sent = new LinkedHashMap<>();
    private SessionCaller.@Nullable Session<JoinRequest> session;
    private @Nullable Listener listener;
    private long lastNumber;

    /**
     * @param waiting what is to be sent, by this link or another of the same datacenter
     */
    JoinerLink(
            SessionCaller<JoinRequest, JoinResponse> joiner,
            EventLoop loop,
            SenderPace pace,
            AttemptTracer tracer,
            ArrayDeque<PendingEvent> waiting,
            Answers answers) {
        this.joiner = joiner;
        this.loop = loop;
        this.pace = pace;
        this.tracer = tracer;
        this.waiting = waiting;
        this.answers = answers;
    }

    /** Hears the answers. */
    interface Answers {
        /**
         * @param by to be told whether that was {@link #good} or is to {@link #slowDown} its sender
         */
        void answered(JoinerLink by, PendingEvent pending, JoinResult.Status status, String reason);

        /** A message was dealt with, or the session broke. */
        void afterAnswers();
    }

    /** Something is wrong that would meet every event that is sent here. */
    void slowDown() {
        pace.trouble(loop.nanoTime());
    }

    void good() {
        pace.good();
    }

    /** How long nothing may be sent here; 0: now. */
    long pauseNanos(long nanoTime) {
        return pace.pauseNanos(nanoTime);
    }

    JoinerChoice.State state(long nanoTime) {
        return new JoinerChoice.State(sent.size(), pauseNanos(nanoTime) > 0, pace.trusted());
    }

    /**
     * Sends what has waited longest, one message.
     *
     * @return how many events
     */
    int send(int eventsMax) {
        SessionCaller.Session<JoinRequest> to = session();
        JoinRequest message = nextMessage(Math.min(ITEMS_MAX, eventsMax));
        to.send(message);
        return message.getItemsCount();
    }

    private SessionCaller.Session<JoinRequest> session() {
        SessionCaller.Session<JoinRequest> open = session;
        if (open == null) {
            listener = new Listener();
            open = joiner.open(listener);
            session = open;
        }
        return open;
    }

    private JoinRequest nextMessage(int itemsMax) {
        JoinRequest.Builder message = JoinRequest.newBuilder();
        long bytes = 0;
        while (message.getItemsCount() < itemsMax && bytes < MESSAGE_BYTES_MAX) {
            PendingEvent pending = waiting.poll();
            if (pending == null) {
                break;
            }
            long number = ++lastNumber;
            sent.put(number, pending);
            message.addItems(item(number, pending));
            bytes += pending.event.weight();
        }
        return message.build();
    }

    private JoinItem item(long number, PendingEvent pending) {
        CommitToken lost = pending.taken == null ? null : pending.taken.row().key().lostToken();
        ByteString lostToken = lost == null ? ByteString.EMPTY : Packed.tokens(List.of(lost));
        JoinItem.Builder item =
                JoinItem.newBuilder()
                        .setNumber(number)
                        .setEvent(pending.event.toProto())
                        .setLostToken(lostToken)
                        .setAttemptOpen(pending.attemptOpen)
                        .setJoinedWithout(pending.isWatched());
        if (tracer.isOn()) {
            AttemptTracer.Attempt traced = pending.traced();
            item.setTraceSpan(tracer.span(traced)).setRetried(traced.retried());
        }
        return item.build();
    }

    /** Ends the session; what was not answered stays unsettled. */
    void close() {
        listener = null;
        if (session != null) {
            session.close();
            session = null;
        }
    }

    /** One session's ear: deaf once another session has begun. */
    private final class Listener implements SessionCaller.Listener<JoinResponse> {
        @Override
        public void received(JoinResponse message) {
            if (listener != this) {
                return;
            }
            for (JoinResult result : message.getResultsList()) {
                PendingEvent pending = sent.remove(result.getNumber());
                if (pending != null) {
                    answers.answered(
                            JoinerLink.this, pending, result.getStatus(), result.getReason());
                }
            }
            answers.afterAnswers();
        }

        @Override
        public void broken(String why) {
            if (listener != this) {
                return;
            }
            listener = null;
            session = null;
            log.info("A session to a joiner broke with {} unanswered: {}", sent.size(), why);
            List<PendingEvent> unanswered = new ArrayList<>(sent.values());
            sent.clear();
            for (int i = unanswered.size() - 1; i >= 0; i--) {
                PendingEvent pending = unanswered.get(i);
                pending.attemptOpen = true;
                waiting.addFirst(pending);
            }
            slowDown();
            answers.afterAnswers();
        }
    }
}
