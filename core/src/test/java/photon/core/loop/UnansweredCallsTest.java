package photon.core.loop;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Test;

class UnansweredCallsTest {
    private final UnansweredCalls calls = new UnansweredCalls();

    @Test
    void theOldestCountsUntilItsLastPartIsAnswered() {
        assertThat(calls.oldestNanos()).isEmpty();
        UnansweredCalls.Call first = calls.sent(2, 10);
        UnansweredCalls.Call second = calls.sent(1, 20);
        UnansweredCalls.Call third = calls.sent(1, 30);
        first.answered();
        assertThat(calls.oldestNanos()).hasValue(10);
        second.answered();
        first.answered();
        assertThat(calls.oldestNanos()).as("the second was answered before").hasValue(30);
        third.answered();
        assertThat(calls.oldestNanos()).isEmpty();
        calls.sent(1, 40);
        assertThat(calls.oldestNanos()).hasValue(40);
    }

    @Test
    void asAPlainListWouldHaveIt() {
        Random random = new Random(7);
        List<UnansweredCalls.Call> open = new ArrayList<>();
        List<Long> sent = new ArrayList<>();
        for (long now = 0; now < 10_000; now++) {
            if (open.isEmpty() || random.nextInt(open.size() + 1) < 8) {
                open.add(calls.sent(1, now));
                sent.add(now);
            } else {
                int which = random.nextInt(open.size());
                open.remove(which).answered();
                sent.remove(which);
            }
            assertThat(calls.oldestNanos())
                    .isEqualTo(
                            sent.isEmpty() ? OptionalLong.empty() : OptionalLong.of(sent.get(0)));
        }
    }
}
