package photon.cli;

import java.nio.file.Path;
import java.time.Duration;
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
import photon.core.config.DurationText;
import photon.core.config.PipelineConfig;
import photon.core.error.ConfigException;
import photon.core.rpc.HostPort;
import photon.registry.admin.RegistryView;
import photon.registry.admin.StatusDocument;
import photon.registry.admin.StatusText;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Looks at a registry from outside, and changes it. */
@Command(
        name = "registry",
        mixinStandardHelpOptions = true,
        description =
                "Looks at a running registry and changes it (photon run registry starts a server of one).",
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
            ReportCommand.class
        })
final class RegistryCommand implements Runnable {
    @CommandLine.Spec CommandLine.Model.CommandSpec spec = CommandLine.Model.CommandSpec.create();

    /** Called without a subcommand. */
    @Override
    public void run() {
        throw new CommandLine.ParameterException(
                spec.commandLine(),
                "Expected a command: status, pipelines, reshard, incarnations, transfer, audit, members, backup, verify-backup, restore, restore-status, declare-lost or report");
    }

    /** Where the servers are. */
    static final class Where {
        @Option(
                names = "--config",
                required = true,
                paramLabel = "FILE",
                description = "A configuration whose deployment.registry lists the servers.")
        private @Nullable Path config;

        @Option(
                names = "--servers",
                required = true,
                split = ",",
                paramLabel = "HOST:PORT",
                description =
                        "Service addresses of servers, separated by commas. One is enough: it knows the others.")
        private @Nullable List<String> servers;

        /** Empty if the servers were named instead. */
        Optional<PipelineConfig> pipeline() {
            return config == null
                    ? Optional.empty()
                    : Optional.of(ConfigLoader.load(config).pipeline());
        }

        List<HostPort> addresses() {
            if (servers != null) {
                return servers.stream().distinct().map(HostPort::parse).toList();
            }
            Path file = java.util.Objects.requireNonNull(config);
            DeploymentConfig deployment =
                    ConfigLoader.load(file)
                            .deployment()
                            .orElseThrow(
                                    () ->
                                            new ConfigException(
                                                    file
                                                            + ": deployment is missing: expected where the registry's servers run"));
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
            Path file = config;
            return file == null
                    ? Map.of()
                    : ConfigLoader.load(file).deployment().stream()
                            .flatMap(deployment -> deployment.registry().stream())
                            .collect(
                                    Collectors.toMap(
                                            DeploymentConfig.RegistryReplica::name,
                                            DeploymentConfig.RegistryReplica::datacenter));
        }
    }

    /**
     * @throws ConfigException if it is none
     */
    static Duration duration(String option, String text) {
        return DurationText.parse(text)
                .orElseThrow(
                        () ->
                                new ConfigException(
                                        "%s is '%s': expected %s"
                                                .formatted(option, text, DurationText.EXPECTED)));
    }

    /** The registry's state. */
    @Command(
            name = "status",
            mixinStandardHelpOptions = true,
            description = {
                "Shows servers, pipelines and groups of a registry: leaders, lag, ids, boundary, snapshots, logs.",
                "Asks every server for what it knows; changes nothing and needs no majority."
            },
            exitCodeListHeading = "%nExit status:%n",
            exitCodeList = {
                "0:every group has a leader and a majority of its replicas",
                "1:at least one has not, or no server answers",
                "2:wrong usage or configuration"
            })
    static final class Status implements Callable<Integer> {
        @Mixin private LookOptions look = new LookOptions();
        @Mixin private OutputFormat output = new OutputFormat();

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
