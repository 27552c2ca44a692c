package photon.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.StringReader;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;
import photon.demo.DemoEvent.Kind;
import photon.demo.DemoFigures.Audit;

class DemoPageTest {
    private static String page(long joined, List<DemoEvent> events) {
        ObjectNode books = new ObjectMapper().createObjectNode();
        books.put("joined", joined).put("waiting", 3).put("wastedAttempts", 7);
        DemoResult result =
                new DemoResult(
                        books,
                        new DemoFigures(
                                10,
                                Optional.empty(),
                                1,
                                List.of(),
                                new TreeMap<>(),
                                Map.of(),
                                Audit.AGREES));
        String picture = new Plot("a run", RunOfSamples.until(90_000), events).svg();
        return new DemoPage(
                        new DemoReport(result, "a run", picture, events, Path.of("/tmp")),
                        new DemoStory(result, PlainOptions.of(90, 1_000, 1)))
                .html();
    }

    private static Document parse(String html) throws Exception {
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new InputSource(new StringReader(html)));
    }

    @Test
    void hasTheVerdictThePictureWithTheKillTheEventsAndTheFigures() throws Exception {
        Document page = parse(page(10, RunOfSamples.EVENTS));
        String text = page.getDocumentElement().getTextContent();
        assertThat(text)
                .contains("exactly once: 10 of 10 joined")
                .contains(
                        "joins a second, stacked",
                        "lag, seconds",
                        "waiting for their primary event")
                .contains("wasted attempts 7", "leader changes 1")
                .contains("00:30leader", "leader of shard 1 moved to west in 0.9 s")
                .contains("auditor                          agrees");
        assertThat(page.getElementsByTagName("svg").getLength()).isEqualTo(1);
        assertThat(page.getElementsByTagName("svg").item(0).getTextContent())
                .contains("east killed", "east is back");
    }

    @Test
    void needsNothingFromElsewhere() {
        String html = page(10, RunOfSamples.EVENTS);
        assertThat(html.replace("http://www.w3.org/2000/svg", ""))
                .doesNotContain("http", "src=", "href", "<script", "@import", "url(");
    }

    @Test
    void aWrongRunIsSeenAtOnce() {
        assertThat(page(9, List.of()))
                .contains("<p class=\"wrong\">NOT RIGHT: 9 of 10 joined")
                .doesNotContain("class=\"right\"");
    }

    @Test
    void whatIsWrittenIsEscaped() throws Exception {
        String html = page(10, List.of(new DemoEvent(0, "<b> & \"c\"", Kind.INFO)));
        assertThat(parse(html).getDocumentElement().getTextContent()).contains("<b> & \"c\"");
    }
}
