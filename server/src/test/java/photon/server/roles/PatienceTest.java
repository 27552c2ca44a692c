package photon.server.roles;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class PatienceTest {
    private static final Duration LOOK_EVERY = Duration.ofMillis(5);

    @Test
    void anAnswerIsAwaitedForAsLongAsSomethingMoves() throws Exception {
        CompletableFuture<String> answer = new CompletableFuture<>();
        AtomicInteger looks = new AtomicInteger();
        Patience patience =
                Patience.whileMoving(
                        Duration.ofNanos(1),
                        LOOK_EVERY,
                        () -> {
                            int look = looks.incrementAndGet();
                            if (look == 20) {
                                answer.complete("done");
                            }
                            // A standstill would be reached at once.
                            return look;
                        });
        // Each look is later than the one before by more than may pass without a move.
        assertThat(patience.await(answer)).isEqualTo("done");
        assertThat(looks).hasValueGreaterThanOrEqualTo(20);
    }

    @Test
    void whatStandsStillIsGivenUp() {
        Patience patience =
                Patience.whileMoving(Duration.ofMillis(20), LOOK_EVERY, () -> "no leader");
        assertThatThrownBy(() -> patience.await(new CompletableFuture<>()))
                .isInstanceOf(TimeoutException.class);
    }

    @Test
    void aFixedTimeEndsWhateverMoves() {
        assertThatThrownBy(
                        () -> Patience.of(Duration.ofMillis(20)).await(new CompletableFuture<>()))
                .isInstanceOf(TimeoutException.class);
    }
}
