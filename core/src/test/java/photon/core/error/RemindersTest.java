package photon.core.error;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class RemindersTest {
    private final Reminders<String> reminders = new Reminders<>();

    private boolean isDue(String trouble, long second) {
        return reminders.isDue(trouble, second * 1_000_000_000L);
    }

    @Test
    void aTroubleIsToldWhenItBeginsAndEveryTenMinutes() {
        assertThat(isDue("disk", 0)).isTrue();
        assertThat(isDue("disk", 599)).isFalse();
        assertThat(isDue("net", 599)).as("another one").isTrue();
        assertThat(isDue("disk", 600)).isTrue();
        assertThat(isDue("disk", 601)).isFalse();
    }

    @Test
    void oneThatComesBackIsTold() {
        assertThat(isDue("disk", 0)).isTrue();
        assertThat(reminders.isOver("disk")).isTrue();
        assertThat(reminders.isOver("disk")).isFalse();
        assertThat(isDue("disk", 1)).isTrue();
        reminders.retain(List.of());
        assertThat(isDue("disk", 2)).isTrue();
    }
}
