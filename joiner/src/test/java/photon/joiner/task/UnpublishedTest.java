package photon.joiner.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import photon.core.error.BugException;
import photon.joiner.Events;
import photon.joiner.rules.Attempt;

class UnpublishedTest {
    private final Unpublished unpublished = new Unpublished();

    private static List<Attempt> batch(long... events) {
        return LongStream.of(events)
                .mapToObj(
                        n ->
                                new Attempt(
                                        (number, status, reason) -> {},
                                        n,
                                        Events.foreign(n),
                                        Events.id(n),
                                        null,
                                        false))
                .toList();
    }

    @Test
    void theLowestCountsUntilItsWorkLogIsPublished() {
        assertThat(unpublished.lowestMicros()).isEqualTo(Long.MAX_VALUE);
        unpublished.flushed(batch(7, 5, 9));
        unpublished.flushed(batch(6));
        unpublished.flushed(batch(8, 10));
        assertThat(unpublished.lowestMicros()).isEqualTo(Events.id(5).micros());
        unpublished.published(4);
        assertThat(unpublished.lowestMicros()).isEqualTo(Events.id(8).micros());
        unpublished.published(2);
        assertThat(unpublished.lowestMicros()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void aPublishedLogOfHalfABatchIsABug() {
        unpublished.flushed(batch(1, 2));
        assertThatThrownBy(() -> unpublished.published(1)).isInstanceOf(BugException.class);
    }
}
