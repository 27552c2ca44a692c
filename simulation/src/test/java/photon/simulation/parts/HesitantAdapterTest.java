package photon.simulation.parts;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import java.util.Map;
import org.junit.jupiter.api.Test;
import photon.core.config.PipelineConfig;
import photon.joiner.adapters.AdapterDecision;
import photon.joiner.adapters.AdapterHost;
import photon.joiner.adapters.PairAdapter;
import photon.joiner.adapters.load.Adapters;
import photon.proto.v1.Event;

class HesitantAdapterTest {
    private static final Event FOREIGN = event("u:c", "{\"user\":\"u\",\"click\":\"c\"}");
    private static final Event PRIMARY = event("q", "{\"query\":\"q\"}");

    private static Event event(String idText, String json) {
        return Event.newBuilder()
                .setIdText(idText)
                .setPrimaryIdText("q")
                .setJson(ByteString.copyFrom(json, UTF_8))
                .build();
    }

    private static AdapterDecision join(PairAdapter adapter) {
        return adapter.join(FOREIGN, 1_000, PRIMARY, 900);
    }

    @Test
    void asksForSomeTriesAndThenJoinsAsTheBuiltInOneDoes() {
        PairAdapter merge =
                Adapters.load(
                        new PipelineConfig.Adapter("merge", Map.of()), AdapterHost.trial("ads"));
        PairAdapter hesitant =
                Adapters.load(
                        new PipelineConfig.Adapter(
                                HesitantAdapter.class.getName(), HesitantAdapter.options(1, 2)),
                        AdapterHost.trial("ads"));

        assertThat(join(hesitant)).isInstanceOf(AdapterDecision.Retry.class);
        assertThat(join(hesitant)).isInstanceOf(AdapterDecision.Retry.class);
        assertThat(join(hesitant)).isEqualTo(join(merge)).isEqualTo(join(hesitant));
    }
}
