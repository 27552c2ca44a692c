package photon.bench.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import photon.bench.pipeline.PipelineResult.Joined;
import photon.bench.pipeline.PipelineResult.PhotonCosts;
import photon.demo.generate.Answer;

class PipelineResultTest {
    private static final PipelineLoad LOAD =
            new PipelineLoad(
                    Path.of("logs"),
                    Path.of("logs/bench.yaml"),
                    new Answer(1, "json-lines", 900, 90, 80, 10, 10, 1, 2, 8, 0, ""));
    private static final Machine MACHINE = new Machine(2, "17", "2g", 0.5, 2.25);
    private static final AnswerCheck.Verdict RIGHT =
            new AnswerCheck.Verdict(80, 0, 0, 0, List.of());
    private static final AnswerCheck.Verdict WRONG =
            new AnswerCheck.Verdict(80, 1, 1, 0, List.of("twice: c1"));

    private static RunFigures figures(double seconds, Optional<RunFigures.Warm> warm) {
        return new RunFigures(
                seconds,
                1,
                seconds - 2,
                1,
                1_000 / (seconds - 2),
                80 / (seconds - 2),
                warm,
                30,
                Map.of("JIT", 30.0),
                4_000,
                1 << 30);
    }

    private static PipelineResult result(Joined photon, Optional<Joined> flink) {
        return new PipelineResult(
                new PipelineBenchOptions(10, 1_000, 2, flink.isPresent(), Optional.empty(), false),
                LOAD,
                MACHINE,
                photon,
                new PhotonCosts(500, 20, 0.05),
                flink);
    }

    private static Joined joined(double seconds, AnswerCheck.Verdict verdict, boolean endedWell) {
        return new Joined(
                figures(seconds, Optional.of(new RunFigures.Warm(1, 500, 40, seconds))),
                verdict,
                endedWell);
    }

    @Test
    void aRatioIsPhotonsFigureByFlinks() {
        PipelineResult result =
                result(joined(10, RIGHT, true), Optional.of(joined(6, RIGHT, true)));
        Map<String, Double> ratios = result.ratios();
        assertThat(ratios.get("wholeSeconds")).isEqualTo(10 / 6.0, within(1e-9));
        assertThat(ratios.get("inputsPerSecond")).isEqualTo(0.5, within(1e-9));
        assertThat(ratios.get("warmCpuMicrosPerInput")).isEqualTo(10 / 6.0, within(1e-9));
        assertThat(result.lines())
                .anyMatch(line -> line.matches("whole run, s +10\\.0 +6\\.0 +1\\.67"));
    }

    @Test
    void withoutFlinkThereAreNoRatios() throws Exception {
        PipelineResult result = result(joined(10, RIGHT, true), Optional.empty());
        assertThat(result.ratios()).isEmpty();
        assertThat(new ObjectMapper().readTree(result.toJson()).has("flink")).isFalse();
        assertThat(result.lines()).noneMatch(line -> line.contains("flink"));
    }

    @Test
    void aFigureThatOnlyOneHasIsNoRatio() throws Exception {
        Joined tooShort = new Joined(figures(6, Optional.empty()), RIGHT, true);
        PipelineResult result = result(joined(10, RIGHT, true), Optional.of(tooShort));
        assertThat(result.ratios())
                .containsKey("wholeSeconds")
                .doesNotContainKey("warmInputsPerSecond");
        JsonNode json = new ObjectMapper().readTree(result.toJson());
        assertThat(json.at("/flink/warmInputsPerSecond").isNull()).isTrue();
    }

    @Test
    void oneWrongAnswerOfEitherIsExitStatusOne() {
        Joined right = joined(10, RIGHT, true);
        assertThat(result(right, Optional.empty()).exitStatus()).isZero();
        assertThat(result(right, Optional.of(right)).exitStatus()).isZero();
        assertThat(result(joined(10, WRONG, true), Optional.empty()).exitStatus()).isEqualTo(1);
        assertThat(result(joined(10, RIGHT, false), Optional.empty()).exitStatus()).isEqualTo(1);
        PipelineResult flinkIsWrong = result(right, Optional.of(joined(6, WRONG, true)));
        assertThat(flinkIsWrong.exitStatus()).isEqualTo(1);
        assertThat(flinkIsWrong.lines()).contains("  twice: c1");
    }

    @Test
    void theJsonHasLoadCostsAndVerdict() throws Exception {
        JsonNode json =
                new ObjectMapper()
                        .readTree(result(joined(10, RIGHT, true), Optional.empty()).toJson());
        assertThat(json.at("/load/inputs").asLong()).isEqualTo(1_000);
        assertThat(json.at("/photon/wastedShare").asDouble()).isEqualTo(0.2, within(1e-9));
        assertThat(json.at("/photon/idsPerEntry").asDouble()).isEqualTo(500);
        assertThat(json.at("/photon/cpuMicrosPerInputByPart/JIT").asDouble()).isEqualTo(30);
        assertThat(json.at("/photon/peakMiB").asDouble()).isEqualTo(1_024);
        assertThat(json.at("/machine/loadAfter").asDouble()).isEqualTo(2.25);
        assertThat(json.get("right").asBoolean()).isTrue();
    }
}
