package photon.cli;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import photon.core.config.DurationText;
import photon.core.config.PipelineConfig;
import photon.core.error.ConfigException;
import photon.core.error.FailedException;
import photon.idregistry.control.PipelineLimits;
import photon.proto.v1.PipelineStatus;
import photon.registry.admin.ControlSession;
import photon.registry.admin.MemberSession;
import photon.registry.admin.MembersView;
import photon.registry.admin.PipelinesText;
import photon.registry.admin.RegistryView;
import photon.registry.admin.RepeatedLook;
import photon.registry.admin.StatusPoll;
import photon.registry.api.ControlClient;
import photon.registry.client.PipelineCommands;
import photon.registry.client.RegistryConnection;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** A registry's pipelines. */
@Command(
        name = "pipelines",
        mixinStandardHelpOptions = true,
        description = "Lists, creates, changes and drops the pipelines of a registry.",
        subcommands = {
            PipelinesCommand.ListThem.class,
            PipelineCreateCommand.class,
            PipelineSetCommand.class,
            PipelineDropCommand.class
        })
final class PipelinesCommand {
    /** What all of them take. */
    static final class Registry {
        private static final String NO_ANSWER =
                "no server of the registry answers: check that its servers run, and the addresses in --servers or in the configuration";

        @ArgGroup private RegistryCommand.Where where = new RegistryCommand.Where();

        @Option(
                names = "--timeout",
                paramLabel = "DURATION",
                description =
                        "How long to wait for a server to answer, and then as long again for the registry to decide; default 20s.")
        private Duration timeout = Duration.ofSeconds(20);

        RegistryCommand.Where where() {
            return where;
        }

        Duration patience() {
            return timeout;
        }

        /**
         * What the servers know.
         *
         * @throws FailedException if none answers
         */
        RegistryView view() {
            return answered(look());
        }

        /**
         * The same view.
         *
         * @throws FailedException if no server has answered
         */
        static RegistryView answered(RegistryView view) {
            if (view.servers().stream().noneMatch(RegistryView.Server::answers)) {
                throw new FailedException(NO_ANSWER);
            }
            return view;
        }

        /** What each server says as soon as one answers, or after the patience. */
        List<StatusPoll.Answer> ask() {
            return RepeatedLook.untilOneAnswers(where.addresses(), where.security(), patience());
        }

        private RegistryView look() {
            return RegistryView.of(ask());
        }

        /**
         * What the servers know, as soon as all of them answer, or after the patience.
         *
         * @throws FailedException if none answers
         */
        RegistryView viewOfAll() {
            return answered(
                    RepeatedLook.untilAllAnswer(where.addresses(), where.security(), patience()));
        }

        /**
         * The pipeline of that name.
         *
         * @throws FailedException if there is none
         */
        static PipelineStatus pipeline(RegistryView view, String name) {
            return view.pipeline(name)
                    .orElseThrow(
                            () ->
                                    new FailedException(
                                            "the registry has no pipeline %s: expected one of %s"
                                                    .formatted(
                                                            name,
                                                            view.pipelines().stream()
                                                                    .map(PipelineStatus::getName)
                                                                    .toList())));
        }

        /**
         * Asks the control group, whichever server leads it.
         *
         * @throws FailedException if it does not answer
         */
        <T> T ask(Function<PipelineCommands, CompletableFuture<T>> command) {
            return ask(look(), command);
        }

        /**
         * Asks the control group, whichever server leads it.
         *
         * @param view what the servers know
         * @throws FailedException if it does not answer
         */
        <T> T ask(RegistryView view, Function<PipelineCommands, CompletableFuture<T>> command) {
            return askConnection(view, connection -> command.apply(connection.pipelines()));
        }

        /**
         * The same, of incarnations.
         *
         * @throws FailedException if it does not answer
         */
        <T> T askControl(RegistryView view, Function<ControlClient, CompletableFuture<T>> command) {
            return askConnection(view, connection -> command.apply(connection.control()));
        }

