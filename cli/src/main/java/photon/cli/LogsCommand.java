package photon.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.grpc.MethodDescriptor;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import photon.core.config.ConfigLoader;
import photon.core.config.DeploymentConfig;
import photon.core.error.ConfigException;
import photon.core.error.FailedException;
import photon.core.error.IoText;
import photon.core.rpc.HostPort;
import photon.core.text.PlainText;
import photon.dispatcher.lease.PartitionOwners;
import photon.dispatcher.lease.PartitionOwners.Owner;
import photon.proto.v1.DispatchStatus;
import photon.proto.v1.DispatcherGrpc;
import photon.proto.v1.EventStoreGrpc;
import photon.proto.v1.LogFile;
import photon.proto.v1.LogsRequest;
import photon.proto.v1.LogsResponse;
import photon.registry.admin.ServerCalls;
import photon.server.datacenters.DatacenterPaths;
import photon.storage.files.HadoopFileStore;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** How far the processes of a datacenter have read their logs, and why not further. */
final class LogsCommand {
    private static final ObjectMapper JSON = new ObjectMapper();

    private LogsCommand() {}

    /** The dispatcher of a datacenter. */
    @Command(
            name = "dispatcher",
            mixinStandardHelpOptions = true,
            description =
                    "Shows how far a running dispatcher has read the foreign logs, and resets how"
                            + " far a stopped one counts as having read.",
            subcommands = {DispatcherStatus.class, DispatcherResetCommand.class})
    static final class OfDispatcher {}

    /** The event store of a datacenter. */
    @Command(
            name = "eventstore",
            mixinStandardHelpOptions = true,
            description =
                    "Shows how far a running event store has read the primary logs, and has a"
                            + " stopped one build its index anew.",
            subcommands = {EventStoreStatus.class, EventStoreRebuildCommand.class})
    static final class OfEventStore {}

    /** Of the foreign logs. */
    @Command(
            name = "status",
            mixinStandardHelpOptions = true,
            description = {
                "Asks the dispatcher of the configuration's datacenter how far it has read the"
                        + " foreign logs.",
                "Lists the logs that it has not read to their end, and why. Where several"
                        + " dispatchers share the work (deployment.shared), says which of them works on which partition, and asks"
                        + " each of them."
            },
            exitCodeList = {
                "0:answered",
                "1:a dispatcher does not answer",
                "2:wrong usage or configuration"
            },
            footer = "  photon dispatcher status --config photon.yaml")
    static final class DispatcherStatus implements Callable<Integer> {
        @Mixin private Look look = new Look();

        @Override
        public Integer call() {
            return look.show(
                    "dispatcher", "foreign", Look::dispatchers, DispatcherGrpc.getLogsMethod());
        }
    }

    /** Of the primary logs. */
    @Command(
            name = "status",
            mixinStandardHelpOptions = true,
            description = {
                "Asks each event store of the configuration's datacenter how far it has read the"
                        + " primary logs.",
                "Lists the logs that it has not read to their end, and why."
            },
            exitCodeList = {
                "0:answered",
                "1:an event store does not answer",
                "2:wrong usage or configuration"
            },
            footer = "  photon eventstore status --config photon.yaml")
    static final class EventStoreStatus implements Callable<Integer> {
        @Mixin private Look look = new Look();

        @Override
        public Integer call() {
            return look.show(
                    "event store",
                    "primary",
                    (loaded, deployment) ->
                            new Servers(
                                    deployment.eventStoreAddresses(),
                                    List.of(),
                                    deployment.eventStores().size() > 1 ? "eventStores" : ""),
                    EventStoreGrpc.getLogsMethod());
        }
    }

    /** What both verbs take. */
    static final class Look {
        @Mixin private ConfigOption configured = new ConfigOption();

        @Mixin private OutputOption output = new OutputOption();

        @Option(
                names = "--files",
                paramLabel = "N",
                description =
                        "List N logs at most; default 20. Those that something keeps from being"
                                + " read come first, then those with the most unread bytes.")
        private int files = 20;

        @Option(
                names = "--all",
                description =
                        "Also list logs that are read to their end, and those that have gone.")
        private boolean all;

