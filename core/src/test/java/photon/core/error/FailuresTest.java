package photon.core.error;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

final class FailuresTest {
    @Test
    void theCauseIsTheSameHoweverManyStagesPassItOn() {
        IllegalStateException trouble = new IllegalStateException("trouble", new Exception("own"));
        CompletableFuture<Integer> failed = CompletableFuture.failedFuture(trouble);
        failed.whenComplete((v, failure) -> assertThat(Failures.cause(failure)).isSameAs(trouble));
        CompletableFuture<Throwable> heard =
                failed.thenApply(v -> v).thenApply(v -> v).handle((v, f) -> Failures.cause(f));
        assertThat(heard.join()).isSameAs(trouble);
    }

    @Test
    void oneWithoutACauseIsItself() {
        CompletionException bare = new CompletionException("bare", null);
        assertThat(Failures.cause(bare)).isSameAs(bare);
    }
}
