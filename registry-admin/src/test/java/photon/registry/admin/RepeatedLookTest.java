package photon.registry.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RepeatedLookTest {
    private final List<Duration> looks = new ArrayList<>();

    private int look(Duration each) {
        looks.add(each);
        return looks.size();
    }

    @Test
    void itLooksAgainUntilItIsEnough() {
        assertThat(RepeatedLook.until(this::look, Duration.ofHours(1), seen -> seen == 3))
                .isEqualTo(3);
        assertThat(looks).hasSize(3).containsOnly(Duration.ofSeconds(3));
    }

    @Test
    void whatIsEnoughAtOnceIsLookedAtOnce() {
        assertThat(RepeatedLook.until(this::look, Duration.ofSeconds(1), seen -> true))
                .isEqualTo(1);
        assertThat(looks).containsExactly(Duration.ofSeconds(1));
    }

    @Test
    void whatIsNeverEnoughEndsWithItsPatience() {
        Duration patience = Duration.ofMillis(500);
        int last = RepeatedLook.until(this::look, patience, seen -> false);
        assertThat(last).isEqualTo(looks.size());
        assertThat(looks).as("the last, too, is whole").containsOnly(patience);
    }
}
