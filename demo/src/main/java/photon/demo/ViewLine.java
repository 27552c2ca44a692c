package photon.demo;

import java.util.ArrayList;
import java.util.List;

/** A line of the view while it is made: pieces of text, each in its ink. Not thread-safe. */
final class ViewLine {
    private final List<Piece> pieces = new ArrayList<>();
    private int width;

    private record Piece(Ink ink, String text) {}

    ViewLine add(Ink ink, String text) {
        pieces.add(new Piece(ink, text));
        width += text.length();
        return this;
    }

    ViewLine add(String text) {
        return add(Ink.PLAIN, text);
    }

    /** Cuts what does not fit, fills what is left, and draws the sides of a box around it. */
    String boxed(int inner, boolean painted) {
        StringBuilder line = new StringBuilder(side(painted));
        int left = inner;
        for (Piece piece : pieces) {
            String text = piece.text().substring(0, Math.min(left, piece.text().length()));
            line.append(painted ? piece.ink().paint(text) : text);
            left -= text.length();
        }
        return line.append(" ".repeat(left)).append(side(painted)).toString();
    }

    /** How many characters it has. */
    int width() {
        return width;
    }

    private static String side(boolean painted) {
        return painted ? Ink.DIM.paint("│") : "│";
    }
}
