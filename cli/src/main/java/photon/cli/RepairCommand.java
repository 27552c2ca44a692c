package photon.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import photon.core.config.ConfigLoader;
import photon.core.config.DeploymentConfig;
import photon.core.config.PipelineConfig;
import photon.core.error.ConfigException;
import photon.core.error.FailedException;
import photon.core.id.Incarnation;
import photon.core.rpc.HostPort;
import photon.core.rpc.RpcSecurity;
import photon.core.time.ChronyClock;
import photon.core.time.SystemClock;
import photon.registry.admin.ControlSession;
import photon.registry.admin.IncarnationsText;
import photon.registry.admin.RegistryView;
import photon.registry.admin.RepeatedLook;
import photon.registry.api.ControlClient.IncarnationInfo;
import photon.registry.api.ControlClient.Rows;
import photon.registry.api.RegistryProtos;
import photon.registry.client.RegistryConnection;
import photon.server.datacenters.DatacenterPaths;
import photon.server.datacenters.DatacenterSession;
import photon.server.roles.RepairReport;
import photon.server.roles.RepairReport.Repair;
import photon.server.roles.WrittenOutput;
import photon.storage.files.FileStore;
import photon.storage.files.HadoopFileStore;
import photon.storage.output.OutputDirectory;
import photon.verifier.repair.RepairHistory.LostEvent;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What a datacenter's verifier has repaired, and what it has not. */
@Command(
        name = "repair",
        mixinStandardHelpOptions = true,
        description =
                "Shows the repairs of a datacenter's incarnations and what each had lost, reopens"
                        + " and writes off repairs, and declares published files lost.",
        subcommands = {
            RepairCommand.ListThem.class,
            RepairCommand.Show.class,
            RepairReopenCommand.class,
            RepairWriteOffCommand.class,
            RepairLostFileCommand.class
        })
final class RepairCommand {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int REASON_MAX = 500;
    private static final Pattern INCARNATION = Pattern.compile("\\d+-\\d+|.+/\\d+");

    /** Of a decision of a person. */
    static void checkReason(String reason) {
        if (reason.isBlank() || reason.length() > REASON_MAX || reason.indexOf('\n') >= 0) {
            throw new ConfigException(
                    "--reason is '%s': expected one line of at most %s characters"
                            .formatted(reason, REASON_MAX));
        }
    }

    /** A datacenter of a configuration. */
    static final class Of {
        @CommandLine.Mixin private ConfigOption configured = new ConfigOption();

        @CommandLine.Mixin private OutputOption output = new OutputOption();

        @Option(
                names = "--datacenter",
                paramLabel = "NAME",
                description =
                        "Another datacenter whose state is in the same directory. Default: the"
                                + " configuration's datacenter.")
        private String datacenter = "";

        @Option(
                names = "--timeout",
                paramLabel = "DURATION",
                description = "How long to wait for the registry; default 10s.")
        private Duration timeout = Duration.ofSeconds(10);

        private String name = "";
        private List<HostPort> servers = List.of();
        private RpcSecurity security = RpcSecurity.PLAINTEXT;
        private Duration patience = Duration.ZERO;
        private UUID pipeline = new UUID(0, 0);
        private FileStore files = new HadoopFileStore();
        private @Nullable VerifierWord word;
        private @Nullable DatacenterPaths paths;
        private @Nullable PipelineConfig pipelineConfig;

        FileStore files() {
            return files;
        }

        /** Of the datacenter that was looked at. */
        DatacenterPaths paths() {
            return Objects.requireNonNull(paths);
        }

        /** That was looked at. */
        PipelineConfig pipelineConfig() {
            return Objects.requireNonNull(pipelineConfig);
        }

        /** What the datacenter that was looked at has published. */
        OutputDirectory output() throws IOException {
            if (files.stat(paths().outputDirectory() + "/_photon.json") == null) {
                throw new IOException(
                        "expected the output of datacenter %s in %s, but there is none"
                                .formatted(name, paths().outputDirectory()));
            }
            return WrittenOutput.open(
                    pipelineConfig(), files, paths(), new SystemClock(ChronyClock.BOUND_WITHOUT));
        }

