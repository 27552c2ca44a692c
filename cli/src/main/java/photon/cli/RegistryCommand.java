package photon.cli;

import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import photon.core.config.ConfigLoader;
import photon.core.config.DeploymentConfig;
import photon.core.config.PipelineConfig;
import photon.core.error.ConfigException;
import photon.core.rpc.HostPort;
import photon.core.rpc.RpcSecurity;
import photon.registry.admin.RegistryView;
import photon.registry.admin.StatusDocument;
import photon.registry.admin.StatusText;
import photon.registry.admin.backup.BackupPlace;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Looks at a registry from outside, and changes it. */
@Command(
        name = "registry",
        mixinStandardHelpOptions = true,
        description =
                "Shows the state of a running registry and changes it (photon run registry starts one of its servers).",
        subcommands = {
            RegistryCommand.Status.class,
            PipelinesCommand.class,
            ReshardCommand.class,
            IncarnationsCommand.class,
            TransferCommand.class,
            AuditCommand.class,
            MembersCommand.class,
            BackupCommand.class,
            BackupCommand.Verify.class,
            RestoreCommand.class,
            RestoreCommand.Status.class,
            RestoreCommand.Lost.class,
            RestoreDrillCommand.class,
            ReportCommand.class
        })
final class RegistryCommand {
    /**
     * Where the servers are: named by an option, or else by the environment, or else by the
     * configuration.
     */
    static final class Where {
        /** The environment variable that lists servers. */
        static final String VARIABLE = "PHOTON_SERVERS";

        @Option(
                names = "--config",
                required = true,
                paramLabel = "FILE",
                description =
                        "A configuration whose deployment.registry lists the servers. "
                                + ConfigOption.DEFAULT)
        private @Nullable Path config;

        @Option(
                names = "--servers",
                required = true,
                paramLabel = "HOST:PORT,...",
                description =
                        "Service addresses of registry servers, separated by commas. One is enough: that server knows the others. Default: the environment variable PHOTON_SERVERS, or the servers of the configuration.")
        private @Nullable String servers;

        /** Empty if the servers were named instead. */
        Optional<PipelineConfig> pipeline() {
            return named().isPresent()
                    ? Optional.empty()
                    : Optional.of(ConfigLoader.load(file()).pipeline());
        }

        /** The servers, if no configuration has to say where they are. */
        private Optional<List<HostPort>> named() {
            return named(config, servers, System.getenv())
                    .map(all -> all.stream().distinct().map(HostPort::parse).toList());
        }

        /**
         * @param config null if the option was not used
         * @param servers null if the option was not used
         */
        static Optional<List<String>> named(
                @Nullable Path config, @Nullable String servers, Map<String, String> environment) {
            String fromHere = config == null ? environment.getOrDefault(VARIABLE, "") : "";
            String named = servers == null ? fromHere : servers;
            return servers == null && named.isEmpty()
                    ? Optional.empty()
                    : Optional.of(List.of(named.split(",", -1)));
        }

        private Path file() {
            return ConfigOption.find(config, System.getenv(), Path.of(""))
                    .orElseThrow(
                            () ->
                                    new ConfigException(
                                            "--servers is missing: expected it, or the environment variable %s, to list the registry's servers, or a configuration that lists them (--config, %s, or %s in the working directory)"
                                                    .formatted(
                                                            VARIABLE,
                                                            ConfigOption.VARIABLE,
                                                            ConfigOption.FILE)));
        }

        /**
         * Where a backup lies. A configuration says how a URI is reached, also if another option
         * says where the servers are.
         */
        BackupPlace place(String option, String given) {
            return BackupPlaces.of(option, given, config);
        }

        /** How they are reached. */
        RpcSecurity security() {
            return named().isPresent()
                    ? ClientSecurity.ofServers()
                    : ClientSecurity.of(ConfigLoader.load(file()));
        }

        List<HostPort> addresses() {
            return named().orElseGet(this::configured);
        }

        private List<HostPort> configured() {
            Path file = file();
            DeploymentConfig deployment =
                    ConfigLoader.load(file)
                            .deployment()
                            .orElseThrow(
                                    () ->
                                            new ConfigException(
                                                    file
                                                            + ": deployment is missing: expected it to say where the registry's servers run. Or list them with --servers"));
            return deployment.registry().stream()
                    .map(DeploymentConfig.RegistryReplica::service)
                    .toList();
        }

        /** Those that are named here, then those that only the servers name. */
        List<HostPort> addresses(RegistryView view) {
            Set<HostPort> all = new LinkedHashSet<>(addresses());
            view.servers().forEach(server -> all.add(HostPort.parse(server.service())));
            return List.copyOf(all);
        }

        /** Server to datacenter, as far as it is known here. */
        Map<String, String> datacenters() {
            return named().isPresent()
                    ? Map.of()
                    : ConfigLoader.load(file()).deployment().stream()
                            .flatMap(deployment -> deployment.registry().stream())
                            .collect(
                                    Collectors.toMap(
                                            DeploymentConfig.RegistryReplica::name,
                                            DeploymentConfig.RegistryReplica::datacenter));
        }
    }

    /** The registry's state. */
    @Command(
            name = "status",
            mixinStandardHelpOptions = true,
            description = {
                "Shows the servers, pipelines and groups of a registry: leaders, lag, ids, boundary, snapshots, logs.",
                "It asks every server, needs no majority, and changes nothing."
            },
            exitCodeList = {
                "0:every group has a leader and a majority of its replicas",
                "1:a group lacks a leader or a majority, a restore is under way, or no server answers",
                "2:wrong usage or configuration"
            },
            footer = {
                "  photon registry status --config photon.yaml",
                "  photon registry status --servers r0.example:7200 --json"
            })
    static final class Status implements Callable<Integer> {
        @Mixin private LookOptions look = new LookOptions();
        @Mixin private OutputOption output = new OutputOption();

        @Override
        public Integer call() {
            RegistryView view = RegistryView.of(look.ask());
            long now = System.currentTimeMillis();
            output.print(
                    () -> StatusText.of(view, now),
                    () -> StatusDocument.of(view, now).toPrettyString() + "\n");
            return view.healthy() ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
        }
    }
}
