package photon.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import photon.core.config.ConfigLoader;
import photon.core.config.DeploymentConfig;
import photon.core.error.ConfigException;
import photon.core.rpc.HostPort;
import photon.core.rpc.RpcSecurity;
import photon.core.time.ChronyClock;
import photon.core.time.SystemClock;
import photon.registry.api.RetiredDatacenter;
import photon.server.datacenters.DatacenterFacts;
import photon.server.datacenters.DatacenterSession;
import photon.server.datacenters.RetirementRule;
import photon.server.lifecycle.StateLock;
import photon.server.local.LocalPipeline;
import photon.server.roles.DaemonRun.Role;
import photon.storage.files.HadoopFileStore;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The datacenters that take part in a pipeline, and those that do no more. */
@Command(
        name = "datacenter",
        mixinStandardHelpOptions = true,
        description =
                "Lists the datacenters of a pipeline with what each has left, and retires one that takes part no more.",
        subcommands = {DatacenterCommand.ListThem.class, DatacenterRetireCommand.class})
final class DatacenterCommand {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** The datacenters of a configuration's pipeline, deployed or local. */
    static final class Of {
        /** The registry of a local pipeline is started first. */
        private static final Duration LOCAL_PATIENCE = Duration.ofMinutes(5);

        @CommandLine.Mixin private ConfigOption configured = new ConfigOption();

        @CommandLine.Mixin private OutputOption format = new OutputOption();

        @Option(
                names = "--output",
                paramLabel = "DIR",
                description =
                        "The --output of a pipeline of photon local. Default: photon-out beside a configuration without a deployment.")
        private @Nullable String output;

        @Option(
                names = "--state",
                paramLabel = "DIR",
                description =
                        "The --state of a pipeline of photon local. Default: photon-state beside a configuration without a deployment.")
        private @Nullable Path state;

        @Option(
                names = "--timeout",
                paramLabel = "DURATION",
                description = "How long to wait for the registry, such as 10s, the default.")
        private Duration timeout = Duration.ofSeconds(10);

        /** What is done with the datacenters while they can be asked. */
        interface Task {
            /**
             * @return exit status
             */
            int run(Open open) throws IOException;
        }

        /**
         * The datacenters, while they can be asked.
         *
         * @param deployment empty: of a local pipeline, of which nothing runs
         */
        record Open(
                String pipeline,
                DatacenterSession session,
                Optional<DeploymentConfig> deployment,
                String config) {
            RetirementRule.Parts parts(String name) {
                return deployment.isEmpty()
                        ? new RetirementRule.Parts(
                                false,
                                "Run 'photon local --until-idle 10s' once more with %s in datacenters"
                                        .formatted(name))
                        : new RetirementRule.Parts(
                                true,
                                "Start all parts of %s once more, wait until 'photon repair list --config %s' lists none that is to be repaired, and stop them"
                                        .formatted(name, config));
            }
        }

        void print(Supplier<String> table, Supplier<String> json) {
            format.print(table, json);
        }

        void say(String line) {
            format.say(line);
        }

        int with(Task task) throws IOException {
            Path config = configured.file();
            ConfigLoader.Loaded loaded = ConfigLoader.load(config);
            String pipeline = loaded.pipeline().pipeline();
            if (loaded.deployment().isPresent() && output == null && state == null) {
                DeploymentConfig deployment = loaded.deployment().get();
                DatacenterSession session =
                        session(
                                deployment.registry().stream()
                                        .map(DeploymentConfig.RegistryReplica::service)
                                        .toList(),
                                pipeline,
                                Path.of(deployment.state()),
                                deployment.shared(),
                                deployment.output(),
                                new HadoopFileStore(loaded.hadoop()),
                                ClientSecurity.of(loaded),
                                timeout);
                return task.run(
                        new Open(pipeline, session, Optional.of(deployment), config.toString()));
            }
            Path beside =
                    Optional.ofNullable(config.toAbsolutePath().normalize().getParent())
                            .orElse(Path.of("/"));
            String localOutput = LocalCommand.place(output, beside.resolve("photon-out"));
            Path localState = LocalCommand.absolute(state, beside.resolve("photon-state"));
            HadoopFileStore files = new HadoopFileStore(loaded.hadoop());
            try (LocalPipeline local =
                    LocalPipeline.open(loaded.pipeline(), localOutput, localState, files)) {
                DatacenterSession session =
                        session(
                                local.servers(),
                                pipeline,
                                localState,
                                localState.toString(),
                                localOutput,
                                files,
                                RpcSecurity.PLAINTEXT,
                                LOCAL_PATIENCE);
                return task.run(new Open(pipeline, session, Optional.empty(), config.toString()));
            }
        }

        private static DatacenterSession session(
                List<HostPort> servers,
                String pipeline,
                Path state,
                String shared,
                String output,
                HadoopFileStore files,
                RpcSecurity security,
                Duration patience) {
            return DatacenterSession.open(
                    new DatacenterSession.Where(servers, security, pipeline, state, shared, output),
                    files,
                    new SystemClock(ChronyClock.BOUND_WITHOUT),
                    patience);
        }
    }

    /**
     * Locks out the dispatcher whose journal is read, if its state is here.
     *
     * @throws ConfigException if it runs
     */
    static Optional<StateLock> dispatcherLock(Of.Open open, String name) throws IOException {
        if (open.deployment().isEmpty()) {
            return Optional.empty(); // the whole state is locked
        }
        Path locks = Path.of(open.deployment().get().state()).resolve(name).resolve("locks");
        Path own = locks.resolve(Role.DISPATCHER.label());
        return Files.isDirectory(own)
                ? Optional.of(StateLock.take(own, "dispatcher's state"))
                : Optional.empty();
    }

