package photon.cli;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ServiceLoader;
import java.util.stream.Stream;
import picocli.CommandLine;

/** All verbs, and what they have in common. */
final class CommandTree {
    private CommandTree() {}

    /** With the tools that the launcher has put on the class path. */
    static CommandLine of(Photon photon) {
        CommandLine root = new CommandLine(photon);
        for (Tool tool : ServiceLoader.load(Tool.class)) {
            root.addSubcommand(tool);
        }
        root.addSubcommand(new HelpCommand());
        root.addSubcommand(new VersionCommand());
        root.addSubcommand(new CompletionCommand());
        // Converters and the like reach the verbs that are there already.
        root.setCaseInsensitiveEnumValuesAllowed(true)
                .registerConverter(Duration.class, new Quantities.OfTime())
                .registerConverter(Path.class, new LocalPaths())
                .setParameterExceptionHandler(new WrongUsage())
                .setUsageHelpAutoWidth(false);
        all(root)
                .forEach(
                        verb ->
                                verb.getCommandSpec()
                                        .versionProvider(new Photon.Version())
                                        .usageMessage()
                                        .exitCodeListHeading("%nExit status:%n")
                                        .footerHeading("%nExample:%n"));
        return root;
    }

    /** The command itself, and the verbs below it in the order of the help. */
    static Stream<CommandLine> all(CommandLine command) {
        return Stream.concat(
                Stream.of(command),
                command.getSubcommands().values().stream().flatMap(CommandTree::all));
    }
}
