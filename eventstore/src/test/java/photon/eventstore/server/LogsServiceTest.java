package photon.eventstore.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import photon.core.config.FormatConfig;
import photon.core.config.IdConfig;
import photon.core.config.StreamConfig;
import photon.core.config.TimestampConfig;
import photon.core.loop.ManualLoop;
import photon.core.rpc.Handler;
import photon.core.time.IntervalClock;
import photon.eventstore.tail.TailProgress;
import photon.proto.v1.LogsRequest;
import photon.proto.v1.LogsResponse;
import photon.storage.files.MemoryFileStore;
import photon.storage.tail.LogOutage;
import photon.storage.tail.LogTail;
import photon.storage.tail.LogTroubles;

class LogsServiceTest {
    private static final IntervalClock CLOCK = () -> new IntervalClock.Interval(0, 0);
    private static final TailProgress READ =
            new TailProgress(
                    5,
                    0,
                    true,
                    false,
                    TailProgress.ALL_READ,
                    Optional.empty(),
                    OptionalLong.empty(),
                    0,
                    0,
                    LogTroubles.NONE,
                    0);

    private final ManualLoop tailLoop = new ManualLoop();
    private final ManualLoop answers = new ManualLoop();

    /** Each reading sorts all files, in the loop that reads them. */
    @Test
    void manyWhoAskCostTwoReadings() throws IOException {
        MemoryFileStore files = new MemoryFileStore();
        files.createDirectories("/logs");
        StreamConfig stream =
                new StreamConfig(
                        List.of("/logs/*.log"),
                        new FormatConfig.Csv(false, ',', List.of("t", "id"), "#"),
                        Map.of(),
                        Map.of(),
                        new IdConfig.User(List.of("id")),
                        Optional.of(new TimestampConfig.Numeric("t", TimestampConfig.Unit.MICROS)),
                        Optional.empty());
        LogTail tail = new LogTail(files, stream, List.of(), Duration.ofSeconds(1), CLOCK);
        Handler<LogsRequest, LogsResponse> logs =
                LogsService.shared(tailLoop, answers, tail, new LogOutage("primary"), () -> READ);
        List<LogsResponse> told = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            logs.handle(LogsRequest.getDefaultInstance(), told::add);
        }
        assertThat(tailLoop.queued()).as("readings that wait").isEqualTo(1);
        tailLoop.runUntilIdle();
        answers.runUntilIdle();
        assertThat(told).hasSize(1);
        assertThat(tailLoop.queued()).isEqualTo(1);
        tailLoop.runUntilIdle();
        answers.runUntilIdle();
        assertThat(told).hasSize(1_000);
        assertThat(told.get(999).getEventsRead()).isEqualTo(5);
        assertThat(tailLoop.queued()).isZero();
    }
}
