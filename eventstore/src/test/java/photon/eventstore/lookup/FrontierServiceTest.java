package photon.eventstore.lookup;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import photon.eventstore.tail.TailProgress;
import photon.proto.v1.FrontierRequest;
import photon.proto.v1.FrontierResponse;
import photon.storage.tail.LiveReading;
import photon.storage.tail.LogTroubles;

class FrontierServiceTest {
    private static FrontierResponse answer(long unreadMicros, Optional<LiveReading> live) {
        TailProgress progress =
                new TailProgress(
                        0,
                        0,
                        false,
                        true,
                        unreadMicros,
                        live,
                        OptionalLong.empty(),
                        0,
                        0,
                        LogTroubles.NONE,
                        0);
        List<FrontierResponse> answers = new ArrayList<>();
        new FrontierService(() -> progress)
                .handle(FrontierRequest.getDefaultInstance(), answers::add);
        assertThat(answers).hasSize(1);
        return answers.get(0);
    }

    @Test
    void whereAllIsReadItSaysNothing() {
        assertThat(answer(TailProgress.ALL_READ, Optional.empty()))
                .isEqualTo(FrontierResponse.getDefaultInstance());
    }

    @Test
    void withoutABacklogOneTimeSaysItAll() {
        assertThat(answer(7, Optional.empty()))
                .isEqualTo(FrontierResponse.newBuilder().setUnreadMicros(7).build());
    }

    @Test
    void whatIsReadLiveIsToldApart() {
        FrontierResponse.Builder backlog =
                FrontierResponse.newBuilder().setUnreadMicros(7).setLiveMicros(70);
        assertThat(answer(7, Optional.of(new LiveReading(70, 90))))
                .isEqualTo(backlog.clone().setLiveUnreadMicros(90).build());
        assertThat(answer(7, Optional.of(new LiveReading(70, LiveReading.ALL_READ))))
                .isEqualTo(backlog.build());
    }
}
