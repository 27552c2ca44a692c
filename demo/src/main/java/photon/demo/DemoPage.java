package photon.demo;

import java.util.List;
import java.util.Locale;

/**
 * A run as one HTML page that needs nothing else: the verdict, the picture, what happened, the
 * figures and what they mean. Immutable.
 */
final class DemoPage {
    private static final String STYLE =
            """
            body { font: 15px/1.5 "Helvetica Neue", Helvetica, Arial, "DejaVu Sans", sans-serif; color: #24292f;
              max-width: 960px; margin: 2em auto; padding: 0 1em; }
            h1 { font-size: 1.4em; } h2 { font-size: 1.1em; margin-top: 2em; }
            .right { color: #1b7f3b; font-weight: bold; } .wrong { color: #c62828; font-weight: bold; }
            .kill { color: #c62828; } .return { color: #1b7f3b; } .leader { color: #2f6fb3; }
            svg { max-width: 100%; height: auto; } pre { overflow-x: auto; }
            td { vertical-align: top; padding: 0.1em 1.2em 0.1em 0; } td:first-child { white-space: nowrap; }
            """;

    private final DemoReport report;
    private final DemoStory story;

    DemoPage(DemoReport report, DemoStory story) {
        this.report = report;
        this.story = story;
    }

    String html() {
        StringBuilder html = new StringBuilder();
        html.append("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n");
        html.append("<title>").append(escaped(report.title())).append("</title>\n");
        html.append("<style>\n").append(STYLE).append("</style>\n</head>\n<body>\n");
        html.append("<h1>").append(escaped(report.title())).append("</h1>\n");
        html.append(
                "<p class=\"%s\">%s</p>\n"
                        .formatted(story.isRight() ? "right" : "wrong", escaped(story.verdict())));
        html.append(report.picture());
        html.append("<h2>What the figures mean</h2>\n<table>\n");
        story.meanings().forEach(note -> row(html, "", note.about(), note.text()));
        html.append("</table>\n<h2>What happened</h2>\n<table>\n");
        for (DemoEvent event : report.events()) {
            row(
                    html,
                    event.kind().name().toLowerCase(Locale.ROOT),
                    ViewPage.time(event.atMillis()),
                    event.text());
        }
        html.append("</table>\n<h2>The figures</h2>\n<pre>\n");
        List<String> table = report.result().table();
        table.forEach(line -> html.append(escaped(line)).append('\n'));
        return html.append("</pre>\n</body>\n</html>\n").toString();
    }

    private static void row(StringBuilder html, String kind, String name, String text) {
        html.append(
                "<tr><td>%s</td><td class=\"%s\">%s</td></tr>\n"
                        .formatted(escaped(name), kind, escaped(text)));
    }

    private static String escaped(String content) {
        return Svg.escaped(content);
    }
}