        @Option(
                names = "--timeout",
                paramLabel = "DURATION",
                description = "How long to wait for an answer; default 10s.")
        private Duration timeout = Duration.ofSeconds(10);

        Integer show(
                String who,
                String stream,
                BiFunction<ConfigLoader.Loaded, DeploymentConfig, Servers> find,
                MethodDescriptor<LogsRequest, LogsResponse> method) {
            if (files < 0) {
                throw new ConfigException("--files is " + files + ": expected 0 or more");
            }
            Path config = configured.file();
            ConfigLoader.Loaded loaded = ConfigLoader.load(config);
            DeploymentConfig deployment = ConfigOption.deployment(config, loaded);
            Servers servers = find.apply(loaded, deployment);
            List<Answer> answers = new ArrayList<>();
            List<String> silent = new ArrayList<>();
            try (ServerCalls calls = new ServerCalls(ClientSecurity.of(loaded))) {
                for (HostPort server : servers.addresses()) {
                    try {
                        LogsResponse response =
                                calls.call(
                                        server,
                                        method,
                                        LogsRequest.newBuilder().setFilesMax(files).build(),
                                        timeout);
                        answers.add(new Answer(server, response, listed(response)));
                    } catch (ServerCalls.BrokenException e) {
                        silent.add(
                                "the %s of %s at %s does not answer: %s"
                                        .formatted(
                                                who,
                                                deployment.datacenter(),
                                                server,
                                                e.getMessage()));
                    }
                }
            }
            if (answers.isEmpty() && servers.partitions().isEmpty()) {
                throw new FailedException(String.join("; ", silent));
            }
            String title = who + " of " + deployment.datacenter() + " at ";
            output.print(
                    () ->
                            PartitionText.text(deployment.datacenter(), servers.partitions())
                                    + answers.stream()
                                            .map(a -> text(title + a.server(), stream, a))
                                            .collect(Collectors.joining()),
                    () -> json(deployment.datacenter(), servers, answers));
            if (!silent.isEmpty()) {
                throw new FailedException(String.join("; ", silent));
            }
            return CommandLine.ExitCode.OK;
        }

        private List<LogFile> listed(LogsResponse response) {
            return response.getListedList().stream().filter(file -> all || isOpen(file)).toList();
        }

        /** The one that is configured, or those that share the work. */
        private static Servers dispatchers(
                ConfigLoader.Loaded loaded, DeploymentConfig deployment) {
            List<HostPort> own = List.of(deployment.dispatcher());
            if (!deployment.sharesState()) {
                return new Servers(own, List.of(), "");
            }
            String home = DatacenterPaths.of(deployment.datacenter(), deployment).dispatcher();
            try {
                List<Owner> owners =
                        PartitionOwners.read(new HadoopFileStore(loaded.hadoop()), home);
                List<HostPort> addresses =
                        owners.stream()
                                .map(Owner::address)
                                .filter(address -> !address.isEmpty())
                                .distinct()
                                .map(HostPort::parse)
                                .toList();
                return new Servers(
                        addresses.isEmpty() ? own : addresses,
                        owners,
                        owners.isEmpty() ? "" : "dispatchers");
            } catch (IOException e) {
                throw new FailedException(
                        "who works on which partition cannot be read from %s: %s"
                                .formatted(home, IoText.of(e)));
            }
        }
    }

    /**
     * Whom to ask.
     *
     * @param partitions who works on each; empty where the work is not shared
     * @param list what JSON calls them together; empty: there is but one
     */
    private record Servers(List<HostPort> addresses, List<Owner> partitions, String list) {}

    private record Answer(HostPort server, LogsResponse response, List<LogFile> listed) {}

    private static boolean isOpen(LogFile file) {
        return file.getState() != LogFile.State.READ && file.getState() != LogFile.State.GONE;
    }

