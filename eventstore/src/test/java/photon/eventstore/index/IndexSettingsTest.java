package photon.eventstore.index;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import photon.core.config.FormatConfig;
import photon.core.config.IdConfig;
import photon.core.config.StreamConfig;
import photon.core.config.TimestampConfig;

class IndexSettingsTest {
    @Test
    void aFilterChangesTheSettingsAndAPathDoesNot() {
        String settings = IndexSettings.of(stream("/a/*", Map.of("kind", List.of("0"))));
        assertThat(IndexSettings.of(stream("/b/*", Map.of("kind", List.of("0")))))
                .isEqualTo(settings);
        assertThat(IndexSettings.of(stream("/a/*", Map.of("kind", List.of("1")))))
                .isNotEqualTo(settings);
    }

    /** An unordered map would make another text in another process, and a rebuild at each start. */
    @Test
    void theTextIsTheSameInEveryProcess() {
        Map<String, List<String>> where =
                Map.of("b", List.of("2"), "a", List.of("1"), "c", List.of("3"));
        assertThat(IndexSettings.of(stream("/a/*", where)))
                .isEqualTo(
                        "v1 Csv[header=false, separator=,, columns=[id, at], comment=]"
                                + " where={a=[1], b=[2], c=[3]} whereNot={} User[from=[id]]"
                                + " Optional[Numeric[field=at, unit=MICROS, dates=ANY]]");
    }

    private static StreamConfig stream(String path, Map<String, List<String>> where) {
        return new StreamConfig(
                List.of(path),
                new FormatConfig.Csv(false, ',', List.of("id", "at"), ""),
                where,
                Map.of(),
                new IdConfig.User(List.of("id")),
                Optional.of(new TimestampConfig.Numeric("at", TimestampConfig.Unit.MICROS)),
                Optional.empty());
    }
}