        /** Of a retired one nothing is left that could be repaired, or nobody who repairs it. */
        void mustNotBeRetired(IncarnationInfo info, String refusal) throws IOException {
            DatacenterSession.retired(
                            servers, security, pipelineConfig().pipeline(), name, patience)
                    .ifPresent(
                            retired -> {
                                throw new FailedException(
                                        "%s: %s".formatted(refusal, retired.refusal()));
                            });
            if (files.stat(paths().outputDirectory() + "/_photon.json") != null
                    && output().retirement().retired().contains(info.incarnation())) {
                throw new FailedException(
                        "%s: %s is retired. The boundary has passed all of its ids, so Photon cannot join its events again, and its manifests are gone"
                                .formatted(refusal, IncarnationsText.name(info)));
            }
        }

        /** As the options ask for it. */
        void print(Supplier<String> table, Supplier<String> json) {
            output.print(table, json);
        }

        /** That was looked at. */
        UUID pipeline() {
            return pipeline;
        }

        /** The incarnation that somebody has named so. */
        Repair find(String which) {
            if (!INCARNATION.matcher(which).matches()) {
                throw new ConfigException(
                        "INCARNATION is '%s': expected two numbers, such as 3-17, or a slot's name and a number, such as east/joiner-0/17"
                                .formatted(which));
            }
            return look().stream()
                    .flatMap(one -> named(one, which).stream())
                    .findFirst()
                    .orElseThrow(
                            () ->
                                    new FailedException(
                                            "datacenter %s has no incarnation %s: 'photon repair list --all' shows all of them"
                                                    .formatted(name, which)));
        }

        /** One that was closed clean is listed together with those before it. */
        private static Optional<Repair> named(Repair repair, String which) {
            int number = Math.max(which.lastIndexOf('-'), which.lastIndexOf('/')) + 1;
            IncarnationInfo info = repair.info();
            for (int generation = info.incarnation().generation();
                    generation >= info.firstGeneration();
                    generation--) {
                if (which.substring(number).equals(Integer.toUnsignedString(generation))) {
                    IncarnationInfo alone =
                            info.alone(new Incarnation(info.incarnation().slot(), generation));
                    return alone.incarnation().toString().equals(which)
                                    || IncarnationsText.name(alone).equals(which)
                            ? Optional.of(
                                    new Repair(
                                            alone,
                                            repair.lost(),
                                            repair.waiting(),
                                            repair.troubled(),
                                            repair.silent()))
                            : Optional.empty();
                }
            }
            return Optional.empty();
        }

        /** Asks the control group of the registry that was looked at. */
        <T> T ask(Function<RegistryConnection, CompletableFuture<T>> question) {
            try {
                return new ControlSession(servers, patience, security).ask(question);
            } catch (TimeoutException e) {
                throw new FailedException(
                        "the registry did not answer within %s ms: run the command again"
                                .formatted(patience.toMillis()));
            }
        }

        /** Of the verifier, when it was looked at. */
        VerifierWord word() {
            return Objects.requireNonNull(word);
        }

        /** How the repairs stand of all incarnations of the datacenter. */
        List<Repair> look() {
            patience = timeout;
            Path config = configured.file();
            ConfigLoader.Loaded loaded = ConfigLoader.load(config);
            DeploymentConfig deployment = ConfigOption.deployment(config, loaded);
            files = new HadoopFileStore(loaded.hadoop());
            security = ClientSecurity.of(loaded);
            name = datacenter.isEmpty() ? deployment.datacenter() : datacenter;
            if (!loaded.pipeline().datacenters().contains(name)) {
                throw new ConfigException(
                        "--datacenter is '%s': expected one of %s"
                                .formatted(name, loaded.pipeline().datacenters()));
            }
            servers =
                    deployment.registry().stream()
                            .map(DeploymentConfig.RegistryReplica::service)
                            .toList();
            RegistryView view =
                    PipelinesCommand.Registry.answered(
                            RegistryView.of(
                                    RepeatedLook.untilOneAnswers(servers, security, patience)));
            pipeline =
                    Objects.requireNonNull(
                            RegistryProtos.uuid(
                                    PipelinesCommand.Registry.pipeline(
                                                    view, loaded.pipeline().pipeline())
                                            .getUuid()));
            pipelineConfig = loaded.pipeline();
            paths = DatacenterPaths.of(name, deployment);
            try {
                List<IncarnationInfo> listed =
                        ask(connection -> connection.control().incarnations(pipeline, name + "/"));
                RepairReport report = RepairReport.read(files, paths());
                long now = view.byItsClocks(System.currentTimeMillis());
                word = VerifierWord.of(report, name, paths().verifier(), now);
                return report.of(listed);
            } catch (IOException e) {
                throw new FailedException(
                        "cannot read the verifier's files in %s: %s"
                                .formatted(paths().verifier(), e));
            }
        }
    }

