package photon.idregistry.raft;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class LogCutsTest {
    private final LogCuts cuts = new LogCuts();

    @Test
    void aFlushBehindTheLastCutMakesTheFlushIndexRight() throws Exception {
        assertThat(cuts.none()).isTrue();
        CompletableFuture<Void> first = cuts.queued();
        CompletableFuture<Void> second = cuts.queued();
        assertThat(first).isDone();
        assertThat(cuts.none()).isFalse();
        // A flush of what was written before.
        cuts.flushing();
        assertThat(cuts.none()).isFalse();
        first.get();
        cuts.flushing();
        assertThat(cuts.none()).isFalse();
        second.get();
        assertThat(cuts.none()).isFalse();
        cuts.flushing();
        assertThat(cuts.none()).isTrue();
    }
}
