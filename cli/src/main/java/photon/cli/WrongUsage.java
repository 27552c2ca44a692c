package photon.cli;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import photon.core.config.NearestName;
import picocli.CommandLine;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgGroupSpec;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * Says what is wrong with a command line, what would be right, and which help to read. The help
 * itself is not printed: it would push the message off the screen.
 */
final class WrongUsage implements IParameterExceptionHandler {
    @Override
    public int handleParseException(ParameterException first, String[] args) {
        ParameterException wrong =
                first instanceof MissingParameterException ? misspelt(args).orElse(first) : first;
        CommandLine verb = wrong.getCommandLine();
        System.err.println("photon: " + text(wrong));
        System.err.println(
                "photon: see '%s --help'".formatted(verb.getCommandSpec().qualifiedName()));
        return CommandLine.ExitCode.USAGE;
    }

    /**
     * What nobody knows, if there is any. Picocli names what is missing first, but that may be what
     * is misspelt.
     */
    private static Optional<ParameterException> misspelt(String[] args) {
        CommandLine again = Photon.commandLine();
        CommandTree.all(again).forEach(verb -> verb.getCommandSpec().parser().collectErrors(true));
        for (CommandLine.ParseResult parsed = again.parseArgs(args);
                parsed != null;
                parsed = parsed.subcommand()) {
            for (Exception error : parsed.errors()) {
                if (error instanceof UnmatchedArgumentException unknown) {
                    return Optional.of(unknown);
                }
            }
        }
        return Optional.empty();
    }

    private static String text(ParameterException wrong) {
        if (wrong instanceof UnmatchedArgumentException unknown) {
            return unknown(unknown);
        }
        String text = String.valueOf(wrong.getMessage());
        if (wrong instanceof MissingParameterException missing
                && missing.getMissing().size() == 1
                && text.startsWith("Missing required")) {
            return missing(missing.getMissing().get(0), text.contains("for option"));
        }
        ArgSpec arg = wrong.getArgSpec();
        if (arg != null && wrong.getValue() != null) {
            return "%s is '%s': %s".formatted(name(arg), wrong.getValue(), expected(wrong, arg));
        }
        CommandLine verb = wrong.getCommandLine();
        if (!verb.getSubcommands().isEmpty() && text.startsWith("Missing required subcommand")) {
            return "expected a command: " + String.join(", ", verb.getSubcommands().keySet());
        }
        if (text.startsWith("Error: Missing required argument")) {
            return "expected "
                    + verb.getCommandSpec().argGroups().stream()
                            .filter(group -> group.multiplicity().min() > 0)
                            .map(ArgGroupSpec::synopsis)
                            .collect(Collectors.joining(" "));
        }
        return text.startsWith("Error: ") ? text.substring("Error: ".length()) : text;
    }

    private static String unknown(UnmatchedArgumentException unknown) {
        CommandLine verb = unknown.getCommandLine();
        String what = unknown.getUnmatched().get(0);
        if (unknown.isUnknownOption()) {
            String name = what.contains("=") ? what.substring(0, what.indexOf('=')) : what;
            return "unknown option '%s'%s"
                    .formatted(
                            name,
                            NearestName.find(name, verb.getCommandSpec().optionsMap().keySet())
                                    .map(nearest -> ": did you mean '" + nearest + "'?")
                                    .orElse(""));
        }
        return verb.getSubcommands().isEmpty()
                ? "unexpected argument '%s'".formatted(what)
                : "unknown command '%s'%s"
                        .formatted(what, NearestName.hint(what, verb.getSubcommands().keySet()));
    }

    private static String missing(ArgSpec arg, boolean isValue) {
        String wrong = name(arg) + (isValue ? " has no value" : " is missing");
        return arg instanceof OptionSpec
                ? "%s: expected %s %s".formatted(wrong, name(arg), arg.paramLabel())
                : wrong;
    }

    private static String name(ArgSpec arg) {
        return arg instanceof OptionSpec option ? option.longestName() : arg.paramLabel();
    }

    private static String expected(ParameterException wrong, ArgSpec arg) {
        String said =
                wrong.getCause() instanceof TypeConversionException converted
                        ? String.valueOf(converted.getMessage())
                        : "";
        // Of our own converters; picocli's speak of Java.
        if (said.startsWith("expected ")
                && !(arg.typeInfo().isEnum() && arg.converters().length == 0)) {
            return said;
        }
        if (arg.typeInfo().isEnum()) {
            return "expected one of "
                    + Arrays.stream(arg.typeInfo().getType().getEnumConstants())
                            .map(value -> value.toString().toLowerCase(Locale.ROOT))
                            .collect(Collectors.joining(", "));
        }
        if (arg.typeInfo().isBoolean()) {
            return "expected no value";
        }
        return Set.of("double", "Double").contains(arg.typeInfo().getType().getSimpleName())
                ? "expected a number"
                : "expected a whole number";
    }
}