    /** All that had lost something, or are not repaired. */
    @Command(
            name = "list",
            mixinStandardHelpOptions = true,
            description = {
                "Lists the incarnations that are not repaired yet, and those that had lost events.",
                "An incarnation is live, silent (the verifier fences it soon), to be repaired,"
                        + " waiting (the list says for what), stopped or failing (the list shows"
                        + " the alarm), repaired, or closed.",
                "While the verifier does not run, a dead joiner counts as live. The list says how long ago the verifier was heard, and warns on stderr if that is more than a minute."
            },
            exitCodeList = {
                "0:listed",
                "1:the registry does not answer, or the verifier's files cannot be read",
                "2:wrong usage or configuration"
            },
            footer = "  photon repair list --config photon.yaml")
    static final class ListThem implements Callable<Integer> {
        @CommandLine.Mixin private Of of = new Of();

        @Option(names = "--all", description = "Also list incarnations that had lost nothing.")
        private boolean all;

        @Override
        public Integer call() {
            List<Repair> shown =
                    of.look().stream().filter(repair -> all || isWorthwhile(repair)).toList();
            VerifierWord word = of.word();
            of.print(() -> text(word, shown), () -> json(word, shown));
            word.warnIfOutdated();
            return CommandLine.ExitCode.OK;
        }

        private static boolean isWorthwhile(Repair repair) {
            return !repair.lost().isEmpty()
                    || repair.isUnsettled()
                    || repair.info().rows().timesReopened() > 0;
        }
    }

    private static String text(VerifierWord word, List<Repair> repairs) {
        StringBuilder text = new StringBuilder(word.text());
        for (Repair repair : repairs) {
            text.append(
                    String.format(
                            Locale.ROOT,
                            "  %-10s %-24s %-15s %,d lost, %,d of them written off%s%n",
                            repair.info().incarnation(),
                            repair.info().slotName(),
                            repair.state(),
                            repair.lost().size(),
                            repair.writtenOff(),
                            reopened(repair.info().rows())));
            repair.silent().ifPresent(silent -> text.append(text(silent)));
            repair.troubled().ifPresent(troubled -> text.append(alarm(troubled)));
            repair.waiting()
                    .ifPresent(
                            waiting ->
                                    text.append(
                                            String.format(
                                                    Locale.ROOT,
                                                    "  %-10s %,d looked for, for %,d s%s%n",
                                                    "",
                                                    waiting.path("ids").asLong(),
                                                    waiting.path("seconds").asLong(),
                                                    waiting.path("reason").asText().isEmpty()
                                                            ? ", written off in "
                                                                    + waiting.path("secondsLeft")
                                                                            .asLong()
                                                                    + " s"
                                                            : ": "
                                                                    + waiting.path("reason")
                                                                            .asText())));
        }
        return text.toString();
    }

    private static String alarm(JsonNode troubled) {
        return String.format(
                Locale.ROOT,
                "  %-10s %s: %s%n",
                "",
                troubled.path("stopped").asBoolean() ? "stopped" : "failing",
                troubled.path("alarm").asText());
    }

