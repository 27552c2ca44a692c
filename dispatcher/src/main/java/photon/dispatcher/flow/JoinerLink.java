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
import photon.dispatcher.rules.SenderPace;
import photon.proto.v1.JoinItem;
import photon.proto.v1.JoinRequest;
import photon.proto.v1.JoinResponse;
import photon.proto.v1.JoinResult;

/**
 * Sends events to the joiner and hears what became of them. When the session breaks, whatever was
 * not answered is sent again over the next one, marked as an open attempt: it may have been carried
 * out. Main loop.
 */
final class JoinerLink {
    private static final Logger log = LoggerFactory.getLogger(JoinerLink.class);
    private static final int ITEMS_MAX = 512;
    private static final int MESSAGE_BYTES_MAX = 4 << 20;

    private final SessionCaller<JoinRequest, JoinResponse> joiner;
    private final EventLoop loop;
    private final SenderPace pace;
    private final Counters counters;
    private final Answers answers;
    private final ArrayDeque<PendingEvent> waiting = new ArrayDeque<>();
    private final Map<Long, PendingEvent> sent = new LinkedHashMap<>();
    private SessionCaller.@Nullable Session<JoinRequest> session;
    private @Nullable Listener listener;
    private long lastNumber;

    JoinerLink(
            SessionCaller<JoinRequest, JoinResponse> joiner,
            EventLoop loop,
            SenderPace pace,
            Counters counters,
            Answers answers) {
        this.joiner = joiner;
        this.loop = loop;
        this.pace = pace;
        this.counters = counters;
        this.answers = answers;
    }

    /** Hears the answers. */
    interface Answers {
        void answered(PendingEvent pending, JoinResult.Status status, String reason);

        /** A message was dealt with, or the session broke. */
        void afterAnswers();
    }

    /** To be sent as soon as the pace allows. The caller bounds how many are on their way. */
    void add(PendingEvent pending) {
        waiting.add(pending);
    }

    /** Something is wrong that would meet every event. */
    void slowDown() {
        pace.trouble(loop.nanoTime());
    }

    void good() {
        pace.good();
    }

    /** How long the sender pauses; -1 if it has nothing to send. */
    long pauseNanos() {
        return waiting.isEmpty() ? -1 : pace.pauseNanos(loop.nanoTime());
    }

    void flush() {
        while (!waiting.isEmpty() && pace.pauseNanos(loop.nanoTime()) == 0) {
            SessionCaller.Session<JoinRequest> to = session();
            JoinRequest message = nextMessage();
            counters.sent += message.getItemsCount();
            to.send(message);
        }
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

    private JoinRequest nextMessage() {
        JoinRequest.Builder message = JoinRequest.newBuilder();
        long bytes = 0;
        while (message.getItemsCount() < ITEMS_MAX && bytes < MESSAGE_BYTES_MAX) {
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

    private static JoinItem item(long number, PendingEvent pending) {
        CommitToken lost = pending.taken == null ? null : pending.taken.row().key().lostToken();
        ByteString lostToken = lost == null ? ByteString.EMPTY : Packed.tokens(List.of(lost));
        return JoinItem.newBuilder()
                .setNumber(number)
                .setEvent(pending.event.toProto())
                .setLostToken(lostToken)
                .build();
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
                    answers.answered(pending, result.getStatus(), result.getReason());
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
            log.info("The session to the joiner broke with {} unanswered: {}", sent.size(), why);
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
