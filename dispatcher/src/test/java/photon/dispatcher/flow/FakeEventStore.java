package photon.dispatcher.flow;

import com.google.protobuf.ByteString;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import photon.core.loop.EventLoop;
import photon.core.rpc.Caller;
import photon.core.rpc.SessionCaller;
import photon.core.share.EventStoreShares;
import photon.dispatcher.rules.Frontier;
import photon.dispatcher.rules.FrontierGate;
import photon.proto.v1.AwaitRequest;
import photon.proto.v1.AwaitResponse;
import photon.proto.v1.FrontierRequest;
import photon.proto.v1.FrontierResponse;

/** Says how far it has read, and what has come, as a test sets it. */
final class FakeEventStore
        implements Caller<FrontierRequest, FrontierResponse>,
                SessionCaller<AwaitRequest, AwaitResponse> {
    private final EventLoop loop;
    long unreadMicros = FrontierGate.OPEN;

    /** Beside others with a backlog; {@link Frontier#NO_BACKLOG}: it says nothing of that. */
    long liveMicros = Frontier.NO_BACKLOG;

    long liveUnreadMicros = FrontierGate.OPEN;
    boolean broken;
    int asked;

    /** What the session that is open has asked for, by the keys' texts. */
    final Set<ByteString> awaited = new TreeSet<>(ByteString.unsignedLexicographicalComparator());

    int sessions;
    private @Nullable Listener<AwaitResponse> listener;

    FakeEventStore(EventLoop loop) {
        this.loop = loop;
    }

    EventStoreCallers callers() {
        return new EventStoreCallers(
                EventStoreShares.ofOne("eventstore-0"),
                List.of(new EventStoreCallers.One(this, this)));
    }

    @Override
    public void call(FrontierRequest request, Reply<FrontierResponse> reply) {
        asked++;
        if (broken) {
            loop.execute(() -> reply.broken("no connection"));
            return;
        }
        FrontierResponse.Builder answer = FrontierResponse.newBuilder();
        if (unreadMicros != FrontierGate.OPEN) {
            answer.setUnreadMicros(unreadMicros);
        }
        if (liveMicros != Frontier.NO_BACKLOG) {
            answer.setLiveMicros(liveMicros);
        }
        if (liveUnreadMicros != FrontierGate.OPEN) {
            answer.setLiveUnreadMicros(liveUnreadMicros);
        }
        loop.execute(() -> reply.answered(answer.build()));
    }

    @Override
    public Session<AwaitRequest> open(Listener<AwaitResponse> opened) {
        sessions++;
        listener = opened;
        if (broken) {
            breakSession();
        }
        return new Session<>() {
            @Override
            public void send(AwaitRequest message) {
                if (listener == opened) {
                    awaited.addAll(message.getKeysList());
                }
            }

            @Override
            public void close() {
                awaited.clear();
                listener = null;
            }
        };
    }

    void breakSession() {
        Listener<AwaitResponse> open = listener;
        listener = null;
        awaited.clear();
        if (open != null) {
            loop.execute(() -> open.broken("cut by the test"));
        }
    }

    /** Tells of all that is waited for. */
    void allCome() {
        tell(List.copyOf(awaited));
        awaited.clear();
    }

    void tell(List<ByteString> keys) {
        Listener<AwaitResponse> open = listener;
        if (open != null) {
            loop.execute(() -> open.received(AwaitResponse.newBuilder().addAllKeys(keys).build()));
        }
    }

    @Override
    public void close() {}
}
