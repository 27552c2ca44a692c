package photon.cli;

import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import photon.cli.roles.DaemonRun;
import photon.cli.roles.Environment;
import photon.core.config.ConfigLoader;
import photon.core.config.DeploymentConfig;
import photon.core.error.BugHandler;
import photon.core.error.ConfigException;
import photon.core.rpc.RpcCounter;
import photon.core.time.SystemClock;
import photon.storage.files.HadoopFileStore;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** One daemon as a process of its own. */
@Command(
        name = "run",
        mixinStandardHelpOptions = true,
        description = {
            "Runs one part of a datacenter as a process of its own, until SIGTERM.",
            "The configuration's section 'deployment' says where the parts are (docs/configuration.md)."
        })
final class RunCommand implements Callable<Integer> {
    /** How far this machine's clock may be from true time. */
    private static final Duration CLOCK_BOUND = Duration.ofMillis(250);

    @Parameters(paramLabel = "ROLE", description = "One of: ${COMPLETION-CANDIDATES}.")
    private DaemonRun.Role role = DaemonRun.Role.REGISTRY;

    @Option(
            names = "--config",
            required = true,
            paramLabel = "FILE",
            description = "The pipeline's configuration.")
    private Path config = Path.of("");

    @Option(
            names = "--name",
            paramLabel = "NAME",
            description =
                    "registry: which replica of deployment.registry this is. joiner: its slot in the datacenter; default"
                            + " joiner-0.")
    private String name = "";

    @Override
    public Integer call() throws Exception {
        ConfigLoader.Loaded loaded = ConfigLoader.load(config);
        DeploymentConfig deployment =
                loaded.deployment()
                        .orElseThrow(
                                () ->
                                        new ConfigException(
                                                config
                                                        + ": deployment is missing: expected where the parts run"));
        Environment environment =
                new Environment(
                        new HadoopFileStore(),
                        new SystemClock(CLOCK_BOUND),
                        new SecureRandom(),
                        new RpcCounter(),
                        HaltAt.fromSystemProperties(),
                        BugHandler.stopProcess());
        try (Shutdown shutdown = Shutdown.install()) {
            new DaemonRun(loaded.pipeline(), deployment, environment)
                    .run(role, name, shutdown, RunCommand::announce);
            shutdown.finished(0);
            return 0;
        }
    }

    /** For whoever started it, a person or a test. */
    private static void announce(DaemonRun.Role role, List<String> addresses) {
        System.out.println(
                "photon "
                        + role.name().toLowerCase(Locale.ROOT)
                        + " serves on "
                        + String.join(", ", addresses));
        System.out.flush();
    }
}
