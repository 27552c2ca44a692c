package photon.idregistry.raft;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

class LogBarrierTest {
    /** Entries in the order in which they were appended, answered by the tests. */
    private final List<CompletableFuture<Long>> entries = new ArrayList<>();

    private final LogBarrier barrier =
            new LogBarrier(
                    () -> {
                        CompletableFuture<Long> entry = new CompletableFuture<>();
                        entries.add(entry);
                        return entry;
                    },
                    Runnable::run);

    @Test
    void whoComesWhileAnEntryIsUnderWaySharesTheNextOne() {
        CompletableFuture<Long> first = barrier.index();
        CompletableFuture<Long> second = barrier.index();
        CompletableFuture<Long> third = barrier.index();
        assertThat(entries).hasSize(1);

        entries.get(0).complete(7L);
        assertThat(first).isCompletedWithValue(7L);
        assertThat(second).as("that entry may be older than what it must see").isNotDone();
        assertThat(entries).hasSize(2);

        entries.get(1).complete(9L);
        assertThat(second).isCompletedWithValue(9L);
        assertThat(third).isCompletedWithValue(9L);
        assertThat(entries).as("nobody waits").hasSize(2);

        CompletableFuture<Long> fourth = barrier.index();
        entries.get(2).complete(11L);
        assertThat(fourth).isCompletedWithValue(11L);
    }

    @Test
    void anEntryThatFailsTellsThoseWhoWaitForItAlone() {
        CompletableFuture<Long> first = barrier.index();
        CompletableFuture<Long> second = barrier.index();
        entries.get(0).completeExceptionally(new IOException("no leader"));
        assertThat(first).isCompletedExceptionally();
        assertThat(second).isNotDone();
        entries.get(1).complete(3L);
        assertThat(second).isCompletedWithValue(3L);
    }

    @Test
    void whoGivesUpTakesNothingFromTheOthers() {
        barrier.index().complete(1L);
        CompletableFuture<Long> second = barrier.index();
        CompletableFuture<Long> third = barrier.index();
        second.cancel(false);
        entries.get(0).complete(3L);
        entries.get(1).complete(5L);
        assertThat(third).isCompletedWithValue(5L);
    }

    @Test
    void manyThatFailAtOnceLeaveNothingBehind() {
        LogBarrier unsure =
                new LogBarrier(
                        () -> {
                            throw new IllegalStateException("closed");
                        },
                        Runnable::run);
        for (int i = 0; i < 100; i++) {
            assertThat(unsure.index()).isCompletedExceptionally();
        }
        LogBarrier sure =
                new LogBarrier(() -> CompletableFuture.completedFuture(4L), Runnable::run);
        assertThat(sure.index()).isCompletedWithValue(4L);
        assertThat(sure.index()).isCompletedWithValue(4L);
    }

    @Test
    void whoHearsOfAnEntrysEndDoesNotBeginTheNext() {
        Deque<Runnable> work = new ArrayDeque<>();
        LogBarrier apart =
                new LogBarrier(
                        () -> {
                            CompletableFuture<Long> entry = new CompletableFuture<>();
                            entries.add(entry);
                            return entry;
                        },
                        work::add);
        apart.index();
        work.remove().run();
        CompletableFuture<Long> second = apart.index();
        entries.get(0).complete(1L);
        assertThat(entries).hasSize(1);
        CompletableFuture<Long> third = apart.index();
        work.remove().run();
        assertThat(work).isEmpty();
        entries.get(1).complete(2L);
        assertThat(second).isCompletedWithValue(2L);
        assertThat(third).as("it came before that entry was appended").isCompletedWithValue(2L);
    }

    @Test
    void aServerThatEndsServesNobody() {
        LogBarrier ended =
                new LogBarrier(
                        CompletableFuture::new,
                        task -> {
                            throw new RejectedExecutionException("closed");
                        });
        assertThat(ended.index()).isCompletedExceptionally();
        assertThat(ended.index()).isCompletedExceptionally();
    }
}
