package photon.server.configtest;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import photon.core.loop.ManualLoop;

class WaitingNoticeTest {
    private final ManualLoop loop = new ManualLoop();
    private final List<String> told = new ArrayList<>();

    @Test
    void whatComesSoonIsNotWaitedForInWords() {
        try (WaitingNotice notice = WaitingNotice.of("waiting for a", loop, told::add)) {
            loop.advance(Duration.ofSeconds(9));
            assertThat(notice).isNotNull();
        }
        loop.advance(Duration.ofMinutes(1));
        assertThat(told).isEmpty();
    }

    @Test
    void whatTakesLongIsToldOnce() {
        try (WaitingNotice notice = WaitingNotice.of("waiting for a", loop, told::add)) {
            loop.advance(Duration.ofMinutes(1));
            assertThat(notice).isNotNull();
        }
        assertThat(told).containsExactly("photon: waiting for a");
    }
}
