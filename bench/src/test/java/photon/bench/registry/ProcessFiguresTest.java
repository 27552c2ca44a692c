package photon.bench.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.UncheckedIOException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** {@link ProcessFigures} and {@link ThreadTimes}. */
class ProcessFiguresTest {
    private static final String STAT =
            "4711 (C2 Comp) (x)) S 1 2 3 4 5 6 7 8 9 10 250 31 0 0 20 0 1 0 99 0 0";

    @Test
    void aNameMayHoldParentheses() {
        ProcessFigures.Stat stat = ProcessFigures.Stat.parse(STAT);
        assertThat(stat.name()).isEqualTo("C2 Comp) (x)");
        assertThat(stat.cpuMicros()).isEqualTo(2_810_000);
    }

    @Test
    void sinceAndPlus() {
        ProcessFigures before = new ProcessFigures(100, 10, 1, 5_000);
        ProcessFigures after = new ProcessFigures(300, 40, 3, 6_000);
        ProcessFigures used = after.since(before);
        assertThat(used).isEqualTo(new ProcessFigures(200, 30, 2, 6_000));
        assertThat(used.plus(used)).isEqualTo(new ProcessFigures(400, 60, 4, 12_000));
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void thisProcessHasFigures() {
        ProcessFigures own = ProcessFigures.of(ProcessHandle.current().pid());
        assertThat(own.cpuMicros()).isPositive();
        assertThat(own.compilerMicros()).isBetween(0L, own.cpuMicros());
        assertThat(own.residentBytes()).isGreaterThan(10 << 20);
        assertThatThrownBy(() -> ProcessFigures.of(1L << 40))
                .isInstanceOf(UncheckedIOException.class);
    }

    @Test
    void threadsOfAKindAreOne() {
        Map<Long, String> kinds =
                ThreadTimes.kinds(
                        """
                        2026-11-21 12:00:00
                        "r0@group-E894F844DC35-StateMachineUpdater" #31 daemon prio=5 cpu=1.0ms nid=0x10 runnable
                           java.lang.Thread.State: RUNNABLE
                        "grpc-default-worker-ELG-1-3" #7 nid=0x11 runnable
                        "grpc-default-worker-ELG-1-4" #8 nid=0x12 runnable
                        """);
        assertThat(kinds)
                .isEqualTo(
                        Map.of(
                                16L, "r#@#-StateMachineUpdater",
                                17L, "grpc-default-worker-ELG-#-#",
                                18L, "grpc-default-worker-ELG-#-#"));
        assertThat(
                        ThreadTimes.byKind(
                                Map.of(16L, 5L, 17L, 10L),
                                Map.of(16L, 5L, 17L, 30L, 18L, 7L, 19L, 3L),
                                kinds))
                .isEqualTo(Map.of("grpc-default-worker-ELG-#-#", 27L, "other", 3L));
    }
}
