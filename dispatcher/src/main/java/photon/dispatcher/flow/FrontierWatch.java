package photon.dispatcher.flow;

import java.time.Duration;
import java.util.function.LongConsumer;
import photon.core.loop.EventLoop;
import photon.core.rpc.Caller;
import photon.dispatcher.rules.FrontierGate;
import photon.proto.v1.FrontierRequest;
import photon.proto.v1.FrontierResponse;

/**
 * Asks the event store how far it has read, as long as it is behind. One that gives no answer keeps
 * nothing waiting. Main loop.
 */
final class FrontierWatch {
    /** So soon what the event store has read can be joined. */
    static final Duration ASK_EVERY = Duration.ofMillis(50);

    static final Duration AFTER_FAILURE = Duration.ofSeconds(1);

    private final Caller<FrontierRequest, FrontierResponse> eventStore;
    private final EventLoop loop;
    private final LongConsumer unreadFrom;
    private boolean watching;
    private boolean stopped;

    /**
     * @param unreadFrom told what is heard, as {@link FrontierGate#unreadFrom} takes it
     */
    FrontierWatch(
            Caller<FrontierRequest, FrontierResponse> eventStore,
            EventLoop loop,
            LongConsumer unreadFrom) {
        this.eventStore = eventStore;
        this.loop = loop;
        this.unreadFrom = unreadFrom;
    }

    /** The event store may be behind: it is asked until it is not. */
    void begin() {
        if (!watching && !stopped) {
            watching = true;
            ask();
        }
    }

    private void ask() {
        if (!stopped) {
            eventStore.call(FrontierRequest.getDefaultInstance(), new Reply());
        }
    }

    void stop() {
        stopped = true;
        eventStore.close();
    }

    private final class Reply implements Caller.Reply<FrontierResponse> {
        @Override
        public void answered(FrontierResponse answer) {
            if (stopped) {
                return;
            }
            watching = answer.hasUnreadMicros();
            unreadFrom.accept(watching ? answer.getUnreadMicros() : FrontierGate.OPEN);
            if (watching) {
                loop.schedule(ASK_EVERY, FrontierWatch.this::ask);
            }
        }

        @Override
        public void broken(String why) {
            if (!stopped) {
                unreadFrom.accept(FrontierGate.OPEN);
                loop.schedule(AFTER_FAILURE, FrontierWatch.this::ask);
            }
        }
    }
}
