package photon.core.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import photon.core.error.BugException;

class ThreadLoopTest {
    private final List<Throwable> bugs = Collections.synchronizedList(new ArrayList<>());
    private final ThreadLoop loop = new ThreadLoop("test", 2, (where, bug) -> bugs.add(bug));

    @AfterEach
    void close() {
        loop.close();
    }

    @Test
    void newWorkIsRefusedAboveTheBoundAndContinuationsAreNot() throws Exception {
        CountDownLatch hold = new CountDownLatch(1);
        loop.execute(
                () -> {
                    try {
                        hold.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                });
        List<Integer> ran = new ArrayList<>();
        assertThat(loop.offer(() -> ran.add(1))).isTrue();
        assertThat(loop.offer(() -> ran.add(2))).isTrue();
        assertThat(loop.offer(() -> ran.add(3))).isFalse();
        CompletableFuture<Void> last = new CompletableFuture<>();
        loop.execute(() -> last.complete(null));
        hold.countDown();
        last.get(20, TimeUnit.SECONDS);
        assertThat(ran).containsExactly(1, 2);
        assertThat(loop.offer(() -> {})).isTrue();
    }

    @Test
    void aThrowingTaskIsABugAndTheLoopLivesOn() throws Exception {
        CompletableFuture<Void> after = new CompletableFuture<>();
        loop.execute(
                () -> {
                    throw new IllegalStateException("boom");
                });
        loop.schedule(Duration.ofMillis(1), () -> after.complete(null));
        after.get(20, TimeUnit.SECONDS);
        assertThat(bugs).singleElement().asString().contains("boom");
    }

    @Test
    void itsStateIsGuarded() {
        assertThatThrownBy(loop::checkInLoop)
                .isInstanceOf(BugException.class)
                .hasMessageContaining("Expected to run in loop test");
    }

    @Test
    void whatWaitsAtTheCloseIsDropped() {
        List<Integer> ran = new ArrayList<>();
        loop.schedule(Duration.ofHours(1), () -> ran.add(1));
        loop.close();
        loop.execute(() -> ran.add(2));
        assertThat(ran).isEmpty();
    }
}