    static String text(String pipeline, DatacenterFacts facts) {
        StringBuilder text = new StringBuilder();
        text.append(
                "datacenter %s of pipeline %s: %s%n"
                        .formatted(
                                facts.name(),
                                pipeline,
                                facts.retired()
                                        .map(retired -> "retired " + retired.text())
                                        .orElse("takes part")));
        row(
                text,
                "output",
                facts.published()
                        .map(
                                published ->
                                        String.format(
                                                Locale.ROOT,
                                                "%,d files with %,d events, in %s",
                                                published.files(),
                                                published.events(),
                                                published.directory()))
                        .orElse("not here"));
        long open = facts.open().size();
        long live = facts.live().size();
        row(
                text,
                "joiners",
                String.format(
                        Locale.ROOT,
                        "%,d incarnations live, %,d to be repaired, %,d closed or repaired",
                        live,
                        open - live,
                        settled(facts)));
        row(
                text,
                "journal",
                facts.journal()
                        .map(
                                journal ->
                                        String.format(
                                                Locale.ROOT,
                                                "%,d events of repaired joiners wait, %,d that the other datacenters read, too",
                                                journal.repairRows(),
                                                journal.otherRows()))
                        .orElse(
                                facts.state().isEmpty()
                                        ? "none"
                                        : "not here, or its dispatcher runs"));
        return text.toString();
    }

    /** Of several that share a row each counts. */
    private static long settled(DatacenterFacts facts) {
        return facts.incarnations().stream()
                .filter(info -> !facts.open().contains(info))
                .mapToLong(info -> info.incarnation().generation() - info.firstGeneration() + 1L)
                .sum();
    }

    private static void row(StringBuilder text, String name, String value) {
        text.append(String.format(Locale.ROOT, "  %-9s %s%n", name, value));
    }

    static ObjectNode json(DatacenterFacts facts) {
        ObjectNode node = JSON.createObjectNode().put("name", facts.name());
        put(node, "retired", facts.retired().map(DatacenterCommand::json));
        put(
                node,
                "output",
                facts.published()
                        .map(
                                published ->
                                        JSON.createObjectNode()
                                                .put("directory", published.directory())
                                                .put("files", published.files())
                                                .put("events", published.events())));
        node.putObject("incarnations")
                .put("live", facts.live().size())
                .put("unrepaired", facts.open().size() - facts.live().size())
                .put("settled", settled(facts));
        facts.state()
                .ifPresentOrElse(
                        state -> node.put("state", state.toString()), () -> node.putNull("state"));
        put(
                node,
                "journal",
                facts.journal()
                        .map(
                                journal ->
                                        JSON.createObjectNode()
                                                .put("directory", journal.directory())
                                                .put("repairRows", journal.repairRows())
                                                .put("otherRows", journal.otherRows())));
        return node;
    }

    static ObjectNode json(RetiredDatacenter retired) {
        return JSON.createObjectNode()
                .put("atMicros", retired.atMicros())
                .put("actor", retired.actor());
    }

    private static void put(ObjectNode node, String name, Optional<ObjectNode> value) {
        value.ifPresentOrElse(one -> node.set(name, one), () -> node.putNull(name));
    }

    /** All that ever took part. */
    @Command(
            name = "list",
            mixinStandardHelpOptions = true,
            description = {
                "Lists every datacenter that ever took part in the pipeline: whether it is retired, what it has published, its joiners'"
                        + " incarnations, and what waits in its dispatcher's retry journal.",
                "Files of a datacenter are read where they are here, in the directories of the configuration. The journal of a dispatcher"
                        + " that runs is not read."
            },
            exitCodeList = {
                "0:listed",
                "1:there is no such pipeline, the registry does not answer, or files cannot be read",
                "2:wrong usage or configuration, or photon local runs"
            },
            footer = "  photon datacenter list --config photon.yaml")
    static final class ListThem implements Callable<Integer> {
        @CommandLine.Mixin private Of of = new Of();

        @Override
        public Integer call() throws IOException {
            return of.with(
                    open -> {
                        List<DatacenterFacts> all = new ArrayList<>();
                        for (String name : open.session().names()) {
                            all.add(open.session().look(name, isStill(open, name)));
                        }
                        of.print(() -> text(open, all), () -> json(open, all));
                        return CommandLine.ExitCode.OK;
                    });
        }

        private static boolean isStill(Of.Open open, String name) throws IOException {
            try {
                Optional<StateLock> lock = dispatcherLock(open, name);
                if (lock.isPresent()) {
                    lock.get().close();
                }
                return true;
            } catch (ConfigException e) {
                return false;
            }
        }

        private static String text(Of.Open open, List<DatacenterFacts> all) {
            StringBuilder text = new StringBuilder();
            all.forEach(facts -> text.append(DatacenterCommand.text(open.pipeline(), facts)));
            return text.toString();
        }

        private static String json(Of.Open open, List<DatacenterFacts> all) {
            ObjectNode root = JSON.createObjectNode().put("pipeline", open.pipeline());
            ArrayNode list = root.putArray("datacenters");
            all.forEach(facts -> list.add(DatacenterCommand.json(facts)));
            return root + "\n";
        }
    }
}
