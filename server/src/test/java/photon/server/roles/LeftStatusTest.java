package photon.server.roles;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import photon.core.id.Incarnation;
import photon.core.loop.ManualLoop;
import photon.core.time.IntervalClock;
import photon.server.datacenters.DatacenterPaths;
import photon.storage.files.MemoryFileStore;
import photon.verifier.repair.RepairStatus;
import photon.verifier.repair.SilenceStatus;
import photon.verifier.repair.TroubledRepair;

class LeftStatusTest {
    private static final long BEGUN_MILLIS = 1_700_000_000_000L;

    private final MemoryFileStore files = new MemoryFileStore();
    private final ManualLoop loop = new ManualLoop();
    private final DatacenterPaths paths =
            new DatacenterPaths("east", Path.of("/of-this-machine/east"), "/shared/east", "/out");
    private RepairStatus status = RepairStatus.NOTHING_KNOWN;

    @BeforeEach
    void aVerifierBegins() {
        long begun = loop.nanoTime();
        IntervalClock clock =
                () -> {
                    long micros =
                            BEGUN_MILLIS * 1_000
                                    + TimeUnit.NANOSECONDS.toMicros(loop.nanoTime() - begun);
                    return new IntervalClock.Interval(micros, micros);
                };
        LeftStatus.keep(loop, files, paths.verifier(), clock, () -> status);
        loop.runUntilIdle();
    }

    private long secondsAgo(Duration since) throws IOException {
        return RepairReport.read(files, paths)
                .secondsAgo(BEGUN_MILLIS + since.toMillis())
                .orElseThrow();
    }

    @Test
    void aVerifierWithoutNewsSaysThatItLives() throws IOException {
        assertThat(secondsAgo(Duration.ZERO)).isZero();
        assertThat(secondsAgo(Duration.ofSeconds(-5))).as("by another clock").isZero();
        for (int seconds = 1; seconds <= 100; seconds++) {
            loop.advance(Duration.ofSeconds(1));
            assertThat(secondsAgo(Duration.ofSeconds(seconds))).isLessThan(31);
        }
        assertThat(secondsAgo(Duration.ofSeconds(10_000))).isGreaterThan(9_890);
    }

    @Test
    void anAlarmIsLeftSoon() throws IOException {
        Incarnation dead = new Incarnation(1, 2);
        status =
                new RepairStatus(
                        0,
                        1,
                        0,
                        0,
                        0,
                        List.of("missing"),
                        0,
                        List.of(),
                        true,
                        SilenceStatus.NONE,
                        List.of(new TroubledRepair(dead, true, "missing")));
        loop.advance(Duration.ofSeconds(11));
        assertThat(secondsAgo(Duration.ofSeconds(11))).isLessThan(2);
    }

    @Test
    void whatCannotBeWrittenIsWrittenWhenItCan() throws IOException {
        files.setCapacityBytes(0);
        loop.advance(Duration.ofSeconds(60));
        assertThat(secondsAgo(Duration.ofSeconds(60))).isEqualTo(60);
        files.setCapacityBytes(Long.MAX_VALUE);
        loop.advance(Duration.ofSeconds(11));
        assertThat(secondsAgo(Duration.ofSeconds(71))).isLessThan(11);
    }
}
