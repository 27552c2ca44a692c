package photon.cli;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/** The help of a verb, for those who ask for it in this order of words. */
@Command(
        name = "help",
        mixinStandardHelpOptions = true,
        description = {
            "Prints the help of a verb, the same as VERB --help.",
            "The help is text for people and has no JSON form."
        },
        exitCodeList = {"0:printed", "1:failed", "2:the verb does not exist"},
        footer = {"  photon help", "  photon help registry status"})
final class HelpCommand implements Callable<Integer> {
    @Spec private CommandSpec spec = CommandSpec.create();

    @Parameters(
            paramLabel = "VERB",
            arity = "0..*",
            description =
                    "The verb, such as local or registry status. Default: the overview of all verbs.")
    private List<String> words = List.of();

    @Override
    public Integer call() {
        CommandLine verb = spec.root().commandLine();
        Deque<String> left = new ArrayDeque<>(words);
        while (!left.isEmpty()) {
            CommandLine below = verb.getSubcommands().get(left.peek());
            if (below == null) {
                throw new UnmatchedArgumentException(verb, List.copyOf(left));
            }
            verb = below;
            left.remove();
        }
        verb.usage(System.out);
        return CommandLine.ExitCode.OK;
    }
}
