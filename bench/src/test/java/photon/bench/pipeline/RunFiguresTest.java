package photon.bench.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import photon.core.error.FailedException;

/** {@link RunFigures}, {@link ProcessReport} and {@link ThreadParts}. */
class RunFiguresTest {
    private static final Offset<Double> EXACT = within(1e-9);

    /** Two datacenters read 1,000 input events each; 100 are joined. */
    private static final List<String> REPORT =
            List.of(
                    "look 1000000 0 0 900000",
                    "look 3000000 10 0 4000000",
                    "look 6000000 999 20 8000000",
                    "look 7000000 1000 30 9000000",
                    "look 9000000 2000 60 11000000",
                    "look 11000000 2000 100 13000000",
                    "look 14000000 2000 100 14000000",
                    "thread 6000000 C2 CompilerThre",
                    "thread 1000000 C1 CompilerThre",
                    "thread 2000000 GC Thread#0",
                    "thread 3000000 east-dispatcher",
                    "thread 500000 west-dispatcher",
                    "thread 1500000 java",
                    "cpuMicros 15000000",
                    "allocatedBytes 5000000",
                    "peakBytes 1048576");

    private static RunFigures figures() {
        return RunFigures.of(
                ProcessReport.parse(REPORT), 15_000_000, 1_000, 100, ThreadParts.PHOTON);
    }

    @Test
    void theWholeRunIsStartJoinAndEnd() {
        RunFigures figures = figures();
        assertThat(figures.wholeSeconds()).isEqualTo(15, EXACT);
        assertThat(figures.startSeconds()).isEqualTo(3, EXACT);
        assertThat(figures.joinSeconds()).isEqualTo(8, EXACT);
        assertThat(figures.endSeconds()).isEqualTo(4, EXACT);
    }

    @Test
    void ratesAreOfInputEventsThatCountOnceThoughTwoDatacentersReadThem() {
        RunFigures figures = figures();
        assertThat(figures.inputsPerSecond()).isEqualTo(125, EXACT);
        assertThat(figures.joinedPerSecond()).isEqualTo(12.5, EXACT);
        assertThat(figures.cpuMicros()).isEqualTo(15_000, EXACT);
        assertThat(figures.allocatedBytes()).isEqualTo(5_000, EXACT);
        assertThat(figures.peakBytes()).isEqualTo(1_048_576);
    }

    @Test
    void theSecondHalfBeginsWhenHalfIsReadAndHoldsAllThatWasPutOff() {
        RunFigures.Warm warm = figures().warm().orElseThrow();
        assertThat(warm.seconds()).isEqualTo(4, EXACT);
        assertThat(warm.inputsPerSecond()).isEqualTo(125, EXACT);
        assertThat(warm.joinedPerSecond()).isEqualTo(17.5, EXACT);
        assertThat(warm.cpuMicros()).isEqualTo(8_000, EXACT);
    }

    @Test
    void aSecondHalfOfLessThanASecondSaysNothing() {
        ProcessReport report =
                ProcessReport.parse(List.of("look 1000 10 0 5", "look 1000999 10 5 6"));
        assertThat(RunFigures.of(report, 2_000_000, 10, 5, ThreadParts.PHOTON).warm()).isEmpty();
    }

    @Test
    void whatNoThreadHasOfTheProcessIsOthers() {
        Map<String, Double> parts = figures().cpuMicrosByPart();
        assertThat(parts)
                .containsEntry("JIT", 7_000.0)
                .containsEntry("GC", 2_000.0)
                .containsEntry("dispatcher", 3_500.0)
                .containsEntry("joiner", 0.0)
                .containsEntry("other", 2_500.0);
        assertThat(parts.values().stream().mapToDouble(Double::doubleValue).sum())
                .isEqualTo(15_000, EXACT);
    }

    @Test
    void aRunThatJoinedNothingHasNoFigures() {
        ProcessReport report = ProcessReport.parse(List.of("look 1000 10 0 5"));
        assertThatThrownBy(() -> RunFigures.of(report, 2_000, 10, 0, ThreadParts.PHOTON))
                .isInstanceOf(FailedException.class)
                .hasMessageContaining("read 10 events and joined 0");
    }

    @Test
    void aLineThatIsNoFigureIsRefused() {
        for (String line : List.of("look 1 2 3", "thread x name", "cpuMicros", "nonsense here")) {
            assertThatThrownBy(() -> ProcessReport.parse(List.of(line)))
                    .as(line)
                    .isInstanceOf(FailedException.class)
                    .hasMessageContaining(line);
        }
    }

    @Test
    void threadsBelongToPartsByTheirNames() {
        Map<String, String> photon =
                Map.ofEntries(
                        Map.entry("eventstore-tail", "event store"),
                        Map.entry("rocksdb:low", "event store"),
                        Map.entry("east-dispatcher", "dispatcher"),
                        Map.entry("west/joiner-0-m", "joiner"),
                        Map.entry("r0@group-60D3DA", "registry"),
                        Map.entry("r2-server-threa", "registry"),
                        Map.entry("registry-r1", "registry"),
                        Map.entry("id-registry-cli", "registry"),
                        Map.entry("grpc-default-ex", "gRPC"),
                        Map.entry("null-server-wor", "gRPC"),
                        Map.entry("C1 CompilerThre", "JIT"),
                        Map.entry("GC Thread#1", "GC"),
                        Map.entry("java", "other"));
        photon.forEach(
                (thread, part) ->
                        assertThat(ThreadParts.PHOTON.part(thread)).as(thread).isEqualTo(part));
        Map<String, String> flink =
                Map.of(
                        "Source: primary", "sources",
                        "Source Data Fet", "sources",
                        "join -> sink: W", "join and sink",
                        "AsyncOperations", "checkpoints",
                        "flink-pekko.act", "RPC",
                        "C2 CompilerThre", "JIT",
                        "java", "other");
        flink.forEach(
                (thread, part) ->
                        assertThat(ThreadParts.FLINK.part(thread)).as(thread).isEqualTo(part));
    }
}
