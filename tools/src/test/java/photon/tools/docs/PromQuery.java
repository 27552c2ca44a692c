package photon.tools.docs;

import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which metrics a query in PromQL names, and by which labels it selects them. It knows as much of
 * the language as ours need: names, matchers, functions and the words between them.
 */
final class PromQuery {
    private static final Pattern TEXT = Pattern.compile("\"[^\"]*\"");
    private static final Pattern GROUPING =
            Pattern.compile("\\b(?:by|without|on|ignoring|group_left|group_right)\\s*\\([^)]*\\)");
    private static final Pattern RANGE = Pattern.compile("\\[[^\\]]*\\]");
    private static final Pattern NAME =
            Pattern.compile("([a-zA-Z_:][a-zA-Z0-9_:]*)\\s*(\\(|\\{[^}]*\\})?");
    private static final Pattern MATCHER = Pattern.compile("([a-zA-Z_]+)\\s*(?:=~|!=|!~|=)");
    private static final Set<String> WORDS = Set.of("and", "or", "unless", "bool", "offset");

    private PromQuery() {}

    /** Each metric, with the labels in its braces. */
    static Map<String, Set<String>> metrics(String query) {
        String plain = TEXT.matcher(query).replaceAll("\"\"");
        plain = RANGE.matcher(GROUPING.matcher(plain).replaceAll(" ")).replaceAll(" ");
        TreeMap<String, Set<String>> found = new TreeMap<>();
        Matcher names = NAME.matcher(plain);
        while (names.find()) {
            String braces = names.group(2) == null ? "" : names.group(2);
            if (!WORDS.contains(names.group(1))
                    && !braces.equals("(")
                    && !isNumber(plain, names.start())) {
                Set<String> labels = found.computeIfAbsent(names.group(1), n -> new TreeSet<>());
                Matcher matcher = MATCHER.matcher(braces);
                while (matcher.find()) {
                    labels.add(matcher.group(1));
                }
            }
        }
        return found;
    }

    /** The letter of a number such as 1e9 is no name. */
    private static boolean isNumber(String text, int at) {
        return at > 0 && Character.isLetterOrDigit(text.charAt(at - 1));
    }

    /** The metric that a series of a histogram belongs to comes last. */
    static Iterable<String> families(String series) {
        return Arrays.asList(series, series.replaceFirst("_(bucket|sum|count)$", ""));
    }
}
