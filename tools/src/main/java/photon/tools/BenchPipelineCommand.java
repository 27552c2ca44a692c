package photon.tools;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import photon.bench.pipeline.PipelineBench;
import photon.bench.pipeline.PipelineBenchOptions;
import photon.cli.OutputOption;
import photon.core.error.ConfigException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The whole pipeline on this machine, and Flink beside it. */
@Command(
        name = "pipeline",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Writes logs with a known correct result, joins them with photon local in its own process, and reports throughput and cost: CPU time, memory, and the work of the registry. It compares the joined events with the correct result.",
            "With --compare flink, an embedded Flink job joins the same logs afterwards, and the report divides each figure of Photon by Flink's. docs/benchmarks.md explains the figures."
        },
        exitCodeList = {"0:done", "1:a wrong answer or a failure", "2:wrong usage"},
        footer = "  photon bench pipeline --clicks 10 --compare flink")
final class BenchPipelineCommand implements Callable<Integer> {
    private static final String FLINK = "flink";

    @Option(
            names = "--clicks",
            paramLabel = "10|100",
            description =
                    "Foreign events per hundred primary events, on average; default ${DEFAULT-VALUE}.")
    private int clicks = 10;

    @Option(
            names = "--events",
            paramLabel = "N",
            description = "Approximate number of primary events; default ${DEFAULT-VALUE}.")
    private long events = 1_000_000;

    @Option(
            names = "--datacenters",
            paramLabel = "1|2",
            description =
                    "Number of datacenters that join in one process, each of which reads all logs; default ${DEFAULT-VALUE}.")
    private int datacenters = 2;

    @Option(
            names = "--compare",
            paramLabel = FLINK,
            description =
                    "Also join the same logs with Flink. This needs the source tree; the first time, the launcher downloads Flink (64 MB).")
    private @Nullable String compare;

    @Option(
            names = "--directory",
            paramLabel = "DIR",
            description =
                    "Directory on the disk that you want to measure. The benchmark creates a new directory for logs, state and output there, and deletes it at the end. Default: the system's directory for temporary files.")
    private @Nullable Path directory;

    @Option(names = "--keep", description = "Keep the directory that the benchmark creates.")
    private boolean keep;

    @Mixin private OutputOption output = new OutputOption();

    @Override
    public Integer call() throws Exception {
        List<String> problems = new ArrayList<>();
        if (compare != null && !compare.equals(FLINK)) {
            problems.add("--compare is '%s': expected %s".formatted(compare, FLINK));
        }
        PipelineBenchOptions options =
                new PipelineBenchOptions(
                        clicks,
                        events,
                        datacenters,
                        compare != null,
                        Optional.ofNullable(directory),
                        keep);
        problems.addAll(options.problems());
        if (!problems.isEmpty()) {
            throw new ConfigException(problems);
        }
        Path home = Path.of(System.getProperty("photon.home", ".")).toAbsolutePath().normalize();
        return PipelineBench.run(options, home, output.isJson());
    }
}
