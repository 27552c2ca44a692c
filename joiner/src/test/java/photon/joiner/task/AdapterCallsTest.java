package photon.joiner.task;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import photon.core.loop.ManualLoop;
import photon.joiner.Events;
import photon.joiner.adapters.AdapterDecision;
import photon.joiner.adapters.AdapterFingerprint;
import photon.joiner.adapters.PairAdapter;
import photon.joiner.rules.Attempt;
import photon.proto.v1.Event;
import photon.proto.v1.JoinResult.Status;

/** An adapter whose calls take long. Threads are real, time is not. */
@Timeout(120)
class AdapterCallsTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final long WELL = 1;
    private static final long HEEDS = 2;
    private static final long HANGS = 3;

    private final ManualLoop loop = new ManualLoop();
    private final List<Thread> threads = new ArrayList<>();
    private final List<String> heard = new ArrayList<>();
    private final Semaphore inCall = new Semaphore(0);
    private final CountDownLatch end = new CountDownLatch(1);
    private int replaced;
    private int dropped;

    private final AdapterThreads pool =
            new AdapterThreads() {
                @Override
                public void execute(Runnable task) {
                    Thread thread = new Thread(task);
                    thread.setDaemon(true);
                    threads.add(thread);
                    thread.start();
                }

                @Override
                public int replaceOne() {
                    replaced++;
                    return replaced - dropped;
                }

                @Override
                public void dropOne() {
                    dropped++;
                }
            };

    private final AdapterCalls calls =
            new AdapterCalls(loop, new Slow(), pool, TIMEOUT, new Heard());

    @AfterEach
    void end() {
        end.countDown();
    }

    @Test
    void aCallThatTakesTooLongIsInterruptedAndItsEventTriedAgain() throws Exception {
        calls.join(pairs(WELL, HEEDS, WELL));
        inCall.acquire();
        passes(TIMEOUT.minusSeconds(1));
        assertThat(threads.get(0).isAlive()).isTrue();
        passes(TIMEOUT.dividedBy(2));
        ended(0);
        assertThat(heard)
                .containsExactly(
                        "1 Skip[reason=well]",
                        "2 Retry[reason=the adapter took longer than adapter.timeout, 30s]",
                        "1 Skip[reason=well]");
        assertThat(replaced).isZero();
    }

    @Test
    void aCallThatDoesNotHeedItCostsOneThreadAndNoOtherEvent() throws Exception {
        calls.join(pairs(WELL, HANGS, WELL));
        inCall.acquire();
        passes(TIMEOUT.multipliedBy(3));
        assertThat(replaced).isEqualTo(1);
        assertThat(threads).hasSize(2);
        ended(1);
        assertThat(heard)
                .containsExactly(
                        "1 Skip[reason=well]",
                        "3 Retry[reason=the adapter did not end, nor heed an interruption after adapter.timeout, 30s]",
                        "1 Skip[reason=well]");
        end.countDown();
        ended(0);
        assertThat(dropped).isEqualTo(1);
        assertThat(heard).as("what comes too late is not heard").hasSize(3);
    }

    @Test
    void tooManyCallsThatDoNotEndAreSaidToNeedANewProcess() throws Exception {
        for (int i = 0; i <= AdapterCalls.GIVEN_UP_MAX; i++) {
            assertThat(heard).noneMatch(said -> said.contains("do not heed"));
            // Each of another incarnation: they hang in one process.
            new AdapterCalls(loop, new Slow(), pool, TIMEOUT, new Heard()).join(pairs(HANGS));
            inCall.acquire();
            passes(TIMEOUT.multipliedBy(3));
        }
        assertThat(heard)
                .last()
                .asString()
                .startsWith("17 calls of the adapter have not ended")
                .contains("do not heed an interruption");
    }

    @Test
    void callsThatEndInTimeAreNotInterruptedHoweverManyTheyAre() throws Exception {
        calls.join(pairs(LongStream.range(0, 32).map(n -> WELL).toArray()));
        ended(0);
        passes(TIMEOUT.multipliedBy(5));
        assertThat(heard).hasSize(32).allMatch(said -> said.endsWith("Skip[reason=well]"));
    }

    private void passes(Duration time) {
        for (int i = 0; i < 100; i++) {
            loop.advance(time.dividedBy(100));
        }
    }

    /** What the thread hands over as its last is in the loop then. */
    private void ended(int thread) throws InterruptedException {
        threads.get(thread).join();
        loop.runUntilIdle();
    }

    private static List<PrimaryLookups.Found> pairs(long... events) {
        return LongStream.of(events)
                .mapToObj(
                        n ->
                                new PrimaryLookups.Found(
                                        new Attempt(
                                                (number, status, reason) -> {},
                                                n,
                                                Events.foreign(n),
                                                Events.id(n),
                                                null,
                                                false),
                                        Events.primary(Events.primaryKey(n))))
                .toList();
    }

    private final class Slow implements PairAdapter {
        @Override
        public AdapterDecision join(
                Event foreign, long foreignMicros, Event primary, long primaryMicros) {
            long n = foreignMicros - Events.id(0).micros();
            if (n == HEEDS) {
                inCall.release();
                try {
                    end.await();
                } catch (InterruptedException e) {
                    return new AdapterDecision.Skip("cut short");
                }
            } else if (n == HANGS) {
                inCall.release();
                boolean ended = false;
                while (!ended) {
                    try {
                        end.await();
                        ended = true;
                    } catch (InterruptedException e) {
                        // Goes on, as bad libraries do.
                    }
                }
            }
            return new AdapterDecision.Skip("well");
        }

        @Override
        public boolean runsInline() {
            return false;
        }

        @Override
        public AdapterFingerprint fingerprint() {
            throw new UnsupportedOperationException();
        }
    }

    private final class Heard implements AdapterCalls.Listener {
        @Override
        public void decided(Attempt attempt, AdapterDecision decision) {
            heard.add(attempt.number() + " " + decision);
        }

        @Override
        public void refused(Attempt attempt, Status status, String reason) {
            heard.add(attempt.number() + " " + status);
        }

        @Override
        public void tooManyDoNotEnd(String message) {
            heard.add(message);
        }
    }
}