    private static String text(JsonNode silent) {
        long left = silent.path("secondsLeft").asLong();
        return String.format(
                Locale.ROOT,
                "  %-10s not renewed for %,d s, %s%n",
                "",
                silent.path("seconds").asLong(),
                left < 0 ? "not fenced: repair.fenceAfter is off" : "fenced in " + left + " s");
    }

    private static String reopened(Rows rows) {
        return rows.timesReopened() == 0
                ? ""
                : ", reopened %s"
                        .formatted(
                                rows.timesReopened() == 1
                                        ? "once"
                                        : rows.timesReopened() + " times");
    }

    private static String json(VerifierWord word, List<Repair> repairs) {
        ObjectNode root = word.json();
        ArrayNode list = root.putArray("incarnations");
        repairs.forEach(repair -> list.add(json(repair)));
        return root + "\n";
    }

    private static ObjectNode json(Repair repair) {
        ObjectNode node =
                JSON.createObjectNode()
                        .put("incarnation", repair.info().incarnation().toString())
                        .put("slot", repair.info().slotName())
                        .put("state", repair.state())
                        .put("lost", repair.lost().size())
                        .put("writtenOff", repair.writtenOff())
                        .put("timesReopened", repair.info().rows().timesReopened());
        repair.waiting()
                .ifPresentOrElse(
                        waiting -> node.set("waiting", waiting), () -> node.putNull("waiting"));
        repair.troubled()
                .ifPresentOrElse(
                        troubled -> node.set("troubled", troubled), () -> node.putNull("troubled"));
        repair.silent()
                .ifPresentOrElse(
                        silent -> node.set("silent", silent), () -> node.putNull("silent"));
        return node;
    }

    /** One of them, event by event. */
    @Command(
            name = "show",
            mixinStandardHelpOptions = true,
            description = {
                "Shows each event that an incarnation had committed and not written, and what"
                        + " became of it.",
                "The verifier has handed an event over to a dispatcher, which joins it again, or"
                        + " has written it off, with a reason. While the repair is under way, the"
                        + " verifier has handed an event over or looks for it."
            },
            exitCodeList = {
                "0:shown",
                "1:the incarnation does not exist, the registry does not answer, or the files"
                        + " cannot be read",
                "2:wrong usage or configuration"
            },
            footer = "  photon repair show east/joiner-0/17 --config photon.yaml")
    static final class Show implements Callable<Integer> {
        @CommandLine.Mixin private Of of = new Of();

        @Parameters(
                paramLabel = "INCARNATION",
                description =
                        "The incarnation as 'photon repair list' prints it, such as 3-17, or its"
                                + " slot's name and generation, such as east/joiner-0/17.")
        private String which = "";

        @Override
        public Integer call() {
            Repair repair = of.find(which);
            VerifierWord word = of.word();
            of.print(() -> text(word, repair), () -> json(word, repair));
            word.warnIfOutdated();
            return CommandLine.ExitCode.OK;
        }

        private static String text(VerifierWord word, Repair repair) {
            StringBuilder text = new StringBuilder(RepairCommand.text(word, List.of(repair)));
            for (LostEvent event : repair.lost()) {
                text.append(
                        String.format(
                                Locale.ROOT,
                                "    %s  token %s  %s%s%n",
                                event.id(),
                                event.token(),
                                repair.fate(event),
                                event.writtenOff()
                                        .map(
                                                off ->
                                                        " at %s: %s"
                                                                .formatted(
                                                                        Instant.ofEpochMilli(
                                                                                off.atMillis()),
                                                                        off.reason()))
                                        .orElse("")));
            }
            return text.toString();
        }

        private static String json(VerifierWord word, Repair repair) {
            ObjectNode root = RepairCommand.json(repair).setAll(word.json());
            ArrayNode events = root.putArray("events");
            for (LostEvent event : repair.lost()) {
                ObjectNode node =
                        events.addObject()
                                .put("id", event.id().toString())
                                .put("token", event.token().toString())
                                .put("fate", repair.fate(event));
                event.writtenOff()
                        .ifPresent(
                                off ->
                                        node.put("reason", off.reason())
                                                .put("atMillis", off.atMillis()));
            }
            return root + "\n";
        }
    }
}
