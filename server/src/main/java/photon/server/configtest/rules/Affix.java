package photon.server.configtest.rules;

import java.util.ArrayList;
import java.util.List;

/**
 * One way to take a key apart: what may be the key proper, and what stands before or after it.
 *
 * @param before empty, if something stands after it
 * @param after empty, if something stands before it
 */
record Affix(String before, String key, String after) {
    private static final int CUTS_MAX = 8;

    /** Every way, at its punctuation and where letters end and digits begin; a bounded number. */
    static List<Affix> of(String text) {
        List<Affix> found = new ArrayList<>();
        int cuts = 0;
        for (int i = 1; i < text.length() && cuts < CUTS_MAX; i++) {
            char last = text.charAt(i - 1);
            char next = text.charAt(i);
            if (!Character.isLetterOrDigit(last)
                    || (Character.isLetter(last) && Character.isDigit(next))) {
                found.add(new Affix(text.substring(0, i), text.substring(i), ""));
                cuts++;
            }
            if (!Character.isLetterOrDigit(next)) {
                found.add(new Affix("", text.substring(0, i), text.substring(i)));
                cuts++;
            }
        }
        return found;
    }

    /** What is put around the key, as people read it. */
    String around() {
        return before.isEmpty() ? "'" + after + "' at its end" : "'" + before + "' in front";
    }
}
