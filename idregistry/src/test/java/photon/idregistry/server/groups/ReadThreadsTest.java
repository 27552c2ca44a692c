package photon.idregistry.server.groups;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class ReadThreadsTest {
    private final List<String> bugs = Collections.synchronizedList(new ArrayList<>());
    private final ReadThreads threads =
            new ReadThreads("reads", (where, bug) -> bugs.add(where + ": " + bug.getMessage()));

    @Test
    void aReadThatThrowsIsToldAndTheNextIsDone() throws Exception {
        CountDownLatch done = new CountDownLatch(20);
        for (int i = 0; i < 20; i++) {
            threads.execute(
                    () -> {
                        done.countDown();
                        throw new IllegalStateException("no such block");
                    });
        }
        assertThat(done.await(1, TimeUnit.MINUTES)).isTrue();
        threads.close();
        assertThat(bugs).hasSize(20).containsOnly("reads: no such block");
    }

    @Test
    void closeWaitsForReadsUnderWayInterruptsNoneAndTakesNoMore() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch refused = new CountDownLatch(1);
        AtomicBoolean interrupted = new AtomicBoolean();
        AtomicBoolean ended = new AtomicBoolean();
        threads.execute(
                () -> {
                    begun.countDown();
                    while (refused.getCount() > 0) {
                        Thread.onSpinWait();
                    }
                    interrupted.set(Thread.interrupted());
                    ended.set(true);
                });
        assertThat(begun.await(1, TimeUnit.MINUTES)).isTrue();
        Thread closing = new Thread(threads::close);
        closing.start();
        while (!threads.isClosed()) {
            Thread.onSpinWait();
        }
        threads.execute(() -> bugs.add("a read after the end"));
        assertThat(ended).isFalse();
        refused.countDown();
        closing.join(60_000);
        assertThat(closing.isAlive()).isFalse();
        assertThat(ended).isTrue();
        assertThat(interrupted).isFalse();
        assertThat(bugs).isEmpty();
    }
}
