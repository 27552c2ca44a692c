package photon.dispatcher.flow;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import photon.core.loop.EventLoop;
import photon.core.rpc.Caller;
import photon.dispatcher.rules.FrontierGate;
import photon.dispatcher.rules.StoreFrontiers;
import photon.proto.v1.FrontierRequest;
import photon.proto.v1.FrontierResponse;

/**
 * Asks the event stores how far they have read, each as long as it is behind. One that gives no
 * answer keeps nothing waiting. Main loop.
 */
final class FrontierWatch {
    /** So soon what an event store has read can be joined. */
    static final Duration ASK_EVERY = Duration.ofMillis(50);

    static final Duration AFTER_FAILURE = Duration.ofSeconds(1);

    private final List<Store> stores = new ArrayList<>();
    private final StoreFrontiers frontiers;
    private final EventLoop loop;
    private final LongConsumer unreadFrom;
    private boolean stopped;

    /**
     * @param unreadFrom told what is heard, as {@link FrontierGate#unreadFrom} takes it
     */
    FrontierWatch(EventStoreCallers eventStores, EventLoop loop, LongConsumer unreadFrom) {
        for (EventStoreCallers.One one : eventStores.stores()) {
            stores.add(new Store(stores.size(), one.frontier()));
        }
        this.frontiers = new StoreFrontiers(stores.size(), eventStores.shares().copies());
        this.loop = loop;
        this.unreadFrom = unreadFrom;
    }

    /** Some event store may be behind: each is asked until it is not. */
    void begin() {
        if (!stopped) {
            stores.forEach(Store::begin);
        }
    }

    void stop() {
        stopped = true;
        stores.forEach(store -> store.caller.close());
    }

    private final class Store implements Caller.Reply<FrontierResponse> {
        private final int place;
        private final Caller<FrontierRequest, FrontierResponse> caller;
        private boolean watching;

        Store(int place, Caller<FrontierRequest, FrontierResponse> caller) {
            this.place = place;
            this.caller = caller;
        }

        void begin() {
            if (!watching) {
                watching = true;
                ask();
            }
        }

        private void ask() {
            if (!stopped) {
                caller.call(FrontierRequest.getDefaultInstance(), this);
            }
        }

        @Override
        public void answered(FrontierResponse answer) {
            if (stopped) {
                return;
            }
            watching = answer.hasUnreadMicros();
            frontiers.heard(place, watching ? answer.getUnreadMicros() : FrontierGate.OPEN);
            unreadFrom.accept(frontiers.unreadFrom());
            if (watching) {
                loop.schedule(ASK_EVERY, this::ask);
            }
        }

        @Override
        public void broken(String why) {
            if (!stopped) {
                frontiers.silent(place);
                unreadFrom.accept(frontiers.unreadFrom());
                loop.schedule(AFTER_FAILURE, this::ask);
            }
        }
    }
}