        private <T> T askConnection(
                RegistryView view, Function<RegistryConnection, CompletableFuture<T>> question) {
            return inTime(
                    () ->
                            new ControlSession(where.addresses(view), patience(), where.security())
                                    .ask(question));
        }

        /**
         * The servers, and the disks behind their names.
         *
         * @throws FailedException if none answers
         */
        MembersView members() {
            MembersView view = new MembersView(ask(), where.datacenters());
            if (view.isEmpty()) {
                throw new FailedException(NO_ANSWER);
            }
            return view;
        }

        /**
         * Asks the control group to change the members.
         *
         * @throws FailedException if it does not answer
         */
        <T> T askMembers(Change<T> change) {
            return inTime(
                    () ->
                            change.of(
                                    new MemberSession(
                                            where.addresses(RegistryView.of(ask())),
                                            patience(),
                                            where.security())));
        }

        private <T> T inTime(Question<T> question) {
            try {
                return question.ask();
            } catch (TimeoutException e) {
                throw new FailedException(
                        "the registry did not answer within %s ms, but may still make the change. Run the command again: repeating it is safe"
                                .formatted(patience().toMillis()));
            }
        }

        /** What the control group is asked. */
        private interface Question<T> {
            T ask() throws TimeoutException;
        }

        /** A change of the members. */
        interface Change<T> {
            T of(MemberSession session) throws TimeoutException;
        }
    }

    /**
     * Microseconds; 0 for "unlimited".
     *
     * @param config empty: none is given
     * @throws ConfigException if it is no duration, or too short for the configuration's joiners
     */
    static long retentionMicros(String text, Optional<PipelineConfig> config) {
        if (text.equals("unlimited")) {
            return 0;
        }
        Duration retention = Quantities.duration("--retention", text);
        config.map(PipelineConfig::limits)
                .filter(limits -> !limits.leavesFirstTries(retention))
                .ifPresent(
                        limits -> {
                            throw new ConfigException(
                                    "--retention is '%s': expected more than limits.expiryMargin, %s, or every event is too old at once"
                                            .formatted(
                                                    text, DurationText.of(limits.expiryMargin())));
                        });
        return TimeUnit.NANOSECONDS.toMicros(retention.toNanos());
    }

    /**
     * @throws ConfigException if it may not be
     */
    static int waitingIds(int ids) {
        if (!PipelineLimits.mayWait(ids)) {
            throw new ConfigException(
                    "--waiting-ids is %s: expected %s to %s, or 0 for the servers' own limit"
                            .formatted(
                                    ids,
                                    PipelineLimits.WAITING_IDS_MIN,
                                    PipelineLimits.WAITING_IDS_MAX));
        }
        return ids;
    }

    /**
     * @throws ConfigException if it may not be
     */
    static int shareWeight(int weight) {
        if (!PipelineLimits.mayWeigh(weight)) {
            throw new ConfigException(
                    "--share-weight is %s: expected 1 to %s, or 0 for the default, %s"
                            .formatted(
                                    weight,
                                    PipelineLimits.SHARE_WEIGHT_MAX,
                                    PipelineLimits.SHARE_WEIGHT_DEFAULT));
        }
        return weight;
    }

    /** All pipelines. */
    @Command(
            name = "list",
            mixinStandardHelpOptions = true,
            description = {
                "Lists the pipelines of a registry: shards by epoch, ids, retention, limits and incarnations. It also lists dropped pipelines.",
                "It asks every server, needs no majority, and changes nothing."
            },
            exitCodeList = {"0:listed", "1:no server answers", "2:wrong usage or configuration"},
            footer = "  photon registry pipelines list --config photon.yaml")
    static final class ListThem implements Callable<Integer> {
        @CommandLine.Mixin private Registry registry = new Registry();

        @CommandLine.Mixin private OutputOption output = new OutputOption();

        @Override
        public Integer call() {
            RegistryView view = registry.view();
            output.print(() -> PipelinesText.of(view), () -> PipelinesText.json(view));
            return CommandLine.ExitCode.OK;
        }
    }
}
