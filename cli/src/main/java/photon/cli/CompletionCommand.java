package photon.cli;

import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** A script that teaches a shell the verbs and their options. */
@Command(
        name = "completion",
        mixinStandardHelpOptions = true,
        description = {
            "Prints a script that completes verbs, options and their values in a shell. Load it in the shell's start file, as in the example.",
            "It prints only the script, which has no JSON form."
        },
        exitCodeList = {"0:printed", "1:failed", "2:wrong usage"},
        footer = {
            "  photon completion bash > ~/.photon-completion",
            "  echo '. ~/.photon-completion' >> ~/.bashrc"
        })
final class CompletionCommand implements Callable<Integer> {
    private static final String BEGINNING = "if [ -n \"$BASH_VERSION\" ]";

    @Spec private CommandSpec spec = CommandSpec.create();

    /** The shells that it knows, as the help lists them. */
    enum Shell {
        BASH,
        ZSH;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @Parameters(paramLabel = "SHELL", description = "One of: ${COMPLETION-CANDIDATES}.")
    private Shell shell = Shell.BASH;

    @Override
    public Integer call() {
        String script = AutoComplete.bash("photon", spec.root().commandLine());
        // Picocli's own words before it are about its authors' way to install it.
        System.out.printf(
                "# Completion of photon's verbs and options for %s: load it in the shell's start file.%n%n%s",
                shell, script.substring(script.indexOf(BEGINNING)));
        OutputOption.flush();
        return CommandLine.ExitCode.OK;
    }
}
