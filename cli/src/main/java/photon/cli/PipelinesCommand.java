package photon.cli;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import photon.cli.registry.ControlSession;
import photon.cli.registry.PipelinesText;
import photon.cli.registry.RegistryView;
import photon.cli.registry.StatusPoll;
import photon.idregistry.client.PipelineCommands;
import photon.proto.v1.PipelineStatus;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** A registry's pipelines. */
@Command(
        name = "pipelines",
        mixinStandardHelpOptions = true,
        description = "Lists, makes, changes and drops the pipelines of a registry.",
        subcommands = {
            PipelinesCommand.ListThem.class,
            PipelineCreateCommand.class,
            PipelineSetCommand.class,
            PipelineDropCommand.class
        })
final class PipelinesCommand implements Runnable {
    @CommandLine.Spec CommandLine.Model.CommandSpec spec = CommandLine.Model.CommandSpec.create();

    /** Called without a subcommand. */
    @Override
    public void run() {
        throw new CommandLine.ParameterException(
                spec.commandLine(), "Expected a command: list, create, set or drop");
    }

    /** What all of them take. */
    static final class Registry {
        @ArgGroup(multiplicity = "1")
        private RegistryCommand.Where where = new RegistryCommand.Where();

        @Option(
                names = "--timeout",
                paramLabel = "DURATION",
                description =
                        "How long to wait for the registry's answer, such as 20s, the default.")
        private String timeout = "20s";

        RegistryCommand.Where where() {
            return where;
        }

        private Duration patience() {
            return RegistryCommand.duration("--timeout", timeout);
        }

        /**
         * What the servers know.
         *
         * @throws Photon.FailedException if none answers
         */
        RegistryView view() {
            RegistryView view = RegistryView.of(new StatusPoll(patience()).ask(where.addresses()));
            if (view.servers().stream().noneMatch(RegistryView.Server::answers)) {
                throw new Photon.FailedException("no server of the registry answers");
            }
            return view;
        }

        /**
         * The pipeline of that name.
         *
         * @throws Photon.FailedException if there is none
         */
        static PipelineStatus pipeline(RegistryView view, String name) {
            return view.pipeline(name)
                    .orElseThrow(
                            () ->
                                    new Photon.FailedException(
                                            "the registry has no pipeline %s: expected one of %s"
                                                    .formatted(
                                                            name,
                                                            view.pipelines().stream()
                                                                    .map(PipelineStatus::getName)
                                                                    .toList())));
        }

        /**
         * Asks the control group.
         *
         * @throws Photon.FailedException if it does not answer
         */
        <T> T ask(Function<PipelineCommands, CompletableFuture<T>> command) {
            try {
                return new ControlSession(where.addresses(), patience())
                        .ask(connection -> command.apply(connection.pipelines()));
            } catch (TimeoutException e) {
                throw new Photon.FailedException(
                        "the registry has not answered within %s ms: it may be done all the same. Ask again: what is done twice is done once"
                                .formatted(patience().toMillis()));
            }
        }
    }

    /** Microseconds; 0 for "unlimited". */
    static long retentionMicros(String text) {
        return text.equals("unlimited")
                ? 0
                : TimeUnit.NANOSECONDS.toMicros(
                        RegistryCommand.duration("--retention", text).toNanos());
    }

    /** All pipelines. */
    @Command(
            name = "list",
            mixinStandardHelpOptions = true,
            description = {
                "Lists the pipelines of a registry: shards by epoch, ids, retention, limits, incarnations; and those that were dropped.",
                "Asks every server for what it knows; changes nothing and needs no majority."
            },
            exitCodeListHeading = "%nExit status:%n",
            exitCodeList = {"0:listed", "1:no server answers", "2:wrong usage or configuration"})
    static final class ListThem implements Callable<Integer> {
        @CommandLine.Mixin private Registry registry = new Registry();

        @Option(
                names = {"-o", "--output"},
                paramLabel = "FORMAT",
                description = "One of: ${COMPLETION-CANDIDATES}; default text.")
        private RegistryCommand.Format format = RegistryCommand.Format.TEXT;

        @Override
        public Integer call() {
            RegistryView view = registry.view();
            System.out.print(
                    format == RegistryCommand.Format.JSON
                            ? PipelinesText.json(view)
                            : PipelinesText.of(view));
            System.out.flush();
            return CommandLine.ExitCode.OK;
        }
    }
}
