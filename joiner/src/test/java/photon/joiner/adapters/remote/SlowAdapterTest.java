package photon.joiner.adapters.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static photon.joiner.adapters.remote.RemoteAdapterTest.figure;
import static photon.joiner.adapters.remote.RemoteAdapterTest.pair;
import static photon.joiner.adapters.remote.RemoteAdapterTest.pairs;
import static photon.joiner.adapters.remote.RemoteAdapterTest.reasons;
import static photon.joiner.adapters.remote.RemoteAdapterTest.retry;

import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import photon.core.testing.Await;
import photon.joiner.adapters.AdapterDecision;
import photon.joiner.adapters.PairAdapter;
import photon.proto.adapter.v1.Answer;
import photon.proto.adapter.v1.Answers;
import photon.proto.adapter.v1.Batch;
import photon.proto.adapter.v1.FromAdapter;

/**
 * An adapter in another process that answers late or never. This process may pause, too, so that an
 * answer that came at once is late: such a round is repeated.
 */
class SlowAdapterTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final Duration LONG = Duration.ofMinutes(3);

    private static PairAdapter connect(FakeAdapter to) {
        return RemoteAdapterTest.connect(TIMEOUT, to.address());
    }

    private interface Round {
        /** False: a pause has made late what was to come in time. */
        boolean withoutAPause() throws Exception;
    }

    private static void untilWithoutAPause(Round round) throws Exception {
        Await.until(LONG, "a round without a pause", () -> "", round::withoutAPause);
    }

    private static boolean wasPaused(long sinceNanos) {
        return System.nanoTime() - sinceNanos > TIMEOUT.toNanos() / 2;
    }

    @Test
    void oneThatHangsIsAskedAgainInAnotherSession() throws Exception {
        try (FakeAdapter fake =
                        new FakeAdapter(0) {
                            @Override
                            void answer(int session, Batch batch, StreamObserver<FromAdapter> out) {
                                if (session > 1) {
                                    super.answer(session, batch, out);
                                }
                            }
                        };
                PairAdapter adapter = connect(fake)) {
            assertThat(retry(adapter.joinAll(pairs(2)).get(1)))
                    .contains(fake.address() + ": it gave no answer within adapter.timeout, 5s");
            List<String> answered =
                    Await.answer(
                            LONG,
                            "answers",
                            reasons -> !reasons.contains("retry"),
                            () -> reasons(adapter.joinAll(pairs(2))));
            assertThat(answered).containsExactly("skip f0", "skip f1");
        }
    }

    /** As one in a single thread with a long queue is: to give up would waste what it does. */
    @Test
    void oneThatAnswersOthersMeanwhileIsWaitedForAndDoesNotHang() throws Exception {
        untilWithoutAPause(SlowAdapterTest::oneThatAnswersOthersMeanwhileIsWaitedFor);
    }

    private static boolean oneThatAnswersOthersMeanwhileIsWaitedFor() throws Exception {
        ExecutorService thread = Executors.newSingleThreadExecutor();
        CompletableFuture<Runnable> answer = new CompletableFuture<>();
        try (FakeAdapter fake =
                        new FakeAdapter(0) {
                            @Override
                            void answer(int session, Batch batch, StreamObserver<FromAdapter> out) {
                                if (batch.getPairs(0).getForeign().getId().equals("f0")) {
                                    answer.complete(() -> super.answer(session, batch, out));
                                } else {
                                    super.answer(session, batch, out);
                                }
                            }
                        };
                PairAdapter adapter = connect(fake)) {
            long begin = System.nanoTime();
            long last = begin;
            Future<List<AdapterDecision>> slow = thread.submit(() -> adapter.joinAll(pairs(1)));
            Runnable slowAnswer = answer.get();
            while (last - begin < TIMEOUT.toNanos() * 3 / 2) {
                List<String> meanwhile = reasons(adapter.joinAll(List.of(pair(7))));
                if (wasPaused(last)) {
                    return false;
                }
                last = System.nanoTime();
                assertThat(meanwhile).containsExactly("skip f7");
            }
            boolean waited = !slow.isDone();
            slowAnswer.run();
            List<String> atLast = reasons(slow.get());
            if (wasPaused(last)) {
                return false;
            }
            assertThat(waited).isTrue();
            assertThat(atLast).containsExactly("skip f0");
            assertThat(fake.sessions).hasValue(1);
            return true;
        } finally {
            thread.shutdownNow();
        }
    }

    @Test
    void aLateAnswerCountsForNothing() throws Exception {
        untilWithoutAPause(SlowAdapterTest::aLateAnswerComes);
    }

    private static boolean aLateAnswerComes() throws Exception {
        List<Runnable> late = Collections.synchronizedList(new ArrayList<>());
        try (FakeAdapter fake =
                        new FakeAdapter(0) {
                            @Override
                            void answer(int session, Batch batch, StreamObserver<FromAdapter> out) {
                                late.forEach(Runnable::run);
                                late.clear();
                                send(out, Answers.newBuilder().addAnswers(skip(batch.getPairs(0))));
                                if (batch.getPairsCount() > 1) {
                                    Answer.Builder slow = skip(batch.getPairs(1));
                                    late.add(
                                            () -> send(out, Answers.newBuilder().addAnswers(slow)));
                                }
                            }
                        };
                PairAdapter adapter = connect(fake)) {
            List<String> first = reasons(adapter.joinAll(pairs(2)));
            if (first.get(0).equals("retry")) {
                return false;
            }
            assertThat(first).containsExactly("skip f0", "retry");
            long begin = System.nanoTime();
            List<String> second = reasons(adapter.joinAll(pairs(1)));
            if (wasPaused(begin)) {
                return false;
            }
            assertThat(second).containsExactly("skip f0");
            assertThat(fake.sessions).hasValue(1);
            assertThat(figure(adapter, "remote_faults")).isZero();
            return true;
        }
    }
}
