package photon.dispatcher.flow;

import com.google.protobuf.ByteString;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import photon.core.loop.EventLoop;
import photon.core.rpc.SessionCaller;
import photon.core.share.EventStoreShares;
import photon.proto.v1.AwaitRequest;
import photon.proto.v1.AwaitResponse;
import photon.storage.journal.JournalRow;

/**
 * Has the event stores tell when the primary events come that rows wait for: each is asked of the
 * stores that keep it. Only a hint (docs/protocol.md section 7): a row of which nothing is heard is
 * due after its back-off. So the newest are enough, and what a store was asked for is forgotten
 * when its session breaks. Main loop.
 */
final class WakeUps {
    /** Rows of a process, and so primary events: as many as an event store keeps. */
    static final int AWAITED_MAX = 65_536;

    static final Duration AFTER_FAILURE = Duration.ofSeconds(1);

    /** A primary event that never comes may have any number of rows. */
    static final int ROWS_A_KEY_MAX = 4_096;

    private static final int KEYS_A_MESSAGE_MAX = 4_096;

    private final EventStoreShares shares;
    private final List<Store> stores = new ArrayList<>();
    private final EventLoop loop;
    private final int awaitedMax;
    private final Consumer<List<JournalRow.Key>> woken;

    /** By the key of their primary event; the eldest first. */
    private final LinkedHashMap<ByteString, Waiting> awaited = new LinkedHashMap<>();

    /** In all of them. */
    private int rows;

    private boolean stopped;

    /** Rows that wait for one primary event. */
    private static final class Waiting {
        /** Most wait alone. */
        Collection<JournalRow.Key> rows;

        /** Stores that were asked for it, a bit each by place. */
        long asked;

        Waiting(JournalRow.Key row) {
            this.rows = List.of(row);
        }

        /** False: it is there, or there are too many. */
        boolean add(JournalRow.Key row) {
            if (rows.size() >= ROWS_A_KEY_MAX || rows.contains(row)) {
                return false;
            }
            if (rows.size() == 1) {
                rows = new LinkedHashSet<>(rows);
            }
            return rows.add(row);
        }
    }

    /**
     * @param awaitedMax rows that are known at one time
     * @param woken hears which rows are worth a try now
     */
    WakeUps(
            EventStoreCallers eventStores,
            EventLoop loop,
            int awaitedMax,
            Consumer<List<JournalRow.Key>> woken) {
        this.shares = eventStores.shares();
        this.loop = loop;
        this.awaitedMax = awaitedMax;
        this.woken = woken;
        for (EventStoreCallers.One one : eventStores.stores()) {
            stores.add(new Store(stores.size(), one.arrivals()));
        }
    }

    /**
     * The row waits in the journal by now, so that a hint that comes at once finds it there.
     *
     * @param primaryKey of the primary event that was not found
     */
    void await(ByteString primaryKey, JournalRow.Key row) {
        if (stopped) {
            return;
        }
        int[] owners = shares.owners(primaryKey);
        Waiting waiting = awaited.get(primaryKey);
        if (waiting == null) {
            if (!anyServes(owners)) {
                return;
            }
            waiting = new Waiting(row);
            awaited.put(primaryKey, waiting);
            rows++;
        } else if (waiting.add(row)) {
            rows++;
        }
        Iterator<Waiting> eldest = awaited.values().iterator();
        while (rows > awaitedMax && awaited.size() > 1) {
            rows -= eldest.next().rows.size();
            eldest.remove();
        }
        for (int owner : owners) {
            stores.get(owner).ask(primaryKey, waiting);
        }
    }

    private boolean anyServes(int[] owners) {
        for (int owner : owners) {
            if (!stores.get(owner).isPaused()) {
                return true;
            }
        }
        return false;
    }

    /** Sends what has gathered. */
    void flush() {
        stores.forEach(Store::flush);
    }

    void stop() {
        stopped = true;
        awaited.clear();
        rows = 0;
        stores.forEach(Store::stop);
    }

    private void came(List<ByteString> keys) {
        List<JournalRow.Key> due = new ArrayList<>();
        for (ByteString key : keys) {
            Waiting waiting = awaited.remove(key);
            if (waiting != null) {
                due.addAll(waiting.rows);
            }
        }
        rows -= due.size();
        if (!due.isEmpty()) {
            woken.accept(due);
        }
    }

    /** What no other store was asked for is not awaited any more. */
    private void forget(int store) {
        long others = ~(1L << store);
        awaited.values().removeIf(waiting -> (waiting.asked &= others) == 0);
        rows = awaited.values().stream().mapToInt(waiting -> waiting.rows.size()).sum();
    }

    /** One event store, and the session with it. */
    private final class Store {
        private final int place;
        private final SessionCaller<AwaitRequest, AwaitResponse> caller;
        private AwaitRequest.Builder asking = AwaitRequest.newBuilder();
        private SessionCaller.@Nullable Session<AwaitRequest> session;
        private @Nullable Listener listener;
        private long pausedUntilNanos = loop.nanoTime();

        Store(int place, SessionCaller<AwaitRequest, AwaitResponse> caller) {
            this.place = place;
            this.caller = caller;
        }

        boolean isPaused() {
            return loop.nanoTime() < pausedUntilNanos;
        }

        void ask(ByteString key, Waiting waiting) {
            if ((waiting.asked >> place & 1) == 1 || isPaused()) {
                return;
            }
            waiting.asked |= 1L << place;
            asking.addKeys(key);
            if (asking.getKeysCount() >= KEYS_A_MESSAGE_MAX) {
                flush();
            }
        }

        void flush() {
            if (asking.getKeysCount() == 0) {
                return;
            }
            SessionCaller.Session<AwaitRequest> open = session;
            if (open == null) {
                listener = new Listener(this);
                open = caller.open(listener);
                session = open;
            }
            AwaitRequest message = asking.build();
            asking = AwaitRequest.newBuilder();
            open.send(message);
        }

        void broken() {
            session = null;
            listener = null;
            asking = AwaitRequest.newBuilder();
            forget(place);
            pausedUntilNanos = loop.nanoTime() + AFTER_FAILURE.toNanos();
        }

        void stop() {
            listener = null;
            asking = AwaitRequest.newBuilder();
            if (session != null) {
                session.close();
            }
            caller.close();
        }
    }

    /** One session's ear: deaf once it has broken. */
    private final class Listener implements SessionCaller.Listener<AwaitResponse> {
        private final Store store;

        Listener(Store store) {
            this.store = store;
        }

        @Override
        public void received(AwaitResponse message) {
            if (store.listener == this) {
                came(message.getKeysList());
            }
        }

        @Override
        public void broken(String why) {
            if (store.listener == this) {
                store.broken();
            }
        }
    }
}
