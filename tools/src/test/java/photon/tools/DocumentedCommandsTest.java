package photon.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import photon.cli.Repository;
import photon.tools.Verbs.Verb;
import picocli.CommandLine.Model.OptionSpec;

/** Pages and scripts name no option that the verb has not, and no time without its unit. */
class DocumentedCommandsTest {
    /** From the launcher's name to the end of the command, as far as a line shows it. */
    private static final Pattern COMMAND =
            Pattern.compile(
                    "(?<![\\w/-])(?:\\./)?photon\"? ([a-z][a-z-]*(?: [a-z][a-z-]*)*)([^`#|>;]*)");

    private static final Pattern OPTION =
            Pattern.compile("(?<![\\w-])(--?[a-z][a-z-]*)(?:[ =]([\\w.\"$]+))?");

    private static List<Path> files() throws IOException {
        Path root = Repository.root();
        List<Path> files = new ArrayList<>();
        files.addAll(List.of(root.resolve("photon"), root.resolve(".ci/run")));
        for (String directory : List.of("docs", "deploy")) {
            Repository.sources(root.resolve(directory), Integer.MAX_VALUE).stream()
                    .filter(file -> file.toString().matches(".*\\.(md|yaml|sh)"))
                    .forEach(files::add);
        }
        try (Stream<Path> pages = Files.list(root)) {
            pages.filter(file -> file.toString().endsWith(".md"))
                    .filter(file -> !file.endsWith("CHANGELOG.md"))
                    .forEach(files::add);
        }
        return files;
    }

    @Test
    void whatTheyCallIsThere() throws IOException {
        Map<String, Verb> verbs =
                Verbs.all().stream().collect(Collectors.toMap(Verb::name, Function.identity()));
        List<String> wrong = new ArrayList<>();
        int commands = 0;
        for (Path file : files()) {
            for (String line : Files.readAllLines(file)) {
                for (Matcher command = COMMAND.matcher(line); command.find(); ) {
                    Verb verb = verb(verbs, command.group(1));
                    if (verb != null) {
                        commands++;
                        problems(verb, command.group(2))
                                .forEach(problem -> wrong.add(file + ": " + problem + ": " + line));
                    }
                }
            }
        }
        assertThat(wrong).isEmpty();
        assertThat(commands).isGreaterThan(100);
    }

    /** The longest that there is; null if it is prose. */
    private static @org.jspecify.annotations.Nullable Verb verb(
            Map<String, Verb> verbs, String words) {
        for (String name = words; !name.isEmpty(); ) {
            if (verbs.containsKey(name)) {
                return verbs.get(name);
            }
            name = name.substring(0, Math.max(0, name.lastIndexOf(' ')));
        }
        return null;
    }

    private static List<String> problems(Verb verb, String rest) {
        List<String> problems = new ArrayList<>();
        for (Matcher given = OPTION.matcher(rest); given.find(); ) {
            OptionSpec option = verb.spec().optionsMap().get(given.group(1));
            String value = given.group(2);
            if (option == null) {
                problems.add("%s has no option %s".formatted(verb, given.group(1)));
            } else if (option.typeInfo().getType() == Duration.class
                    && value != null
                    && value.matches("[\\d.]+")) {
                problems.add("%s %s has no unit".formatted(given.group(1), value));
            }
        }
        return problems;
    }
}
