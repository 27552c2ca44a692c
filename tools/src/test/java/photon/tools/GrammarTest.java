package photon.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import photon.cli.Captured;
import photon.cli.Photon;
import photon.tools.Verbs.Verb;
import picocli.CommandLine.Model.OptionSpec;

/** One grammar for all verbs, those of the tools included. */
class GrammarTest {
    /** A verb that has no result says so in its help. */
    private static final String NO_JSON = "no JSON form";

    /** Options that are the same wherever they are. */
    private static final List<String> SHARED =
            List.of(
                    "-o",
                    "--json",
                    "--config",
                    "--servers",
                    "--pipeline",
                    "--timeout",
                    "--duration",
                    "--output",
                    "--state",
                    "--directory",
                    "--reason",
                    "--yes",
                    "--dry-run");

    private static final Pattern WORD = Pattern.compile("\"([^\"]*)\"|(\\S+)");

    static List<Verb> verbs() {
        return Verbs.all();
    }

    @Test
    void theTreeHasTheTools() {
        assertThat(verbs())
                .map(Verb::name)
                .contains("local", "registry status", "demo", "bench pipeline", "chaos registry")
                .contains("simulate", "generate", "help", "version", "completion");
    }

    @ParameterizedTest
    @MethodSource("verbs")
    void aVerbHasJsonOrSaysThatItHasNone(Verb verb) {
        Map<String, OptionSpec> options = verb.spec().optionsMap();
        if (String.join(" ", verb.spec().usageMessage().description()).contains(NO_JSON)) {
            assertThat(options).doesNotContainKeys("-o", "--json");
        } else {
            assertThat(options).containsKeys("-o", "--json");
            assertThat(verb.spec().findOption("-o").completionCandidates())
                    .containsExactly("table", "json");
        }
        OptionSpec output = options.get("--output");
        assertThat(output == null || output.paramLabel().equals("DIR")).isTrue();
    }

    @ParameterizedTest
    @MethodSource("verbs")
    void aVerbsHelpHasExamplesThatItTakes(Verb verb) {
        List<List<String>> examples =
                Arrays.stream(verb.spec().usageMessage().footer())
                        .map(line -> line.split(">", -1)[0])
                        .filter(line -> line.startsWith("  photon "))
                        .map(GrammarTest::split)
                        .toList();
        assertThat(examples).isNotEmpty();
        for (List<String> example : examples) {
            String[] args = example.subList(1, example.size()).toArray(String[]::new);
            assertThat(args).startsWith(verb.words());
            Photon.commandLine().parseArgs(args);
        }
    }

    private static List<String> split(String line) {
        List<String> words = new ArrayList<>();
        for (Matcher word = WORD.matcher(line); word.find(); ) {
            words.add(word.group(1) == null ? word.group(2) : word.group(1));
        }
        return words;
    }

    @ParameterizedTest
    @MethodSource("verbs")
    void aVerbsHelpHasItsExitCodes(Verb verb) {
        assertThat(verb.spec().usageMessage().exitCodeList()).containsOnlyKeys("0", "1", "2");
        Captured help = Captured.run(verb.words("--help"));
        assertThat(help.status()).isZero();
        assertThat(help.stdout()).contains("Exit status:", "Example:");
        Stream<String> asked = Stream.concat(Stream.of("help"), Stream.of(verb.words()));
        assertThat(Captured.run(asked.toArray(String[]::new))).isEqualTo(help);
    }

    @ParameterizedTest
    @MethodSource("verbs")
    void anUnknownOptionIsRefusedAndNamedFirst(Verb verb) {
        Captured run = Captured.run(verb.words("--no-such-option"));
        assertThat(run.status()).isEqualTo(2);
        assertThat(run.stdout()).isEmpty();
        assertThat(run.stderr())
                .isEqualTo(
                        """
                        photon: unknown option '--no-such-option'
                        photon: see 'photon %s --help'
                        """
                                .formatted(verb.name()));
    }

    @ParameterizedTest
    @MethodSource("verbs")
    void timesAndSizesHaveUnits(Verb verb) {
        for (OptionSpec option : verb.spec().options()) {
            String name = option.longestName();
            assertThat(name).doesNotMatch(".*(second|minute|hour|millis|-ms|byte).*");
            boolean isTime = option.typeInfo().getType() == Duration.class;
            if (isTime) {
                assertThat(option.paramLabel()).as(name).isEqualTo("DURATION");
            }
            if (isTime || option.paramLabel().equals("SIZE")) {
                Captured bare = Captured.run(verb.words(name + "=5"));
                assertThat(bare.status()).isEqualTo(2);
                assertThat(bare.stderr())
                        .startsWith("photon: " + name + " is '5': expected a ")
                        .contains(" with its unit, such as 5");
            }
        }
    }

    @Test
    void whatIsCalledTheSameIsTheSame() {
        Map<String, String> known = new TreeMap<>();
        for (Verb verb : verbs()) {
            for (OptionSpec option : verb.spec().options()) {
                String names = String.join(" ", option.names());
                String is = "%s %s %s".formatted(names, option.paramLabel(), option.arity());
                Stream.of(option.names())
                        .filter(SHARED::contains)
                        .forEach(
                                name ->
                                        assertThat(known.computeIfAbsent(name, any -> is))
                                                .as("%s of %s", name, verb)
                                                .isEqualTo(is));
            }
        }
        assertThat(known.keySet()).containsExactlyInAnyOrderElementsOf(SHARED);
        assertThat(known.get("--yes")).startsWith("-y --yes");
    }
}
