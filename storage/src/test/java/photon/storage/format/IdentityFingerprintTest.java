package photon.storage.format;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import photon.core.config.ConfigLoader;
import photon.core.config.FormatConfig;
import photon.core.config.IdConfig;
import photon.core.config.OutputConfig;
import photon.core.config.PipelineConfig;
import photon.core.config.StreamConfig;
import photon.core.config.TimestampConfig;

class IdentityFingerprintTest {
    private static final TimestampConfig MICROS =
            new TimestampConfig.Numeric("t", TimestampConfig.Unit.MICROS);

    @Test
    void itNeverChanges() {
        assertThat(of(List.of("a", "b"), MICROS))
                .isEqualTo("96c915fb52d20fc7e3997817ab2b43fd08c86125c0f4b3f1b4fd3354b7a85aeb");
    }

    @Test
    void whatDecidesIdentityChangesIt() {
        String fingerprint = of(List.of("a", "b"), MICROS);
        assertThat(
                        List.of(
                                of(List.of("b", "a"), MICROS),
                                of(List.of("a"), MICROS),
                                of(List.of("a b"), MICROS),
                                of(
                                        List.of("a", "b"),
                                        new TimestampConfig.Numeric(
                                                "t", TimestampConfig.Unit.MILLIS)),
                                of(
                                        List.of("a", "b"),
                                        new TimestampConfig.Numeric(
                                                "a", TimestampConfig.Unit.MICROS)),
                                of(List.of("a", "b"), pattern("yyyy-MM-dd", "UTC")),
                                of(List.of("a", "b"), pattern("yyyy-dd-MM", "UTC")),
                                of(List.of("a", "b"), pattern("yyyy-MM-dd", "Europe/Berlin")),
                                of(List.of("a", "b"), MICROS, List.of("b", "a", "t"))))
                .doesNotHaveDuplicates()
                .doesNotContain(fingerprint);
    }

    @Test
    void whatDoesNotDecideIdentityLeavesIt() {
        assertThat(of(List.of("a", "b"), MICROS, List.of("a", "b", "t", "further")))
                .isEqualTo(of(List.of("a", "b"), MICROS));
    }

    private static TimestampConfig pattern(String pattern, String zone) {
        return new TimestampConfig.Pattern("t", pattern, ZoneId.of(zone));
    }

    /** A key that the environment sets is not less a part of the identity than one of the file. */
    @Test
    void aVariableChangesItAsTheFileDoes(@TempDir Path directory) throws IOException {
        String text =
                """
                pipeline: p
                datacenters: [east]
                primary: {paths: [p], format: {type: json-lines}, id: {from: [id]}, timestamp: {field: t, unit: micros}}
                foreign: {paths: [f], format: {type: json-lines}, id: {from: [id]}, timestamp: {field: t, unit: micros}, primaryId: {from: [a]}}
                """;
        Path file = Files.writeString(directory.resolve("photon.yaml"), text);
        Path other =
                Files.writeString(
                        directory.resolve("other.yaml"),
                        text.replace(
                                "[f], format: {type: json-lines}, id: {from: [id]}",
                                "[f], format: {type: json-lines}, id: {from: [b]}"));
        String set = fingerprint(file, Map.of("PHOTON_CONFIG_foreign_id_from", "[b]"));
        assertThat(set).isEqualTo(fingerprint(other, Map.of()));
        assertThat(set).isNotEqualTo(fingerprint(file, Map.of()));
    }

    private static String fingerprint(Path file, Map<String, String> environment) {
        return IdentityFingerprint.of(ConfigLoader.load(file, environment).pipeline());
    }

    private static String of(List<String> id, TimestampConfig timestamp) {
        return of(id, timestamp, List.of("a", "b", "t"));
    }

    private static String of(List<String> id, TimestampConfig timestamp, List<String> columns) {
        StreamConfig primary =
                new StreamConfig(
                        List.of("/p"),
                        new FormatConfig.JsonLines(),
                        Map.of(),
                        Map.of(),
                        new IdConfig.User(List.of("id")),
                        Optional.of(MICROS),
                        Optional.empty());
        StreamConfig foreign =
                new StreamConfig(
                        List.of("/f"),
                        new FormatConfig.Csv(false, ',', columns, ""),
                        Map.of("a", List.of("1")),
                        Map.of(),
                        new IdConfig.User(id),
                        Optional.of(timestamp),
                        Optional.of(new IdConfig.User(List.of("a"))));
        return IdentityFingerprint.of(
                new PipelineConfig(
                        "p",
                        List.of("east"),
                        Optional.empty(),
                        Duration.ZERO,
                        primary,
                        foreign,
                        new PipelineConfig.Adapter("merge", Map.of()),
                        PipelineConfig.Limits.DEFAULTS,
                        PipelineConfig.Repair.DEFAULTS,
                        OutputConfig.DEFAULTS,
                        Optional.empty()));
    }
}
