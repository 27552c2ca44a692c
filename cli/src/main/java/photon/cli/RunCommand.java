package photon.cli;

import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import photon.core.config.ConfigLoader;
import photon.core.config.DeploymentConfig;
import photon.core.error.BugHandler;
import photon.core.error.ConfigException;
import photon.core.rpc.HostPort;
import photon.core.rpc.ProcessRpcs;
import photon.core.rpc.RpcSecurity;
import photon.core.time.IntervalClock;
import photon.core.time.SystemClock;
import photon.server.lifecycle.BuildVersion;
import photon.server.lifecycle.HaltAt;
import photon.server.lifecycle.Lifeline;
import photon.server.lifecycle.Shutdown;
import photon.server.roles.DaemonInstance;
import photon.server.roles.DaemonRun;
import photon.server.roles.Environment;
import photon.server.roles.OpenPort;
import photon.server.roles.StatusPrinter;
import photon.server.trace.Traces;
import photon.storage.files.HadoopFileStore;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** One daemon as a process of its own. */
@Command(
        name = "run",
        mixinStandardHelpOptions = true,
        description = {
            "Runs one part of a datacenter as its own process, until SIGTERM.",
            "The section 'deployment' of the configuration says where each part runs (docs/configuration.md).",
            "It prints the addresses that it serves on. It has no result and no JSON form; --status-every prints its status as lines of JSON."
        },
        exitCodeList = {
            "0:the process shut down cleanly on request",
            "1:the process failed",
            "2:wrong usage or configuration"
        },
        footer = "  photon run joiner --config photon.yaml --name joiner-1")
final class RunCommand implements Callable<Integer> {
    /** How far this machine's clock may be from true time. */
    private static final Duration CLOCK_BOUND = Duration.ofMillis(250);

    @Parameters(paramLabel = "ROLE", description = "One of: ${COMPLETION-CANDIDATES}.")
    private DaemonRun.Role role = DaemonRun.Role.REGISTRY;

    @Mixin private ConfigOption configured = new ConfigOption();

    @Option(
            names = "--name",
            paramLabel = "NAME",
            description =
                    "For registry: the name of this replica in deployment.registry. For joiner: the name of this joiner in deployment.joiners; default joiner-0. For eventstore: the name of this event store in deployment.eventStores; default eventstore-0.")
    private String name = "";

    @Option(
            names = "--until-stdin-closes",
            description =
                    "Shut down cleanly when standard input closes. Use it under a supervisor whose death must end the daemon.")
    private boolean untilStdinCloses;

    @Option(
            names = "--status-every",
            paramLabel = "DURATION",
            description =
                    "How often to print the daemon's status as a line of JSON on stdout, such as 200ms or 5s. Default: never.")
    private @Nullable Duration statusEvery;

    @Option(
            names = "--metrics",
            paramLabel = "HOST:PORT",
            description =
                    "Address on which to serve /metrics (Prometheus text format), /livez and /readyz. Each process needs its own address. Default: metrics.listen of the configuration.")
    private @Nullable String metrics;

    @Option(
            names = "--state-is-lost",
            paramLabel = "STATE",
            description = {
                "For dispatcher: declare its registered state permanently lost. STATE is the identity that the dispatcher prints when it refuses to start without that state. The dispatcher begins with a new state: it reads its logs again from the earliest record, and the verifier repairs once more every incarnation whose repair rows were in the lost state."
            })
    private @Nullable String stateIsLost;

    @Override
    public Integer call() throws Exception {
        Optional<Duration> every = Optional.ofNullable(statusEvery);
        Optional<UUID> stateLost = stateLost(stateIsLost);
        if (stateLost.isPresent() && role != DaemonRun.Role.DISPATCHER) {
            throw new ConfigException(
                    "--state-is-lost is only for the dispatcher: the role %s has no registered state"
                            .formatted(role.label()));
        }
        Path config = configured.file();
        ConfigLoader.Loaded loaded = ConfigLoader.load(config);
        DeploymentConfig deployment =
                loaded.deployment()
                        .orElseThrow(
                                () ->
                                        new ConfigException(
                                                config
                                                        + ": deployment is missing: 'photon run' reads from it where each part runs. Add it, or use 'photon local', which runs all parts here without it"));
        Optional<HostPort> metricsListen =
                metrics == null ? loaded.metricsListen() : Optional.of(metricsOption(metrics));
        IntervalClock clock = new SystemClock(CLOCK_BOUND);
        try (Shutdown shutdown = Shutdown.install();
                Traces traces = traces(loaded, deployment, clock)) {
            Environment environment =
                    new Environment(
                            new HadoopFileStore(loaded.hadoop()),
                            clock,
                            new SecureRandom(),
                            new ProcessRpcs(security(loaded)),
                            HaltAt.fromSystemProperties(),
                            BugHandler.stopProcess(),
                            traces);
            if (untilStdinCloses) {
                Lifeline.endWith(System.in);
            }
            shutdown.starting();
            new DaemonRun(loaded.pipeline(), deployment, environment)
                    .run(
                            role,
                            name,
                            stateLost,
                            metricsListen,
                            shutdown,
                            serving -> {
                                shutdown.started();
                                announce(serving);
                                every.ifPresent(
                                        e ->
                                                StatusPrinter.start(
                                                        serving, environment.rpcs()::total, e));
                            });
            shutdown.finished(0);
            return 0;
        }
    }

    /** Of the two roles that make attempts at events. */
    private Traces traces(
            ConfigLoader.Loaded loaded, DeploymentConfig deployment, IntervalClock clock) {
        boolean attempts = role == DaemonRun.Role.DISPATCHER || role == DaemonRun.Role.JOINER;
        return Traces.of(
                loaded.tracing().filter(config -> attempts),
                new Traces.Source(
                        role.label(),
                        loaded.pipeline().pipeline(),
                        deployment.datacenter(),
                        DaemonInstance.of(role, name, deployment).name(),
                        BuildVersion.text()),
                clock);
    }

    private static RpcSecurity security(ConfigLoader.Loaded loaded) {
        return RpcSecurity.of(loaded.security(), loaded.datacenters(), Clock.systemUTC());
    }

    static Optional<UUID> stateLost(@Nullable String text) {
        if (text == null) {
            return Optional.empty();
        }
        try {
            UUID state = UUID.fromString(text);
            if (state.toString().equalsIgnoreCase(text)) {
                return Optional.of(state);
            }
        } catch (IllegalArgumentException e) {
            // Below.
        }
        throw new ConfigException(
                "--state-is-lost is '%s': expected the identity of a state, such as 0b5f3c8e-1d2a-4f6b-9c7d-3e8a5b6c7d8e. The dispatcher prints it when it refuses to start"
                        .formatted(text));
    }

    private static HostPort metricsOption(String text) {
        try {
            return HostPort.parse(text);
        } catch (ConfigException e) {
            throw new ConfigException("--metrics is wrong: " + e.getMessage());
        }
    }

    /** For whoever started it, a person or a test. */
    private static void announce(DaemonRun.Serving serving) {
        if (!serving.open().isEmpty()) {
            System.out.println(OpenPort.line(serving.role().label(), serving.open()));
        }
        String addresses = String.join(", ", serving.addresses());
        System.out.println(
                "photon "
                        + serving.role().label()
                        + " serves on "
                        + (addresses.isEmpty() ? "no port of its own" : addresses)
                        + serving.metricsAt()
                                .map(at -> "; metrics on http://" + at + "/metrics")
                                .orElse(""));
        System.out.flush();
    }
}
