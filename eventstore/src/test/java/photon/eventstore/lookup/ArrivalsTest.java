package photon.eventstore.lookup;

import static org.assertj.core.api.Assertions.assertThat;
import static photon.eventstore.Events.event;
import static photon.eventstore.Events.key;

import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import photon.core.loop.ManualLoop;
import photon.core.rpc.SessionHandler.Session;
import photon.eventstore.index.IndexBatch;
import photon.eventstore.index.MemoryLogIndex;
import photon.proto.v1.AwaitRequest;
import photon.proto.v1.Event;

class ArrivalsTest {
    private final ManualLoop sessionLoop = new ManualLoop();
    private final ManualLoop indexLoop = new ManualLoop();
    private final MemoryLogIndex log = new MemoryLogIndex();
    private final Arrivals arrivals = new Arrivals(sessionLoop, indexLoop, log);

    @Test
    void whatIsWaitedForIsToldOnceWhenItHasBeenIndexed() {
        List<ByteString> told = new ArrayList<>();
        Session<AwaitRequest> session = open(told);
        await(session, "q1", "q2", "q1");
        assertThat(arrivals.awaited()).isEqualTo(2);
        index("q0");
        assertThat(told).isEmpty();
        index("q1", "q3", "q1");
        assertThat(told).containsExactly(key("q1"));
        index("q1");
        assertThat(told).hasSize(1);
        assertThat(arrivals.awaited()).isEqualTo(1);
        assertThat(arrivals.told()).isEqualTo(1);
    }

    @Test
    void whatHasJustComeIsToldAtOnce() {
        List<ByteString> told = new ArrayList<>();
        index("q1");
        await(open(told), "q1", "q2");
        assertThat(told).containsExactly(key("q1"));
        assertThat(arrivals.awaited()).isEqualTo(1);
    }

    @Test
    void eachSessionHearsWhatItWaitsForUntilItEnds() {
        List<ByteString> one = new ArrayList<>();
        List<ByteString> other = new ArrayList<>();
        Session<AwaitRequest> first = open(one);
        await(first, "q1", "q2");
        await(open(other), "q1", "q2");
        index("q1");
        first.closed();
        indexLoop.runUntilIdle();
        assertThat(arrivals.awaited()).isEqualTo(1);
        index("q2");
        assertThat(one).containsExactly(key("q1"));
        assertThat(other).containsExactly(key("q1"), key("q2"));
        assertThat(arrivals.awaited()).isZero();
    }

    @Test
    void theEldestAreForgottenAndKeysOfNoUseAreNotKept() {
        List<ByteString> told = new ArrayList<>();
        Session<AwaitRequest> session = open(told);
        session.received(
                AwaitRequest.newBuilder()
                        .addKeys(ByteString.copyFrom(new byte[Arrivals.KEY_BYTES_MAX + 1]))
                        .build());
        indexLoop.runUntilIdle();
        assertThat(arrivals.awaited()).isZero();
        await(
                session,
                IntStream.range(0, Arrivals.KEYS_A_SESSION_MAX + 2)
                        .mapToObj(i -> "q" + i)
                        .toArray(String[]::new));
        assertThat(arrivals.awaited()).isEqualTo(Arrivals.KEYS_A_SESSION_MAX);
        index("q1");
        assertThat(told).isEmpty();
        index("q2");
        assertThat(told).containsExactly(key("q2"));
    }

    @Test
    void whileTheLoopStandsStillNoMoreWaitsThanIsKept() {
        List<ByteString> told = new ArrayList<>();
        Session<AwaitRequest> session = open(told);
        int asked = Arrivals.KEYS_A_SESSION_MAX + 10_000;
        for (int i = 0; i < asked; i++) {
            session.received(AwaitRequest.newBuilder().addKeys(key("q" + i)).build());
        }
        assertThat(indexLoop.queued()).isEqualTo(1);
        run();
        assertThat(arrivals.awaited()).isEqualTo(Arrivals.KEYS_A_SESSION_MAX);
        index("q0", "q" + (asked - 1));
        assertThat(told).containsExactly(key("q0"));
        // It is kept up with again.
        await(session, "q" + (asked - 1), "later");
        assertThat(told).contains(key("q" + (asked - 1)));
        index("later");
        assertThat(told).contains(key("later"));
    }

    @Test
    void betweenTwoThousandsOfKeysTheLoopGoesOn() {
        Session<AwaitRequest> session = open(new ArrayList<>());
        AwaitRequest.Builder request = AwaitRequest.newBuilder();
        IntStream.range(0, 10_000).forEach(i -> request.addKeys(key("q" + i)));
        session.received(request.build());
        List<Integer> awaited = new ArrayList<>();
        indexLoop.execute(() -> awaited.add(arrivals.awaited()));
        run();
        assertThat(awaited).singleElement().isEqualTo(4_096);
        assertThat(arrivals.awaited()).isEqualTo(10_000);

        session.received(request.build());
        session.closed();
        run();
        assertThat(arrivals.awaited()).isZero();
    }

    private Session<AwaitRequest> open(List<ByteString> told) {
        return arrivals.opened(message -> told.addAll(message.getKeysList()));
    }

    private void await(Session<AwaitRequest> session, String... ids) {
        AwaitRequest.Builder request = AwaitRequest.newBuilder();
        Arrays.stream(ids).forEach(id -> request.addKeys(key(id)));
        session.received(request.build());
        run();
    }

    private void index(String... ids) {
        List<Event> events = Arrays.stream(ids).map(id -> event(id, "{}")).toList();
        log.put(new IndexBatch(events, List.of(), 0));
        indexLoop.execute(() -> arrivals.indexed(events));
        run();
    }

    private void run() {
        indexLoop.runUntilIdle();
        sessionLoop.runUntilIdle();
    }
}
