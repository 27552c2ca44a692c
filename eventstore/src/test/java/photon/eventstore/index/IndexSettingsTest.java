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
import photon.core.share.EventStoreShares;
import photon.core.share.StoreShare;

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

    private static StoreShare share(String name, int copies, String... names) {
        return new StoreShare(new EventStoreShares(List.of(names), copies), name);
    }

    @Test
    void aStoreThatIsAloneHasTheSettingsThatItAlwaysHad() {
        StreamConfig stream = stream("/a/*", Map.of());
        assertThat(IndexSettings.of(stream, StoreShare.WHOLE)).isEqualTo(IndexSettings.of(stream));
        assertThat(IndexSettings.of(stream, share("b", 1, "b", "a")))
                .isEqualTo(IndexSettings.of(stream) + " share=b/1/a,b");
    }

    @Test
    void anIndexOfALargerShareIsUsedAndOneOfASmallerIsNot() {
        StreamConfig stream = stream("/a/*", Map.of());
        String whole = IndexSettings.of(stream);
        String two = IndexSettings.of(stream, share("a", 1, "a", "b"));
        String three = IndexSettings.of(stream, share("a", 1, "a", "b", "c"));
        for (List<String> shrinks :
                List.of(List.of(whole, two), List.of(whole, three), List.of(two, three))) {
            assertThat(IndexSettings.refusal(shrinks.get(0), shrinks.get(1))).isEmpty();
            assertThat(IndexSettings.refusal(shrinks.get(1), shrinks.get(0)).orElseThrow())
                    .contains("has to keep primary events that it did not keep before");
        }
        assertThat(IndexSettings.refusal(two, two)).isEmpty();
        String filtered =
                IndexSettings.of(
                        stream("/a/*", Map.of("kind", List.of("0"))), share("a", 1, "a", "b"));
        assertThat(IndexSettings.refusal(two, filtered).orElseThrow())
                .contains("it was made with other settings");
        assertThat(IndexSettings.refusal(whole + " share=a/9/a,b", two).orElseThrow())
                .contains("a share that this version cannot read");
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