    private static String text(String title, String stream, Answer answer) {
        LogsResponse response = answer.response();
        StringBuilder text = new StringBuilder(title + "\n");
        line(
                text,
                "%,d %s logs, %,d bytes unread%s%s",
                response.getFiles(),
                stream,
                response.getUnreadBytes(),
                since(response.getLagSeconds()),
                response.getCaughtUp() ? "; all that the last look found is read" : "");
        line(
                text,
                "since it started: %,d events read, %,d bad records",
                response.getEventsRead(),
                response.getBadRecords());
        if (response.hasDispatch()) {
            DispatchStatus now = response.getDispatch();
            line(
                    text,
                    "%,d joined, %,d joined by others, %,d skipped, %,d dead letters, %,d with a"
                            + " lost outcome",
                    now.getJoined(),
                    now.getAlreadyJoined(),
                    now.getSkipped(),
                    now.getDeadLettered(),
                    now.getOutcomeLost());
            line(
                    text,
                    "now: %,d on their way, %,d wait in the journal, %,d for another datacenter's"
                            + " turn, %,d for the event store to read as far",
                    now.getInFlight(),
                    now.getWaiting(),
                    now.getHeld(),
                    now.getGated());
        }
        if (!response.getTrouble().isEmpty()) {
            line(
                    text,
                    "TROUBLE for %,d s: %s",
                    response.getTroubleSeconds(),
                    response.getTrouble());
        }
        for (LogFile file : answer.listed()) {
            line(
                    text,
                    "%-10s %s, at offset %,d, %,d bytes unread%s%s",
                    name(file.getState()),
                    file.getPath(),
                    file.getOffset(),
                    file.getUnreadBytes(),
                    since(file.getLagSeconds()),
                    file.getWhy().isEmpty() ? "" : ": " + file.getWhy());
        }
        return text.toString();
    }

    private static String since(long seconds) {
        return seconds == 0
                ? ""
                : String.format(Locale.ROOT, ", the oldest about %,d s old", seconds);
    }

    /** Paths of logs may have any character. */
    static void line(StringBuilder text, String format, Object... values) {
        String line = PlainText.line(String.format(Locale.ROOT, format, values));
        text.append("  ").append(line).append('\n');
    }

    private static String name(LogFile.State state) {
        return state.name().toLowerCase(Locale.ROOT);
    }

    private static String json(String datacenter, Servers servers, List<Answer> answers) {
        ObjectNode node = JSON.createObjectNode().put("datacenter", datacenter);
        if (servers.list().isEmpty()) {
            return fill(node, answers.get(0)).toPrettyString() + "\n";
        }
        if (!servers.partitions().isEmpty()) {
            ArrayNode owners = node.putArray("partitions");
            for (Owner owner : servers.partitions()) {
                owners.addObject()
                        .put("partition", owner.partition())
                        .put("address", owner.address())
                        .put("number", owner.number());
            }
        }
        ArrayNode list = node.putArray(servers.list());
        answers.forEach(answer -> fill(list.addObject(), answer));
        return node.toPrettyString() + "\n";
    }

    private static ObjectNode fill(ObjectNode node, Answer answer) {
        LogsResponse response = answer.response();
        node.put("address", answer.server().toString())
                .put("files", response.getFiles())
                .put("unreadBytes", response.getUnreadBytes())
                .put("lagSeconds", response.getLagSeconds())
                .put("caughtUp", response.getCaughtUp())
                .put("trouble", response.getTrouble())
                .put("troubleSeconds", response.getTroubleSeconds())
                .put("eventsRead", response.getEventsRead())
                .put("badRecords", response.getBadRecords());
        if (response.hasDispatch()) {
            DispatchStatus now = response.getDispatch();
            node.put("joined", now.getJoined())
                    .put("alreadyJoined", now.getAlreadyJoined())
                    .put("skipped", now.getSkipped())
                    .put("deadLettered", now.getDeadLettered())
                    .put("outcomeLost", now.getOutcomeLost())
                    .put("inFlight", now.getInFlight())
                    .put("waiting", now.getWaiting())
                    .put("held", now.getHeld())
                    .put("gated", now.getGated());
        }
        ArrayNode files = node.putArray("listed");
        for (LogFile file : answer.listed()) {
            files.addObject()
                    .put("path", file.getPath())
                    .put("state", name(file.getState()))
                    .put("offset", file.getOffset())
                    .put("unreadBytes", file.getUnreadBytes())
                    .put("lagSeconds", file.getLagSeconds())
                    .put("why", file.getWhy());
        }
        return node;
    }
}
