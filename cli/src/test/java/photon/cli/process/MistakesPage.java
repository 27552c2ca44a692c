package photon.cli.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads docs/mistakes.md: a heading, the messages in a block of text, and the exit status. */
final class MistakesPage {
    /** What the page starts from. */
    static final String CONFIGURATION =
            """
            pipeline: ads
            datacenters: [east, west]
            stagger: 500ms
            primary:
              paths: ["shown*.csv"]
              format: {type: csv}
              id: {from: [shown]}
              timestamp: {field: at, unit: seconds}
            foreign:
              paths: ["clicks*.csv"]
              format: {type: csv}
              id: {from: [click]}
              timestamp: {field: at, unit: seconds}
              primaryId: {from: [shown]}
            """;

    private static final Pattern ENTRY =
            Pattern.compile(
                    "^### \\d+\\. (?<title>[^\\n]+)\\n.*?```text\\n(?<text>.*?)```\\n\\nExit status (?<status>\\d)\\.$",
                    Pattern.MULTILINE | Pattern.DOTALL);

    private MistakesPage() {}

    /** One mistake, and what Photon says to it. */
    record Entry(String title, int status, List<String> messages) {
        Entry {
            messages = List.copyOf(messages);
        }
    }

    /**
     * @throws AssertionError if the page's table says otherwise than the page, or its configuration
     *     is not {@link #CONFIGURATION}
     */
    static List<Entry> read(Path page) {
        String text;
        try {
            text = Files.readString(page);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        if (!text.contains("```yaml\n" + CONFIGURATION + "```\n")) {
            throw new AssertionError("Expected this in " + page + ":\n" + CONFIGURATION);
        }
        List<Entry> entries = new ArrayList<>();
        Matcher matcher = ENTRY.matcher(text);
        while (matcher.find()) {
            entries.add(
                    new Entry(
                            matcher.group("title"),
                            Integer.parseInt(matcher.group("status")),
                            matcher.group("text").lines().toList()));
            String row =
                    "| %d | %s | %s |"
                            .formatted(
                                    entries.size(),
                                    matcher.group("title"),
                                    matcher.group("status"));
            if (!text.contains(row)) {
                throw new AssertionError("Expected the row " + row + " in " + page);
            }
        }
        return entries;
    }
}
