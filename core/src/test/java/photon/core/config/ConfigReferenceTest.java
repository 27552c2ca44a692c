package photon.core.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import org.junit.jupiter.api.Test;

/**
 * Makes docs/configuration-reference.md of what {@link ConfigLoader} asks for and of the texts in
 * keys.md, and compares it with the page. With {@code -Dphoton.docs.write} it writes the page.
 */
class ConfigReferenceTest {
    private static final String HOW_TO_WRITE =
            "The page is not what the code says. Write it anew: mvn -pl core -am -Dtest=ConfigReferenceTest"
                    + " -Dsurefire.failIfNoSpecifiedTests=false -Dphoton.docs.write test";

    /** A key as the page lists it. */
    private record Row(ConfigKey key, boolean required) {
        String line(String name, String text) {
            String values = valuesOf(key.values());
            String otherwise =
                    required
                            ? "required"
                            : key.otherwise().map(value -> "`" + value + "`").orElse("-");
            return "| `%s` | %s | %s | %s |".formatted(name, values, otherwise, text);
        }
    }

    /** What a message expects, without the examples that the top of the page gives. */
    private static String valuesOf(String expected) {
        if (expected.equals(DurationText.EXPECTED)) {
            return "duration";
        }
        return expected.replaceFirst("^an? ", "")
                .replace("one of [east]", "one of `datacenters`")
                .replaceFirst("^size above 0.*", "size")
                .replaceAll("(?<=to \\d{1,9})(?=(\\d{3})+$)", ",");
    }

    @Test
    void thePageIsWhatTheCodeSays() throws IOException {
        Path page = DocumentedKeys.root().resolve("docs/configuration-reference.md");
        String made = page(rows());
        if (System.getProperty("photon.docs.write") != null) {
            Files.writeString(page, made);
        }
        assertThat(Files.exists(page) ? Files.readString(page) : "")
                .as(HOW_TO_WRITE)
                .isEqualTo(made);
    }

    private static String page(Map<String, Row> rows) throws IOException {
        Map<String, Row> left = new LinkedHashMap<>(rows);
        List<String> unknown = new ArrayList<>();
        StringBuilder page = new StringBuilder();
        boolean inTable = false;
        for (String line : DocumentedKeys.texts()) {
            Matcher text = DocumentedKeys.TEXT.matcher(line);
            if (!text.matches()) {
                inTable = false;
                page.append(line).append('\n');
                continue;
            }
            if (!inTable) {
                page.append("| key | value | default | meaning |\n|---|---|---|---|\n");
                inTable = true;
            }
            Row row = left.remove(text.group(1));
            if (row == null) {
                unknown.add(text.group(1));
            } else {
                page.append(row.line(text.group(1), text.group(2))).append('\n');
            }
        }
        assertThat(left.keySet()).as("keys without a text in keys.md").isEmpty();
        assertThat(unknown).as("texts in keys.md of keys that nothing asks for").isEmpty();
        return page.toString();
    }

    private static Map<String, Row> rows() {
        Map<String, Row> rows = new LinkedHashMap<>();
        for (DocumentedKeys.Sample sample : DocumentedKeys.samples()) {
            sample.asked()
                    .forEach(
                            asked ->
                                    rows.putIfAbsent(
                                            DocumentedKeys.listed(asked.key().path()),
                                            new Row(asked.key(), asked.required())));
        }
        return rows;
    }
}
