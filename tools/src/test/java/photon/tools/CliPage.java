package photon.tools;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import photon.tools.Verbs.Verb;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/** The page of all verbs, {@code docs/cli.md}, made from what they know of themselves. */
final class CliPage {
    private static final String HEAD =
            """
            # Command line

            <!-- A test writes this page from the commands (CliPageTest): change the texts there. -->

            All verbs follow one grammar.

            - **Result.** A verb that has a result prints it on stdout, as a table for people. `-o json`, or `--json` for short, prints one JSON
              document, and nothing else, on stdout; later versions may add keys, and remove none. Messages, questions and progress are on stderr.
            - **Exit status.** 0: done. 1: the verb failed, or what it checked is not healthy. 2: wrong usage or configuration; the message says
              what is expected, and which help to read.
            - **Times and sizes** have units: `500ms`, `2s`, `10m`, `1h`, `3d`; `64KiB`, `64MiB`, `1GiB`.
            - **Configuration.** Photon reads the file that `--config` names, otherwise the file that the environment variable `PHOTON_CONFIG`
              names, otherwise `./photon.yaml`. Variables such as `PHOTON_CONFIG_limits_publishEvery`
              [set single keys](configuration.md#keys-from-the-environment).
            - **Servers.** Verbs of `registry` ask the servers that `--servers HOST:PORT,...` lists, otherwise those of the environment variable
              `PHOTON_SERVERS`, otherwise those that the configuration lists. An option takes precedence over the environment.
            - **Pipeline.** Verbs about one pipeline use the one that `--pipeline` names, otherwise the configuration's pipeline, otherwise the
              only pipeline of the registry.
            - **Confirmation.** A verb whose effect you cannot undo asks you to type a name. `-y` or `--yes` skips the question.
            - **Help.** `photon help VERB` and `photon VERB --help` print the help of a verb. `photon completion bash` and `photon completion zsh`
              print a script that completes verbs and options in the shell.

            | verb | what it does |
            |---|---|
            """;

    private CliPage() {}

    static String of(List<Verb> verbs) {
        StringBuilder page = new StringBuilder(HEAD);
        for (Verb verb : verbs) {
            page.append(
                    "| [`%s`](#%s) | %s |\n"
                            .formatted(
                                    verb.name(),
                                    "photon-" + verb.name().replace(' ', '-'),
                                    cell(summary(verb.spec().usageMessage().description()[0]))));
        }
        verbs.forEach(verb -> section(page, verb));
        return page.toString();
    }

    private static void section(StringBuilder page, Verb verb) {
        UsageMessageSpec usage = verb.spec().usageMessage();
        page.append("\n## photon ").append(verb.name()).append('\n');
        for (String paragraph : usage.description()) {
            page.append('\n').append(paragraph.formatted()).append('\n');
        }
        page.append("\n```\n");
        Arrays.stream(usage.footer()).forEach(line -> page.append(line.strip()).append('\n'));
        page.append("```\n");
        List<String> arguments = arguments(verb);
        if (!arguments.isEmpty()) {
            page.append("\n| argument or option | |\n|---|---|\n");
            arguments.forEach(page::append);
        }
        page.append("\nExit status:\n\n");
        usage.exitCodeList()
                .forEach((status, meaning) -> page.append("- %s: %s\n".formatted(status, meaning)));
    }

    private static List<String> arguments(Verb verb) {
        List<String> rows = new ArrayList<>();
        verb.spec()
                .positionalParameters()
                .forEach(argument -> rows.add(row(argument.paramLabel(), argument)));
        verb.spec().options().stream()
                .filter(option -> !option.usageHelp() && !option.versionHelp())
                .sorted(Comparator.comparing(OptionSpec::longestName))
                .forEach(option -> rows.add(row(name(option), option)));
        return rows;
    }

    private static String name(OptionSpec option) {
        String names = String.join(", ", option.names());
        return option.arity().max() == 0 ? names : names + " " + option.paramLabel();
    }

    private static String row(String name, ArgSpec arg) {
        String text = Arrays.stream(arg.description()).collect(Collectors.joining(" "));
        return "| `%s` | %s%s |\n"
                .formatted(
                        cell(name),
                        arg instanceof OptionSpec && arg.required() && arg.group() == null
                                ? "Required. "
                                : "",
                        cell(text));
    }

    /** The first sentence, without its details. */
    private static String summary(String text) {
        return text.split("(?<=\\w)[.:;](?: |$)", 2)[0];
    }

    private static String cell(String text) {
        return text.replace("|", "\\|").replace("<", "&lt;");
    }
}
