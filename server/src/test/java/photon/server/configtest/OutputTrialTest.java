package photon.server.configtest;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import photon.core.config.OutputConfig;
import photon.core.config.OutputConfig.Compression;
import photon.core.config.OutputConfig.Field;
import photon.core.config.OutputConfig.FieldType;
import photon.core.config.OutputConfig.Format;
import photon.joiner.adapters.AdapterDecision;
import photon.server.configtest.rules.Finding;
import photon.storage.output.WorkRecord.JoinedEvent;

class OutputTrialTest {
    private static final OutputConfig CONFIG =
            new OutputConfig(
                    Format.JSON_LINES,
                    Compression.NONE,
                    List.of(),
                    Map.of(
                            "billing",
                            new OutputConfig(
                                    Format.PARQUET,
                                    Compression.ZSTD,
                                    List.of(new Field("cents", FieldType.LONG, "cents"))),
                            "next",
                            new OutputConfig(Format.FRAMED, Compression.NONE, List.of())));

    private static List<Finding> trial(String output, String event) {
        JoinedEvent joined = new JoinedEvent(output, ByteString.copyFromUtf8(event));
        return OutputTrial.of(CONFIG, Optional.of(new AdapterDecision.Emit(List.of(joined))));
    }

    @Test
    void eachEventIsTriedOnTheOutputThatItIsFor() {
        String dear = "{\"cents\":\"much\"}";
        assertThat(trial("", dear)).isEmpty();
        assertThat(trial("next", dear)).isEmpty();
        Finding refused = trial("billing", dear).get(0);
        assertThat(refused.where()).isEqualTo("output.named[billing].fields");
        assertThat(refused.problem())
                .startsWith("the output billing refuses the first joined pair: Expected a whole");
        assertThat(trial("next", "[1]").get(0).where()).isEqualTo("output.named[next].format");
        assertThat(trial("", "1\n2").get(0).where()).isEqualTo("output.format");
    }
}
