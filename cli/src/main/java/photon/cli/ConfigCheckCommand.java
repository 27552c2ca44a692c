package photon.cli;

import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import photon.core.config.ConfigLoader;
import photon.core.config.DeploymentConfig;
import photon.server.configcheck.CheckJson;
import photon.server.configcheck.CheckText;
import photon.server.configcheck.DeploymentCheck;
import photon.server.configcheck.rules.CheckLine;
import photon.server.roles.DaemonInstance;
import photon.server.roles.DaemonRun;
import photon.storage.files.HadoopFileStore;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Checks the machine on which a daemon is to run. */
@Command(
        name = "check",
        mixinStandardHelpOptions = true,
        description = {
            "Checks the machine on which a daemon is to run. It takes the same role and name as 'photon run'; run it there, as the user of the daemon, before the first start and after each change.",
            "It checks that the daemon's ports are free or its own, that its directories are on the right kind of disk, can be written and have space, that a shared place answers, that peers will accept the certificate and for how long, that the clock is kept and agrees with those of the registry's servers, that input logs are kept as long as ids are, and that the collector takes traces. It starts no daemon and writes no file."
        },
        exitCodeList = {
            "0:nothing failed; a line may be WARN",
            "1:a line is FAIL: the daemon would not start, or would do harm",
            "2:wrong usage or configuration"
        },
        footer = {
            "  photon config check registry --name r0 --config photon.yaml",
            "  photon config check dispatcher --json"
        })
final class ConfigCheckCommand implements Callable<Integer> {
    /** systemd-timesyncd touches it when it has set the clock. */
    private static final Path TIMESYNC = Path.of("/run/systemd/timesync/synchronized");

    @Parameters(paramLabel = "ROLE", description = "One of: ${COMPLETION-CANDIDATES}.")
    private DaemonRun.Role role = DaemonRun.Role.REGISTRY;

    @Mixin private ConfigOption configured = new ConfigOption();

    @Option(
            names = "--name",
            paramLabel = "NAME",
            description =
                    "For registry: the name of the replica in deployment.registry. For joiner: the name of the joiner in deployment.joiners; default joiner-0. For eventstore: the name of the event store in deployment.eventStores; default eventstore-0.")
    private String name = "";

    @Option(
            names = "--timeout",
            paramLabel = "DURATION",
            description =
                    "How long to wait for each server and each file system to answer; default 5s.")
    private Duration timeout = Duration.ofSeconds(5);

    @Mixin private OutputOption output = new OutputOption();

    @Override
    public Integer call() {
        Path config = configured.file();
        ConfigLoader.Loaded loaded = ConfigLoader.load(config);
        DeploymentConfig deployment = ConfigOption.deployment(config, loaded);
        DaemonInstance daemon = DaemonInstance.of(role, name, deployment);
        List<CheckLine> lines =
                new DeploymentCheck(
                                loaded,
                                deployment,
                                daemon,
                                new HadoopFileStore(loaded.hadoop()),
                                TIMESYNC,
                                timeout,
                                Clock.systemUTC())
                        .run();
        output.print(() -> CheckText.of(lines), () -> CheckJson.of(daemon, lines));
        return CheckJson.isGood(lines) ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
    }
}
