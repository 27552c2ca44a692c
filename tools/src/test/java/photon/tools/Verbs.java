package photon.tools;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import photon.cli.Photon;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** The verbs that do something, in the order of the help. */
final class Verbs {
    private Verbs() {}

    /**
     * One of them.
     *
     * @param name the whole, such as {@code registry status}
     */
    record Verb(String name, CommandSpec spec) {
        String[] words(String... more) {
            return Stream.concat(Stream.of(name.split(" ", -1)), Stream.of(more))
                    .toArray(String[]::new);
        }

        @Override
        public String toString() {
            return name;
        }
    }

    static List<Verb> all() {
        List<Verb> verbs = new ArrayList<>();
        collect(Photon.commandLine(), verbs);
        return verbs;
    }

    private static void collect(CommandLine command, List<Verb> into) {
        if (command.getSubcommands().isEmpty()) {
            String name = command.getCommandSpec().qualifiedName();
            into.add(new Verb(name.substring("photon ".length()), command.getCommandSpec()));
        }
        command.getSubcommands().values().forEach(below -> collect(below, into));
    }
}
