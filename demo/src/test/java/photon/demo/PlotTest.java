package photon.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

class PlotTest {
    @Test
    void hasACurveADatacenterInEachPanelWithAPointASample() throws Exception {
        List<DemoSample> samples = RunOfSamples.until(60_000);
        Document svg = parse(new Plot("a run", samples, List.of()).svg());
        assertThat(elements(svg, "polygon"))
                .hasSize(2)
                .allSatisfy(area -> assertThat(points(area)).isEqualTo(2 * samples.size()));
        assertThat(elements(svg, "polyline"))
                .hasSize(4)
                .allSatisfy(line -> assertThat(points(line)).isEqualTo(samples.size()));
        assertThat(texts(svg))
                .contains(
                        "a run",
                        "east",
                        "west",
                        "joins a second, stacked",
                        "lag, seconds",
                        "waiting for their primary event",
                        "0 s",
                        "60 s");
    }

    @Test
    void killsAndReturnsAreMarkedAndNothingElse() throws Exception {
        List<DemoSample> samples = RunOfSamples.until(90_000);
        Document svg = parse(new Plot("", samples, RunOfSamples.EVENTS).svg());
        List<Element> marks =
                elements(svg, "line").stream()
                        .filter(l -> l.hasAttribute("stroke-dasharray"))
                        .toList();
        assertThat(marks).hasSize(2);
        // A third and two thirds of the way between the axis' ends.
        assertThat(Double.parseDouble(marks.get(0).getAttribute("x1")))
                .isCloseTo(70 + 866 / 3.0, org.assertj.core.data.Offset.offset(0.1));
        assertThat(Double.parseDouble(marks.get(1).getAttribute("x1")))
                .isCloseTo(70 + 866 * 2 / 3.0, org.assertj.core.data.Offset.offset(0.1));
        assertThat(texts(svg))
                .contains("east killed", "east is back")
                .doesNotContain("repaired 37");
    }

    @Test
    void aLongRunHasNotMorePointsThanCanBeSeen() throws Exception {
        Document svg = parse(new Plot("", RunOfSamples.until(600_000), List.of()).svg());
        assertThat(elements(svg, "polyline"))
                .allSatisfy(line -> assertThat(points(line)).isBetween(300, 480));
    }

    @Test
    void aRunWithoutSamplesIsAnEmptyPicture() throws Exception {
        assertThat(elements(parse(new Plot("", List.of(), List.of()).svg()), "polyline")).isEmpty();
    }

    @Test
    void whatIsWrittenIsEscaped() throws Exception {
        Document svg = parse(new Plot("<a> & \"b\"", List.of(), List.of()).svg());
        assertThat(texts(svg)).contains("<a> & \"b\"");
    }

    private static Document parse(String svg) throws Exception {
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new InputSource(new StringReader(svg)));
    }

    private static int points(Element curve) {
        return curve.getAttribute("points").split(" ").length;
    }

    private static List<String> texts(Document svg) {
        return elements(svg, "text").stream().map(Element::getTextContent).toList();
    }

    private static List<Element> elements(Document svg, String name) {
        NodeList nodes = svg.getElementsByTagName(name);
        List<Element> elements = new ArrayList<>();
        for (int i = 0; i < nodes.getLength(); i++) {
            elements.add((Element) nodes.item(i));
        }
        return elements;
    }
}
