package photon.dispatcher.flow;

import com.google.protobuf.ByteString;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import photon.core.loop.EventLoop;
import photon.core.rpc.SessionCaller;
import photon.proto.v1.AwaitRequest;
import photon.proto.v1.AwaitResponse;
import photon.storage.journal.JournalRow;

/**
 * Has the event store tell when the primary events come that rows wait for. Only a hint
 * (docs/protocol.md section 7): a row of which nothing is heard is due after its back-off. So the
 * newest are enough, and all are forgotten when the session breaks. Main loop.
 */
final class WakeUps {
    /** Of a process: as many as the event store keeps. */
    static final int AWAITED_MAX = 65_536;

    static final Duration AFTER_FAILURE = Duration.ofSeconds(1);

    private static final int KEYS_A_MESSAGE_MAX = 4_096;

    private final SessionCaller<AwaitRequest, AwaitResponse> eventStore;
    private final EventLoop loop;
    private final int awaitedMax;
    private final Consumer<List<JournalRow.Key>> woken;

    /** By the key of their primary event; the eldest first. */
    private final LinkedHashMap<ByteString, List<JournalRow.Key>> awaited = new LinkedHashMap<>();

    private AwaitRequest.Builder asking = AwaitRequest.newBuilder();
    private SessionCaller.@Nullable Session<AwaitRequest> session;
    private @Nullable Listener listener;
    private long pausedUntilNanos;
    private boolean stopped;

    /**
     * @param awaitedMax how many are awaited at one time
     * @param woken hears which rows are worth a try now
     */
    WakeUps(
            SessionCaller<AwaitRequest, AwaitResponse> eventStore,
            EventLoop loop,
            int awaitedMax,
            Consumer<List<JournalRow.Key>> woken) {
        this.eventStore = eventStore;
        this.loop = loop;
        this.awaitedMax = awaitedMax;
        this.woken = woken;
        this.pausedUntilNanos = loop.nanoTime();
    }

    /**
     * The row waits in the journal by now, so that a hint that comes at once finds it there.
     *
     * @param primaryKey of the primary event that was not found
     */
    void await(ByteString primaryKey, JournalRow.Key row) {
        if (stopped || loop.nanoTime() < pausedUntilNanos) {
            return;
        }
        List<JournalRow.Key> known = awaited.get(primaryKey);
        if (known == null) {
            // Most wait alone.
            awaited.put(primaryKey, List.of(row));
            asking.addKeys(primaryKey);
        } else if (!known.contains(row)) {
            List<JournalRow.Key> more = new ArrayList<>(known);
            more.add(row);
            awaited.put(primaryKey, more);
        }
        if (awaited.size() > awaitedMax) {
            Iterator<Map.Entry<ByteString, List<JournalRow.Key>>> eldest =
                    awaited.entrySet().iterator();
            eldest.next();
            eldest.remove();
        }
        if (asking.getKeysCount() >= KEYS_A_MESSAGE_MAX) {
            flush();
        }
    }

    /** Sends what has gathered. */
    void flush() {
        if (asking.getKeysCount() == 0) {
            return;
        }
        SessionCaller.Session<AwaitRequest> open = session;
        if (open == null) {
            listener = new Listener();
            open = eventStore.open(listener);
            session = open;
        }
        AwaitRequest message = asking.build();
        asking = AwaitRequest.newBuilder();
        open.send(message);
    }

    void stop() {
        stopped = true;
        forget();
        if (session != null) {
            session.close();
        }
        eventStore.close();
    }

    private void forget() {
        listener = null;
        awaited.clear();
        asking = AwaitRequest.newBuilder();
    }

    /** One session's ear: deaf once it has broken. */
    private final class Listener implements SessionCaller.Listener<AwaitResponse> {
        @Override
        public void received(AwaitResponse message) {
            if (listener != this) {
                return;
            }
            List<JournalRow.Key> rows = new ArrayList<>();
            for (ByteString key : message.getKeysList()) {
                List<JournalRow.Key> waiting = awaited.remove(key);
                if (waiting != null) {
                    rows.addAll(waiting);
                }
            }
            if (!rows.isEmpty()) {
                woken.accept(rows);
            }
        }

        @Override
        public void broken(String why) {
            if (listener == this) {
                session = null;
                forget();
                pausedUntilNanos = loop.nanoTime() + AFTER_FAILURE.toNanos();
            }
        }
    }
}
