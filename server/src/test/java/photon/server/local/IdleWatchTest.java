package photon.server.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import photon.server.local.IdleRule.Observation;

class IdleWatchTest {
    private static final long SECOND = 1_000_000_000;

    private final List<CompletableFuture<?>> retries = new ArrayList<>();
    private int deferredTried;
    private int published;
    private long polls;
    private final IdleWatch watch =
            new IdleWatch(
                    Duration.ofSeconds(2),
                    () -> deferredTried++,
                    () -> {
                        CompletableFuture<?> retry = new CompletableFuture<>();
                        retries.add(retry);
                        return retry;
                    },
                    () -> published++);

    private boolean look(long progress, long second) {
        return watch.isDone(
                new Observation(progress, true, List.of(polls++), 0, 0, 0, 0), second * SECOND);
    }

    @Test
    @Timeout(60)
    void aRetryThatDoesNotEndHoldsUpNobodyWhoLooks() {
        for (int second = 0; second < 100; second++) {
            assertThat(look(1, second)).isFalse();
        }
        assertThat(retries).hasSize(1);
        retries.get(0).complete(null);
        assertThat(look(1, 100)).as("what the retry moved is not seen yet").isFalse();
        assertThat(look(1, 101)).isTrue();
    }

    @Test
    void whatComesDuringARetryMakesAnotherOne() {
        look(1, 0);
        look(1, 1);
        look(2, 2); // perhaps what a waiting event waits for, behind its retry
        retries.get(0).complete(null);
        look(2, 3);
        assertThat(look(2, 10)).isFalse();
        assertThat(retries).hasSize(2);
        retries.get(1).complete(null);
        look(2, 11);
        assertThat(look(2, 12)).isTrue();
    }

    @Test
    void aRetryThatFailedFailsTheRun() {
        look(1, 0);
        look(1, 1);
        retries.get(0).completeExceptionally(new IllegalStateException("dispatcher gone"));
        assertThatThrownBy(() -> look(1, 2)).isInstanceOf(CompletionException.class);
    }

    @Test
    void whatKeepsItFromItsEndAloneIsPublished() {
        Observation unpublished = new Observation(1, true, List.of(polls++), 0, 0, 0, 3);
        for (int second = 0; second < 5; second++) {
            assertThat(watch.isDone(unpublished, second * SECOND)).isFalse();
        }
        assertThat(published).isPositive();
        assertThat(retries).isEmpty();
        assertThat(deferredTried).isZero();
    }

    @Test
    void whatIsDeferredIsTried() {
        Observation deferred = new Observation(1, true, List.of(polls++), 0, 3, 3, 0);
        assertThat(watch.isDone(deferred, 0)).isFalse();
        assertThat(watch.isDone(deferred, SECOND)).isFalse();
        assertThat(deferredTried).isEqualTo(1);
        assertThat(published).isZero();
        assertThat(retries).isEmpty();
    }
}
