package photon.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import photon.core.error.FailedException;
import photon.testbed.process.Fleet;
import photon.testbed.process.ProcessName;

class FleetStartTest {
    private static final ProcessName SERVES = new ProcessName("east", ProcessName.REGISTRY, "r0");
    private static final ProcessName HANGS =
            new ProcessName("west", ProcessName.JOINER, "joiner-0");

    @TempDir Path directory;

    /** Each ends with its standard input, as daemons do. */
    private static List<String> command(ProcessName process) {
        String says = process.equals(SERVES) ? "echo 'it serves on a port'; " : "";
        return List.of("sh", "-c", says + "cat > /dev/null");
    }

    /** So that it has its time on a busy machine, too: afterwards nothing moves. */
    private static void pauseUntilItServes(Fleet fleet) {
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
        do {
            LockSupport.parkNanos(10_000_000);
        } while (!fleet.serving(SERVES) && System.nanoTime() < end);
    }

    @Test
    void whatStandsStillIsNamedWithWhereItsLogsAre() throws Exception {
        List<List<ProcessName>> told = new ArrayList<>();
        try (Fleet fleet = new Fleet(FleetStartTest::command, directory)) {
            assertThatThrownBy(
                            () ->
                                    FleetStart.all(
                                            fleet,
                                            List.of(SERVES, HANGS),
                                            Duration.ofSeconds(8),
                                            () -> pauseUntilItServes(fleet),
                                            told::add))
                    .isInstanceOf(FailedException.class)
                    .hasMessageContaining("nothing has moved")
                    .hasMessageContaining("these do not serve: west/joiner-0.")
                    .hasMessageContaining(directory.toString());
        }
        assertThat(told).last().isEqualTo(List.of(HANGS));
    }

    @Test
    void oneThatHasWaitedInVainForTheRegistryIsStartedAgain() throws Exception {
        String once =
                "test -e %1$s || { touch %1$s; echo 'photon: No answer from the registry within 5 minutes' >&2; exit 1; }; "
                        .formatted(directory.resolve("started"));
        try (Fleet fleet =
                new Fleet(
                        process -> List.of("sh", "-c", once + command(SERVES).get(2)), directory)) {
            FleetStart.all(
                    fleet, List.of(HANGS), () -> LockSupport.parkNanos(10_000_000), left -> {});
            assertThat(fleet.serving(HANGS)).isTrue();
        }
    }

    @Test
    void oneThatEndsForAnotherReasonEndsTheStart() {
        try (Fleet fleet =
                new Fleet(
                        process ->
                                List.of(
                                        "sh",
                                        "-c",
                                        "echo 'photon: No answer from the registry' >&2; echo 'photon: no space' >&2; exit 1"),
                        directory)) {
            assertThatThrownBy(
                            () ->
                                    FleetStart.all(
                                            fleet,
                                            List.of(HANGS),
                                            () -> LockSupport.parkNanos(10_000_000),
                                            left -> {}))
                    .isInstanceOf(FailedException.class)
                    .hasMessageContaining("no space");
        }
    }

    @Test
    void returnsWhenAllServe() throws Exception {
        try (Fleet fleet = new Fleet(FleetStartTest::command, directory)) {
            FleetStart.all(
                    fleet, List.of(SERVES), () -> LockSupport.parkNanos(10_000_000), left -> {});
            assertThat(fleet.serving(SERVES)).isTrue();
        }
    }
}
