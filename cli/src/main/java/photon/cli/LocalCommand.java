package photon.cli;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import photon.core.config.ConfigLoader;
import photon.core.config.LocalPath;
import photon.core.error.ConfigException;
import photon.server.lifecycle.HaltAt;
import photon.server.local.LocalRun;
import photon.storage.files.HadoopFileStore;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Joins log files in all datacenters of a configuration, in one process. */
@Command(
        name = "local",
        mixinStandardHelpOptions = true,
        description = {
            "Joins the log files of a configuration in one process on this machine: it runs every datacenter with all its parts, and a registry of three replicas.",
            "Without --until-idle, it tails the logs until SIGTERM. When you start it again with the same state and output, it continues where it stopped, even after a crash."
        },
        exitCodeList = {
            "0:done",
            "1:an event is duplicated, unaccounted for or lost, the run failed, or a signal ended it with --until-idle before it had started",
            "2:wrong usage or configuration"
        },
        footer = "  photon local --config photon.yaml --until-idle 5s")
final class LocalCommand implements Callable<Integer> {
    @Mixin private ConfigOption configured = new ConfigOption();

    @Mixin private OutputOption format = new OutputOption();

    @Option(
            names = "--output",
            paramLabel = "DIR",
            description =
                    "Directory where Photon publishes joined events, or its URI, such as hdfs://namenode/photon."
                            + " Default: photon-out beside the configuration.")
    private @Nullable String output;

    @Option(
            names = "--state",
            paramLabel = "DIR",
            description =
                    "Directory where Photon keeps its state. Default: photon-state beside the configuration.")
    private @Nullable Path state;

    @Option(
            names = "--until-idle",
            paramLabel = "DURATION",
            description =
                    "End when no new record has arrived for this long, such as 5s, and every event is settled. An event that waits for its primary event does not keep the run alive once Photon has tried it after reading both logs to their end.")
    private @Nullable Duration untilIdle;

    @Option(
            names = "--state-is-lost",
            paramLabel = "STATE",
            description = {
                "Declare the registered state of a datacenter's dispatcher permanently lost. STATE is the identity of that state. The dispatcher reads its logs again, and the verifier repairs once more what it had repaired with rows in the lost state."
            })
    private @Nullable String stateIsLost;

    @Override
    public Integer call() throws Exception {
        Path config = configured.file();
        Path file = config.toAbsolutePath().normalize();
        Path beside = Optional.ofNullable(file.getParent()).orElse(Path.of("/"));
        ConfigLoader.Loaded loaded = ConfigLoader.load(config);
        return LocalRun.run(
                loaded.pipeline(),
                place(output, beside.resolve("photon-out")),
                absolute(state, beside.resolve("photon-state")),
                new HadoopFileStore(loaded.hadoop()),
                Optional.ofNullable(untilIdle),
                format.isJson(),
                RunCommand.stateLost(stateIsLost),
                HaltAt.fromSystemProperties());
    }

    static String place(@Nullable String given, Path otherwise) {
        if (given == null) {
            return absolute(null, otherwise).toString();
        }
        LocalPath.expectedOfPlace(given)
                .ifPresent(
                        expected -> {
                            throw new ConfigException(
                                    "--output is '%s': %s".formatted(given, expected));
                        });
        return LocalPath.isUri(given)
                ? LocalPath.withoutEnd(given)
                : absolute(Path.of(given), otherwise).toString();
    }

    static Path absolute(@Nullable Path given, Path otherwise) {
        return (given == null ? otherwise : given).toAbsolutePath().normalize();
    }
}
