package photon.server.health;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import photon.core.loop.LoopProbe;
import photon.core.loop.ManualLoop;
import photon.core.rpc.ProcessRpcs;

/** The life of a process, under a clock that the test moves. */
class HealthMonitorTest {
    private final ManualLoop loop = new ManualLoop();
    private final ManualLoop daemon = new ManualLoop();
    private final LoopProbe<String> probe = new LoopProbe<>("main", daemon, () -> "at work");
    private final HealthMonitor monitor =
            HealthMonitor.start(loop, new Peers(loop, new ProcessRpcs()));

    @AfterEach
    void close() {
        monitor.close();
    }

    private String ready() {
        return monitor.ready().text("readyz", true);
    }

    private static Check known(LoopProbe<String> probe) {
        return new Check(
                "work",
                "",
                now ->
                        probe.last() == null
                                ? Optional.of(Failure.seen("not known yet"))
                                : Optional.empty());
    }

    @Test
    void startsServesAndEnds() {
        assertThat(ready()).isEqualTo("[-]serving failed: starting\nreadyz check failed\n");
        loop.advance(Duration.ofMinutes(4));
        assertThat(ready()).isEqualTo("[-]serving failed: starting\nreadyz check failed\n");
        assertThat(monitor.live().passes()).as("a start may take long").isTrue();

        monitor.serving(DaemonChecks.of(List.of(known(probe)), List.of(probe)));
        loop.runUntilIdle();
        assertThat(ready()).contains("[+]serving ok\n[-]work failed: not known yet\n");
        daemon.runUntilIdle();
        loop.advance(Duration.ofSeconds(1));
        assertThat(ready())
                .isEqualTo("[+]serving ok\n[+]work ok\n[+]loop-main ok\nreadyz check passed\n");

        // Its loop stands still.
        loop.advance(Duration.ofSeconds(31));
        assertThat(ready())
                .contains("[-]loop-main failed: loop main has been busy with one thing for");
        assertThat(monitor.live().passes()).isTrue();
        loop.advance(Duration.ofSeconds(100));
        assertThat(monitor.live().passes()).isFalse();

        monitor.ending();
        assertThat(ready()).isEqualTo("[-]serving failed: ending\nreadyz check failed\n");
        loop.advance(Duration.ofSeconds(1));
        assertThat(ready()).isEqualTo("[-]serving failed: ending\nreadyz check failed\n");
        assertThat(monitor.live().passes()).as("it ends by itself").isTrue();
    }
}
