package photon.tools.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import photon.cli.Repository;

/** Every link in the documentation leads to a file and a heading that are there. */
class LinksTest {
    private static final Path SITE = Path.of("deploy/site/mkdocs.yml");

    @Test
    void linksLeadSomewhere() throws IOException {
        Map<Path, MarkdownPage> pages = new HashMap<>();
        for (MarkdownPage page : MarkdownPage.all()) {
            pages.put(page.file(), page);
        }
        assertThat(pages).as("pages").hasSizeGreaterThan(20);
        List<String> broken = new ArrayList<>();
        int checked = 0;
        for (MarkdownPage page : pages.values()) {
            for (MarkdownPage.Link link : page.links()) {
                if (link.target().matches("[a-z]+:.*")) {
                    continue; // Another host's pages: no test asks the network.
                }
                checked++;
                String why = whyBroken(page, link.target(), pages);
                if (!why.isEmpty()) {
                    broken.add(
                            "%s:%d: %s: %s"
                                    .formatted(
                                            Repository.root().relativize(page.file()),
                                            link.line(),
                                            link.target(),
                                            why));
                }
            }
        }
        assertThat(broken).isEmpty();
        assertThat(checked).as("links checked").isGreaterThan(50);
    }

    private static String whyBroken(
            MarkdownPage from, String target, Map<Path, MarkdownPage> pages) {
        int hash = target.indexOf('#');
        String path = hash < 0 ? target : target.substring(0, hash);
        Path file =
                path.isEmpty()
                        ? from.file()
                        : Objects.requireNonNull(from.file().getParent()).resolve(path).normalize();
        if (!file.startsWith(Repository.root())) {
            return "leads out of the repository";
        }
        if (!Files.exists(file)) {
            return "there is no such file";
        }
        if (hash < 0) {
            return "";
        }
        MarkdownPage page = pages.get(file);
        if (page == null) {
            return "an anchor in a file that is no page";
        }
        return page.anchors().contains(target.substring(hash + 1))
                ? ""
                : "no such heading; there are " + page.anchors();
    }

    @Test
    void theSiteListsEveryPage() throws IOException {
        Set<String> listed = new TreeSet<>();
        for (String line : Files.readAllLines(Repository.root().resolve(SITE))) {
            int at = line.lastIndexOf(' ');
            if (line.endsWith(".md")) {
                listed.add(line.substring(at + 1));
            }
        }
        Set<String> there = new TreeSet<>();
        Set<String> toList = new TreeSet<>();
        for (MarkdownPage page : MarkdownPage.all()) {
            String name = Repository.root().relativize(page.file()).toString();
            there.add(name);
            if (name.startsWith("docs/") || !name.contains("/")) {
                toList.add(name);
            }
        }
        assertThat(there).as("pages that %s names", SITE).containsAll(listed);
        assertThat(listed).as("pages in %s", SITE).containsAll(toList);
    }

    @Test
    void aHeadingIsNamedAsGitHubNamesIt() {
        assertThat(MarkdownPage.anchorOf("12. Compressed logs")).isEqualTo("12-compressed-logs");
        assertThat(MarkdownPage.anchorOf("`photon local`, in [one](x.md) process?"))
                .isEqualTo("photon-local-in-one-process");
    }
}
