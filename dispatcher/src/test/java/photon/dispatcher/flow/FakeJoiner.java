package photon.dispatcher.flow;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import photon.core.event.LogEvent;
import photon.core.loop.EventLoop;
import photon.core.rpc.SessionCaller;
import photon.proto.v1.JoinItem;
import photon.proto.v1.JoinRequest;
import photon.proto.v1.JoinResponse;
import photon.proto.v1.JoinResult;

/** A joiner that answers as the test says, when the test says; its sessions break on demand. */
final class FakeJoiner implements SessionCaller<JoinRequest, JoinResponse> {
    private final EventLoop loop;
    final List<JoinItem> received = new ArrayList<>();

    /**
     * What was joined by any joiner, by the events' ids for people: decided when it arrives,
     * answered later.
     */
    final Set<String> joined;

    Function<JoinItem, JoinResult.Status> answers = item -> JoinResult.Status.JOINED;
    String reason = "said so";

    /** What is joined is joined without its primary event. */
    boolean without;

    Duration delay = Duration.ofMillis(3);
    int unanswered;

    /** Sessions break as they are opened, as when nobody listens there. */
    boolean away;

    int unansweredAMaximum;
    int itemsAMaximum;
    private @Nullable Open open;

    FakeJoiner(EventLoop loop, Set<String> joined) {
        this.loop = loop;
        this.joined = joined;
    }

    static LogEvent event(JoinItem item) {
        return LogEvent.fromProto(item.getEvent());
    }

    @Override
    public Session<JoinRequest> open(Listener<JoinResponse> listener) {
        Open opened = new Open(listener);
        open = opened;
        if (away) {
            breakSession();
        }
        return opened;
    }

    @Override
    public void close() {}

    /** Ends the session: what it has not answered it never will. */
    void breakSession() {
        if (open != null) {
            Open broken = open;
            open = null;
            unanswered = 0;
            broken.closed = true;
            loop.execute(() -> broken.listener.broken("cut by the test"));
        }
    }

    private final class Open implements Session<JoinRequest> {
        private final Listener<JoinResponse> listener;
        private boolean closed;

        Open(Listener<JoinResponse> listener) {
            this.listener = listener;
        }

        @Override
        public void send(JoinRequest message) {
            if (closed) {
                return;
            }
            itemsAMaximum = Math.max(itemsAMaximum, message.getItemsCount());
            unanswered += message.getItemsCount();
            unansweredAMaximum = Math.max(unansweredAMaximum, unanswered);
            JoinResponse.Builder answer = JoinResponse.newBuilder();
            for (JoinItem item : message.getItemsList()) {
                received.add(item);
                JoinResult.Status status = answers.apply(item);
                if (status == JoinResult.Status.JOINED
                        || status == JoinResult.Status.JOINED_ELSEWHERE) {
                    joined.add(event(item).idText());
                }
                answer.addResults(
                        JoinResult.newBuilder()
                                .setNumber(item.getNumber())
                                .setStatus(status)
                                .setReason(
                                        status == JoinResult.Status.JOINED && !without
                                                ? ""
                                                : reason));
            }
            loop.schedule(
                    delay,
                    () -> {
                        if (!closed) {
                            unanswered -= message.getItemsCount();
                            listener.received(answer.build());
                        }
                    });
        }

        @Override
        public void close() {
            closed = true;
        }
    }
}
