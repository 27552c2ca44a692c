package photon.eventstore.lookup;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import com.google.protobuf.ByteString;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import photon.core.loop.EventLoop;
import photon.core.rpc.SessionHandler;
import photon.eventstore.index.LogIndex;
import photon.proto.v1.AwaitRequest;
import photon.proto.v1.AwaitResponse;
import photon.proto.v1.Event;

/**
 * Keeps the keys that dispatchers wait for, and tells them when such a primary event has been
 * indexed. A hint and no more (docs/protocol.md section 7): what would cost too much to keep, or
 * comes while the loop has no room, is dropped. Sessions are served in one loop; what they wait for
 * is kept by the loop that indexes, so that no event can come between a look and a note.
 */
public final class Arrivals implements SessionHandler<AwaitRequest, AwaitResponse> {
    /** What is kept for one session, and what may wait to be kept: about 10 MB each. */
    public static final int KEYS_A_SESSION_MAX = 65_536;

    static final int KEY_BYTES_MAX = 1_024;

    /** Between these the loop that indexes goes on with its work. */
    private static final int KEYS_NOTED_AT_ONCE = 4_096;

    private final EventLoop sessionLoop;
    private final EventLoop indexLoop;
    private final LogIndex index;
    private final Set<AwaitSession> waiting = new LinkedHashSet<>();
    private final AtomicInteger awaited = new AtomicInteger();
    private final LongAdder told = new LongAdder();

    /**
     * @param sessionLoop serves the sessions
     * @param indexLoop calls {@link #indexed}
     * @param index holds what {@link #indexed} was told of
     */
    public Arrivals(EventLoop sessionLoop, EventLoop indexLoop, LogIndex index) {
        this.sessionLoop = sessionLoop;
        this.indexLoop = indexLoop;
        this.index = index;
    }

    @Override
    public Session<AwaitRequest> opened(Consumer<AwaitResponse> out) {
        return new AwaitSession(out);
    }

    /** These can be looked up from now on. In the loop that indexes. */
    public void indexed(List<Event> events) {
        for (AwaitSession session : waiting) {
            session.indexed(events);
        }
    }

    /** Keys that are waited for. Thread-safe. */
    public int awaited() {
        return awaited.get();
    }

    /** Keys that sessions were told of. Thread-safe. */
    public long told() {
        return told.sum();
    }

    private final class AwaitSession implements Session<AwaitRequest> {
        private final Consumer<AwaitResponse> out;

        /** In the order in which they came. */
        private final LinkedHashSet<ByteString> keys = new LinkedHashSet<>();

        /**
         * What has come and is not noted yet. The loop that indexes may stand still for long, as on
         * a slow disk.
         */
        @GuardedBy("this")
        private final ArrayDeque<ByteString> asked = new ArrayDeque<>();

        /** The loop will look at them. */
        @GuardedBy("this")
        private boolean noting;

        /** In the loop that indexes. */
        private boolean over;

        AwaitSession(Consumer<AwaitResponse> out) {
            this.out = out;
        }

        @Override
        public void received(AwaitRequest message) {
            if (hasToBeNoted(message.getKeysList()) && !indexLoop.offer(this::noteSome)) {
                giveUp();
            }
        }

        /** True: nothing is about to note them. */
        private synchronized boolean hasToBeNoted(List<ByteString> came) {
            if (asked.size() >= KEYS_A_SESSION_MAX) {
                return false;
            }
            asked.addAll(came);
            boolean before = noting;
            noting = true;
            return !before;
        }

        private synchronized void giveUp() {
            asked.clear();
            noting = false;
        }

        private void noteSome() {
            if (over) {
                return;
            }
            List<ByteString> wanted = new ArrayList<>();
            boolean more;
            synchronized (this) {
                while (wanted.size() < KEYS_NOTED_AT_ONCE && !asked.isEmpty()) {
                    wanted.add(asked.remove());
                }
                noting = !asked.isEmpty();
                more = noting;
            }
            await(wanted);
            if (more) {
                indexLoop.execute(this::noteSome);
            }
        }

        @Override
        public void closed() {
            indexLoop.execute(
                    () -> {
                        over = true;
                        waiting.remove(this);
                        awaited.addAndGet(-keys.size());
                        keys.clear();
                    });
        }

        private void await(List<ByteString> wanted) {
            waiting.add(this);
            int before = keys.size();
            List<ByteString> there = new ArrayList<>();
            // It may have come while the foreign event was written down.
            List<@Nullable Event> held = index.get(wanted);
            for (int i = 0; i < wanted.size(); i++) {
                ByteString key = wanted.get(i);
                if (held.get(i) != null) {
                    there.add(key);
                } else if (key.size() <= KEY_BYTES_MAX && keys.add(key)) {
                    if (keys.size() > KEYS_A_SESSION_MAX) {
                        keys.remove(keys.iterator().next());
                    }
                }
            }
            awaited.addAndGet(keys.size() - before);
            tell(there);
        }

        void indexed(List<Event> events) {
            if (keys.isEmpty()) {
                return;
            }
            List<ByteString> came = new ArrayList<>();
            for (Event event : events) {
                if (keys.remove(event.getKey())) {
                    came.add(event.getKey());
                }
            }
            awaited.addAndGet(-came.size());
            tell(came);
        }

        private void tell(List<ByteString> came) {
            if (!came.isEmpty()) {
                told.add(came.size());
                AwaitResponse message = AwaitResponse.newBuilder().addAllKeys(came).build();
                sessionLoop.execute(() -> out.accept(message));
            }
        }
    }
}
