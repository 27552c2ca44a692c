package photon.tools.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import photon.cli.Repository;

/** One page of the documentation: its text outside code, and its fenced code blocks. */
final class MarkdownPage {
    private static final Pattern LINK = Pattern.compile("\\]\\(\\s*<?([^)\\s>]+)>?[^)]*\\)");
    private static final Pattern CODE_SPAN = Pattern.compile("(`+)(?:(?!\\1).)*?\\1");
    private static final Pattern HEADING = Pattern.compile("#{1,6} +(.*?)(?: +#+)? *");

    private final Path file;
    private final List<Link> links = new ArrayList<>();
    private final Set<String> anchors = new LinkedHashSet<>();
    private final List<Block> blocks = new ArrayList<>();

    /** A link as it is written. */
    record Link(int line, String target) {}

    /**
     * A fenced code block.
     *
     * @param follows true if nothing but empty lines stands between this block and the one before
     */
    record Block(int line, String language, List<String> lines, boolean follows) {
        String text() {
            return String.join("\n", lines) + "\n";
        }
    }

    private MarkdownPage(Path file) {
        this.file = file;
    }

    /** Those at the root of the repository, one of each module, and those of docs. */
    static List<MarkdownPage> all() throws IOException {
        List<MarkdownPage> pages = new ArrayList<>();
        Path root = Repository.root();
        Set<Path> files = new TreeSet<>(Repository.sources(root, 2));
        files.addAll(Repository.sources(root.resolve("docs"), Integer.MAX_VALUE));
        for (Path file : files) {
            if (file.toString().endsWith(".md")) {
                pages.add(read(file));
            }
        }
        return pages;
    }

    static MarkdownPage read(Path file) throws IOException {
        MarkdownPage page = new MarkdownPage(file);
        page.parse(Files.readAllLines(file));
        return page;
    }

    private void parse(List<String> lines) {
        Map<String, Integer> timesSeen = new HashMap<>();
        @Nullable Block open = null;
        boolean onlyEmptySinceBlock = false;
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            String stripped = line.strip();
            if (open != null) {
                if (stripped.equals("```")) {
                    blocks.add(open);
                    open = null;
                    onlyEmptySinceBlock = true;
                } else {
                    open.lines().add(line);
                }
            } else if (stripped.startsWith("```")) {
                open =
                        new Block(
                                i + 1,
                                stripped.substring(3).strip(),
                                new ArrayList<>(),
                                onlyEmptySinceBlock);
            } else {
                onlyEmptySinceBlock &= stripped.isEmpty();
                text(i + 1, line, timesSeen);
            }
        }
        if (open != null) {
            throw new IllegalStateException(
                    "%s:%d: the code block is not closed".formatted(file, open.line()));
        }
    }

    private void text(int number, String line, Map<String, Integer> timesSeen) {
        Matcher heading = HEADING.matcher(line);
        if (heading.matches()) {
            String anchor = anchorOf(heading.group(1));
            int before = timesSeen.merge(anchor, 1, Integer::sum) - 1;
            anchors.add(before == 0 ? anchor : anchor + "-" + before);
        }
        Matcher link = LINK.matcher(CODE_SPAN.matcher(line).replaceAll(""));
        while (link.find()) {
            links.add(new Link(number, link.group(1)));
        }
    }

    /** As GitHub names a heading: small letters, no punctuation, a hyphen for each space. */
    static String anchorOf(String heading) {
        return heading.replaceAll("\\[([^]]*)\\]\\([^)]*\\)", "$1")
                .toLowerCase(Locale.ROOT)
                .replaceAll("[^\\p{L}\\p{N}\\-_ ]", "")
                .replace(' ', '-');
    }

    Path file() {
        return file;
    }

    List<Link> links() {
        return links;
    }

    Set<String> anchors() {
        return anchors;
    }

    List<Block> blocks() {
        return blocks;
    }

    /** The output that the page shows for a block of commands: the block that follows it. */
    Optional<Block> outputOf(Block commands) {
        int next = blocks.indexOf(commands) + 1;
        return next < blocks.size()
                        && blocks.get(next).follows()
                        && Set.of("text", "json").contains(blocks.get(next).language())
                ? Optional.of(blocks.get(next))
                : Optional.empty();
    }
}
