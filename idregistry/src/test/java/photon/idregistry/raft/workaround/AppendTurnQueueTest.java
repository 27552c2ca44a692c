package photon.idregistry.raft.workaround;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import photon.idregistry.raft.TestNodes;
import photon.idregistry.raft.workaround.AppendTurnQueue.Turn;

@Timeout(300)
class AppendTurnQueueTest {
    private static final String GROUP = "group";
    private static final Turn ENTRIES_1 = Turn.ofLeader(1, true);
    private static final Turn ENTRIES_2 = Turn.ofLeader(2, true);
    private static final Turn HEARTBEAT_1 = Turn.ofLeader(1, false);
    private static final Turn HEARTBEAT_2 = Turn.ofLeader(2, false);
    private static final Turn OTHER = Turn.ofOther();

    private final AppendTurnQueue<String> turns = new AppendTurnQueue<>();
    private final Queue<String> done = new ConcurrentLinkedQueue<>();

    @AfterEach
    void nothingIsKept() {
        assertThat(turns.groups()).isZero();
    }

    @Test
    void whoAgreesWithWhom() {
        assertThat(ENTRIES_1.agreesWith(ENTRIES_1)).isTrue();
        assertThat(ENTRIES_1.agreesWith(HEARTBEAT_1)).isTrue();
        assertThat(HEARTBEAT_1.agreesWith(HEARTBEAT_2)).isTrue();
        assertThat(HEARTBEAT_1.agreesWith(OTHER)).isTrue();
        assertThat(OTHER.agreesWith(OTHER)).isTrue();
        for (Turn other : List.of(ENTRIES_2, HEARTBEAT_2, OTHER)) {
            assertThat(ENTRIES_1.agreesWith(other)).as("%s", other).isFalse();
            assertThat(other.agreesWith(ENTRIES_1)).as("%s", other).isFalse();
        }
    }

    @Test
    void whatMustBeAloneAgreesWithNobody() {
        for (Turn other : List.of(ENTRIES_1, HEARTBEAT_1, OTHER, Turn.alone())) {
            assertThat(Turn.alone().agreesWith(other)).as("%s", other).isFalse();
            assertThat(other.agreesWith(Turn.alone())).as("%s", other).isFalse();
        }
    }

    @Test
    void thoseWhoAgreeAndOtherGroupsDoNotWait() {
        turns.run(
                GROUP,
                ENTRIES_1,
                () ->
                        turns.run(
                                GROUP,
                                HEARTBEAT_1,
                                () -> {
                                    turns.run(GROUP, ENTRIES_1, () -> done.add("same"));
                                    turns.run("other", ENTRIES_2, () -> done.add("other"));
                                }));
        assertThat(done).containsExactly("same", "other");
    }

    private Thread start(String name, Turn turn, Runnable work) {
        Thread thread =
                new Thread(
                        () ->
                                turns.run(
                                        GROUP,
                                        turn,
                                        () -> {
                                            work.run();
                                            done.add(name);
                                        }));
        thread.setUncaughtExceptionHandler((t, e) -> done.add(name + " failed"));
        thread.start();
        return thread;
    }

    private static void awaitWaiting(Thread thread) {
        TestNodes.await(() -> thread.getState() == Thread.State.WAITING);
    }

    private static void pass(CountDownLatch gate) {
        try {
            gate.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void thoseWhoDoNotAgreeTakeTheirTurnsInOrder() throws Exception {
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch gate = new CountDownLatch(1);
        List<Thread> threads = new ArrayList<>();
        threads.add(
                start(
                        "old",
                        ENTRIES_1,
                        () -> {
                            inside.countDown();
                            pass(gate);
                        }));
        pass(inside);
        for (int n = 0; n < 3; n++) {
            Thread next = start("new" + n, Turn.ofLeader(2 + n, true), () -> {});
            awaitWaiting(next);
            threads.add(next);
        }
        // It agrees with who is at work, and not with those who came before it.
        Thread late = start("late", HEARTBEAT_1, () -> {});
        awaitWaiting(late);
        threads.add(late);
        // An interrupt does not let it in.
        late.interrupt();
        awaitWaiting(late);
        assertThat(done).isEmpty();
        gate.countDown();
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(done).containsExactly("old", "new0", "new1", "new2", "late");
    }

    @Test
    void whatFailsEndsItsTurn() throws Exception {
        IllegalStateException failure = new IllegalStateException("no");
        assertThatThrownBy(
                        () ->
                                turns.run(
                                        GROUP,
                                        ENTRIES_1,
                                        () -> {
                                            throw failure;
                                        }))
                .isSameAs(failure);
        start("next", ENTRIES_2, () -> {}).join();
        assertThat(done).containsExactly("next");
    }

    /** Real threads, so each run is another; a turn that is broken fails in most of them. */
    @Test
    void nobodyIsAtWorkBesideWhomHeDoesNotAgreeWith() throws Exception {
        ConcurrentHashMap<Object, Turn> atWork = new ConcurrentHashMap<>();
        AtomicInteger worked = new AtomicInteger();
        List<Thread> threads = new ArrayList<>();
        for (int n = 0; n < 4; n++) {
            Random random = new Random(n);
            Thread thread =
                    new Thread(
                            () -> {
                                for (int i = 0; i < 2_000; i++) {
                                    Turn turn =
                                            random.nextInt(4) == 0
                                                    ? OTHER
                                                    : Turn.ofLeader(
                                                            random.nextInt(3),
                                                            random.nextBoolean());
                                    turns.run(
                                            GROUP,
                                            turn,
                                            () -> {
                                                Object me = new Object();
                                                atWork.put(me, turn);
                                                Thread.yield();
                                                atWork.forEach(
                                                        (who, other) -> {
                                                            if (!who.equals(me)
                                                                    && !turn.agreesWith(other)) {
                                                                done.add(turn + " with " + other);
                                                            }
                                                        });
                                                atWork.remove(me);
                                                worked.incrementAndGet();
                                            });
                                }
                            });
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(done).isEmpty();
        assertThat(worked).hasValue(8_000);
    }
}
