package photon.bench.pipeline;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import photon.demo.generate.Answer;
import photon.demo.generate.FileGenerator;
import photon.demo.generate.GenerateOptions;
import photon.demo.generate.GeneratorSettings;
import photon.storage.files.HadoopFileStore;

/**
 * Logs that lie there whole before anybody reads them, and what joining them must come to.
 *
 * @param logs directory of the logs
 * @param config Photon's, for these logs
 * @param answer what the generator knows
 */
record PipelineLoad(Path logs, Path config, Answer answer) {
    private static final long SEED = 1;
    private static final int PROCESSES = 4;

    /** Percent of the foreign events, of the records, of the primary events. */
    private static final double ORPHANS = 1;

    private static final double REPEATS = 1;
    private static final double EARLY = 1;

    private static final Duration CLOCK_OFFSET_MAX = Duration.ofMillis(200);
    private static final long ROTATE_BYTES = 64L << 20;

    private static final String CONFIG =
            """
            pipeline: bench
            datacenters: [%s]
            retention: unlimited
            primary:
              paths: ["primary/*.log*"]
              format: {type: json-lines}
              id: {server: server, process: process, timestamp: timestamp}
            foreign:
              paths: ["foreign/*.log*"]
              format: {type: json-lines}
              id: {server: server, process: process, timestamp: timestamp}
              primaryId: {server: primary.server, process: primary.process, timestamp: primary.timestamp}
            """;

    /**
     * @param logs is made
     * @param stop true ends it early
     */
    static PipelineLoad write(PipelineBenchOptions options, Path logs, BooleanSupplier stop)
            throws IOException {
        Answer answer = FileGenerator.run(logs, settings(options), new HadoopFileStore(), stop);
        Path config = logs.resolve("bench.yaml");
        Files.writeString(config, CONFIG.formatted(String.join(", ", options.datacenterNames())));
        return new PipelineLoad(logs, config, answer);
    }

    /** A day's events, with what real logs have: clicks before their query, repeats, orphans. */
    static GeneratorSettings settings(PipelineBenchOptions options) {
        double clicks = options.clicksPercent() / 100.0;
        return new GenerateOptions(
                        false,
                        SEED,
                        GeneratorSettings.Format.JSON_LINES,
                        PROCESSES,
                        Math.round(options.events() * (1 + clicks)),
                        null,
                        null,
                        null,
                        clicks,
                        null,
                        ORPHANS,
                        REPEATS,
                        EARLY,
                        0.0,
                        null,
                        CLOCK_OFFSET_MAX,
                        null,
                        ROTATE_BYTES,
                        null,
                        false)
                .settings();
    }

    /** Records of both logs: the input events that costs are divided by. */
    long inputs() {
        return answer.events() + answer.repeats();
    }

    /** Lines {@code foreign id, tab, primary id}. */
    Path joinable() {
        return logs.resolve("joinable.tsv");
    }
}
