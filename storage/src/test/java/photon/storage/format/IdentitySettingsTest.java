package photon.storage.format;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import photon.core.config.FormatConfig;
import photon.core.config.IdConfig;
import photon.core.config.OutputConfig;
import photon.core.config.PipelineConfig;
import photon.core.config.StreamConfig;
import photon.core.config.TimestampConfig;

class IdentitySettingsTest {
    private static final FormatConfig JSON = new FormatConfig.JsonLines();
    private static final IdConfig ID = new IdConfig.User(List.of("click_id"));
    private static final TimestampConfig AT =
            new TimestampConfig.Numeric("at", TimestampConfig.Unit.MICROS);

    private static StreamConfig stream(FormatConfig format, IdConfig id, TimestampConfig at) {
        return new StreamConfig(
                List.of("/logs/*"),
                format,
                Map.of(),
                Map.of(),
                id,
                id instanceof IdConfig.User ? Optional.of(at) : Optional.empty(),
                Optional.empty());
    }

    private static PipelineConfig pipeline(StreamConfig primary, StreamConfig foreign) {
        return new PipelineConfig(
                "ads",
                List.of("east"),
                Optional.empty(),
                Duration.ofSeconds(2),
                primary,
                foreign,
                new PipelineConfig.Adapter("merge", Map.of()),
                PipelineConfig.Limits.DEFAULTS,
                PipelineConfig.Repair.DEFAULTS,
                OutputConfig.DEFAULTS,
                Optional.empty());
    }

    private static List<String> changed(StreamConfig was, StreamConfig is) {
        StreamConfig other = stream(JSON, ID, AT);
        PipelineConfig before = pipeline(other, was);
        PipelineConfig after = pipeline(other, is);
        List<String> differences =
                IdentitySettings.differences(
                        IdentitySettings.of(before), IdentitySettings.of(after));
        assertThat(differences.isEmpty())
                .as("what the fingerprint sees can be told")
                .isEqualTo(IdentityFingerprint.of(before).equals(IdentityFingerprint.of(after)));
        return differences;
    }

    @Test
    void whatWasChangedIsToldAsItIsWritten() {
        StreamConfig was = stream(JSON, ID, AT);
        assertThat(changed(was, was)).isEmpty();
        assertThat(changed(was, was.ofAnyDate())).isEmpty();
        IdConfig both = new IdConfig.User(List.of("click_id", "impression"));
        assertThat(changed(was, stream(JSON, both, AT)))
                .containsExactly(
                        "foreign.id was [click_id] and is now [click_id, impression]; events already joined would be joined again");
        IdConfig fields = new IdConfig.NativeFields("s", "p", "t");
        assertThat(changed(was, stream(JSON, fields, AT)))
                .containsExactly(
                        "foreign.id was [click_id] and is now {server: s, process: p, timestamp: t}; events already joined would be joined again",
                        "foreign.timestamp was {field: at, unit: micros} and is now not set; events already joined would be joined again");
        assertThat(
                        changed(
                                was,
                                stream(
                                        JSON,
                                        ID,
                                        new TimestampConfig.Pattern(
                                                "at", "yyyy-MM-dd", ZoneId.of("UTC")))))
                .containsExactly(
                        "foreign.timestamp was {field: at, unit: micros} and is now {field: at, pattern: \"yyyy-MM-dd\", zone: UTC}; events already joined would be joined again");
    }

    @Test
    void withoutAHeaderThePlaceOfAColumnIsWhatItsNameMeans() {
        FormatConfig was = new FormatConfig.Csv(false, ',', List.of("click_id", "at"), "");
        FormatConfig is = new FormatConfig.Csv(false, ',', List.of("at", "click_id"), "");
        assertThat(changed(stream(was, ID, AT), stream(is, ID, AT)))
                .containsExactly(
                        "foreign.format.columns was [click_id as column 1, at as column 2] and is now [click_id as column 2, at as column 1]; events already joined would be joined again");
    }

    @Test
    void ofPrimaryEventsTheConsequenceIsAnother() {
        StreamConfig foreign = stream(JSON, ID, AT);
        assertThat(
                        IdentitySettings.differences(
                                IdentitySettings.of(pipeline(foreign, foreign)),
                                IdentitySettings.of(
                                        pipeline(
                                                stream(
                                                        JSON,
                                                        ID,
                                                        new TimestampConfig.Numeric(
                                                                "t", TimestampConfig.Unit.MILLIS)),
                                                foreign))))
                .containsExactly(
                        "primary.timestamp was {field: at, unit: micros} and is now {field: t, unit: millis}; foreign events would meet other primary events than before");
    }
}
