package photon.dispatcher.flow;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import photon.core.loop.EventLoop;
import photon.core.rpc.Caller;
import photon.dispatcher.rules.Frontier;
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
    private final Consumer<Frontier> heard;
    private boolean stopped;

    /**
     * @param heard told what is heard of all event stores together
     */
    FrontierWatch(EventStoreCallers eventStores, EventLoop loop, Consumer<Frontier> heard) {
        for (EventStoreCallers.One one : eventStores.stores()) {
            stores.add(new Store(stores.size(), one.frontier()));
        }
        this.frontiers = new StoreFrontiers(stores.size(), eventStores.shares().copies());
        this.loop = loop;
        this.heard = heard;
    }

    /** Some event store may be behind: each is asked until it is not. */
    void begin() {
        if (!stopped) {
            stores.forEach(Store::begin);
        }
    }

    /** An older event store does not tell apart what it reads live. */
    private static Frontier frontier(FrontierResponse answer) {
        if (!answer.hasUnreadMicros()) {
            return Frontier.unread(FrontierGate.OPEN);
        }
        if (!answer.hasLiveMicros()) {
            return Frontier.unread(answer.getUnreadMicros());
        }
        return new Frontier(
                answer.getUnreadMicros(),
                answer.getLiveMicros(),
                answer.hasLiveUnreadMicros() ? answer.getLiveUnreadMicros() : FrontierGate.OPEN);
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
            frontiers.heard(place, frontier(answer));
            heard.accept(frontiers.all());
            if (watching) {
                loop.schedule(ASK_EVERY, this::ask);
            }
        }

        @Override
        public void broken(String why) {
            if (!stopped) {
                frontiers.silent(place);
                heard.accept(frontiers.all());
                loop.schedule(AFTER_FAILURE, this::ask);
            }
        }
    }
}
