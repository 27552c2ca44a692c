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
            "Joins the log files of a configuration in one process: every datacenter with all its parts, and a registry"
                    + " of three replicas, on this machine.",
            "Without --until-idle it runs until SIGTERM and keeps tailing. Started again on the same state and output, it"
                    + " goes on where it was, whatever ended it."
        },
        exitCodeList = {
            "0:done",
            "1:something is duplicated, unaccounted for or lost, or it failed",
            "2:wrong usage or configuration"
        },
        footer = "  photon local --config photon.yaml --until-idle 5s")
final class LocalCommand implements Callable<Integer> {
    @Mixin private ConfigOption configured = new ConfigOption();

    @Mixin private OutputFormat format = new OutputFormat();

    @Option(
            names = "--output",
            paramLabel = "DIR",
            description =
                    "Where joined events are published: a directory, or the URI of one, such as hdfs://namenode/photon."
                            + " Default: photon-out beside the configuration.")
    private @Nullable String output;

    @Option(
            names = "--state",
            paramLabel = "DIR",
            description =
                    "Where Photon keeps its state. Default: photon-state beside the configuration.")
    private @Nullable Path state;

    @Option(
            names = "--until-idle",
            paramLabel = "DURATION",
            description =
                    "End when every event read is settled, or waits for its primary event and was tried after both logs"
                            + " were read to their end, and nothing new came for so long, such as 5s.")
    private @Nullable Duration untilIdle;

    @Option(
            names = "--state-is-lost",
            paramLabel = "STATE",
            description = {
                "Declare the registered state of a datacenter's dispatcher, named by its identity, lost for good. That dispatcher reads"
                        + " its logs again, and what was repaired with rows in the lost state is repaired once more."
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

    private static String place(@Nullable String given, Path otherwise) {
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

    private static Path absolute(@Nullable Path given, Path otherwise) {
        return (given == null ? otherwise : given).toAbsolutePath().normalize();
    }
}
