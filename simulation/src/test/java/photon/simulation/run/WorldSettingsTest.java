package photon.simulation.run;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import photon.joiner.adapters.AdapterDecision;
import photon.joiner.adapters.AdapterHost;
import photon.joiner.adapters.PairAdapter;
import photon.joiner.adapters.load.Adapters;
import photon.proto.v1.Event;

class WorldSettingsTest {
    private static final int DRAWS = 300;

    /** Enough that a hesitant adapter asks for another try of one of them. */
    private static final int EVENTS = 200;

    private static Event event(String idText) {
        return Event.newBuilder()
                .setIdText(idText)
                .setPrimaryIdText("q")
                .setJson(ByteString.copyFrom("{}", UTF_8))
                .build();
    }

    /** Of one event, in one process, by trying. */
    private static int triesAsked(WorldSettings world, int number) {
        PairAdapter adapter = Adapters.load(world.config().adapter(), AdapterHost.trial("ads"));
        int asked = 0;
        while (adapter.join(event("c" + number), 1_000, event("q"), 900)
                instanceof AdapterDecision.Retry) {
            asked++;
        }
        return asked;
    }

    /** Seed 974: four tries a minute apart, begun anew half a minute after all was mended. */
    @Test
    void theQuietPhaseWaitsForAnAdapterThatHesitatesInAReplacedProcessAndInItsSuccessor() {
        SplittableRandom random = new SplittableRandom(974);
        TreeSet<Duration> longest = new TreeSet<>();
        for (int draw = 0; draw < DRAWS; draw++) {
            WorldSettings world = WorldSettings.draw(random.split());
            int most = 0;
            for (int number = 0; number < EVENTS; number++) {
                most = Math.max(most, triesAsked(world, number));
            }
            Duration needed = world.config().limits().retryBackoffMax().multipliedBy(2L * most);
            assertThat(world.hesitation()).isEqualTo(needed);
            longest.add(needed);
        }
        assertThat(longest).startsWith(Duration.ZERO).endsWith(Duration.ofMinutes(8));
    }
}
