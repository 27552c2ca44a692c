package photon.demo;

import java.util.List;
import java.util.Locale;

/**
 * Writes the few SVG elements that {@link Plot} needs: no scripts, no style sheets, nothing from
 * elsewhere, so that every viewer shows the same. Not thread-safe.
 */
final class Svg {
    private static final String FONT =
            "font-family=\"Helvetica Neue, Helvetica, Arial, DejaVu Sans, sans-serif\"";

    private final StringBuilder text = new StringBuilder();

    record Point(double x, double y) {}

    /** Where a text stands to its point. */
    enum Anchor {
        START,
        MIDDLE,
        END
    }

    /** On white, whatever the page around it is. */
    Svg(int width, int height, String title) {
        text.append(
                format(
                        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\""
                                + " width=\"%d\" height=\"%d\" role=\"img\" %s>%n",
                        width, height, width, height, FONT));
        text.append("<title>").append(escaped(title)).append("</title>\n");
        rect(0, 0, width, height, "#ffffff");
    }

    void rect(double x, double y, double width, double height, String fill) {
        text.append(
                format(
                        "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"/>%n",
                        x, y, width, height, fill));
    }

    /**
     * @param dashes as {@code stroke-dasharray}; empty: none
     */
    void line(Point from, Point to, String stroke, double width, String dashes) {
        text.append(
                format(
                        "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\""
                                + " stroke-width=\"%.1f\"%s/>%n",
                        from.x(),
                        from.y(),
                        to.x(),
                        to.y(),
                        stroke,
                        width,
                        dashes.isEmpty() ? "" : " stroke-dasharray=\"" + dashes + "\""));
    }

    void polyline(List<Point> points, String stroke, double width) {
        text.append(
                format(
                        "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"%.1f\""
                                + " stroke-linejoin=\"round\"/>%n",
                        list(points), stroke, width));
    }

    void polygon(List<Point> points, String fill) {
        text.append(format("<polygon points=\"%s\" fill=\"%s\"/>%n", list(points), fill));
    }

    void text(Point at, Anchor anchor, double size, String fill, boolean bold, String content) {
        text.append(
                format(
                        "<text x=\"%.1f\" y=\"%.1f\" font-size=\"%.1f\" fill=\"%s\""
                                + " text-anchor=\"%s\"%s>%s</text>%n",
                        at.x(),
                        at.y(),
                        size,
                        fill,
                        anchor.name().toLowerCase(Locale.ROOT),
                        bold ? " font-weight=\"bold\"" : "",
                        escaped(content)));
    }

    /** The whole document. */
    String end() {
        return text + "</svg>\n";
    }

    private static String list(List<Point> points) {
        StringBuilder list = new StringBuilder();
        for (Point point : points) {
            list.append(list.length() == 0 ? "" : " ");
            list.append(format("%.1f,%.1f", point.x(), point.y()));
        }
        return list.toString();
    }

    /** Text as it stands in a document. */
    static String escaped(String content) {
        return content.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }

    private static String format(String format, Object... values) {
        return String.format(Locale.ROOT, format.replace("%n", "\n"), values);
    }
}
