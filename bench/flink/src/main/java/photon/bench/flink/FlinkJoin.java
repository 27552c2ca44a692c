package photon.bench.flink;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.serialization.SimpleStringEncoder;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.tuple.Tuple3;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExecutionOptions;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.StateBackendOptions;
import org.apache.flink.connector.file.sink.FileSink;
import org.apache.flink.connector.file.src.FileSource;
import org.apache.flink.connector.file.src.reader.TextLineInputFormat;
import org.apache.flink.core.execution.CheckpointingMode;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.filesystem.rollingpolicies.OnCheckpointRollingPolicy;

/**
 * The join of two directories of logs as a Flink job in this process: two file sources, connected
 * and keyed by the primary event's id, state on the heap, a checkpoint each second, and a file sink
 * that is exactly once.
 *
 * <p>Constructed by name, by {@code photon.bench.pipeline.process.FlinkMain}.
 */
public final class FlinkJoin implements Callable<Void> {
    private static final int PARALLELISM = 2;
    private static final Duration CHECKPOINT_EVERY = Duration.ofSeconds(1);

    private final Path logs;
    private final Path output;

    /**
     * @param logs holds the directories {@code primary} and {@code foreign}
     * @param output is made
     * @param read counts the records that were read
     * @param joined counts the events that were joined
     */
    public FlinkJoin(Path logs, Path output, LongAdder read, LongAdder joined) {
        this.logs = logs;
        this.output = output;
        ReadFunction.countInto(read);
        JoinFunction.countInto(joined);
    }

    /** Returns when all is joined, and all files of the output are finished. */
    @Override
    public Void call() throws Exception {
        StreamExecutionEnvironment job =
                StreamExecutionEnvironment.createLocalEnvironment(PARALLELISM, settings());
        DataStream<Tuple3<String, String, String>> primary = source(job, "primary", false);
        DataStream<Tuple3<String, String, String>> foreign = source(job, "foreign", true);
        primary.connect(foreign)
                .keyBy(record -> record.f0, record -> record.f0, Types.STRING)
                .process(new JoinFunction(), Types.STRING)
                .name("join")
                .sinkTo(
                        FileSink.forRowFormat(flinkPath(output), new SimpleStringEncoder<String>())
                                .withRollingPolicy(OnCheckpointRollingPolicy.build())
                                .build())
                .name("sink");
        job.execute("photon-bench");
        return null;
    }

    private Configuration settings() {
        Configuration settings = new Configuration();
        settings.set(StateBackendOptions.STATE_BACKEND, "hashmap");
        settings.set(CheckpointingOptions.CHECKPOINT_STORAGE, "filesystem");
        settings.set(
                CheckpointingOptions.CHECKPOINTS_DIRECTORY,
                output.resolveSibling("flink-checkpoints").toUri().toString());
        settings.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, CHECKPOINT_EVERY);
        settings.set(
                CheckpointingOptions.CHECKPOINTING_CONSISTENCY_MODE,
                CheckpointingMode.EXACTLY_ONCE);
        settings.set(ExecutionOptions.RUNTIME_MODE, RuntimeExecutionMode.STREAMING);
        settings.set(PipelineOptions.OBJECT_REUSE, true);
        settings.set(RestartStrategyOptions.RESTART_STRATEGY, "none");
        return settings;
    }

    private DataStream<Tuple3<String, String, String>> source(
            StreamExecutionEnvironment job, String stream, boolean foreign) throws IOException {
        TypeInformation<Tuple3<String, String, String>> type =
                Types.TUPLE(Types.STRING, Types.STRING, Types.STRING);
        FileSource<String> files =
                FileSource.forRecordStreamFormat(new TextLineInputFormat(), logsOf(stream)).build();
        return job.fromSource(files, WatermarkStrategy.noWatermarks(), stream)
                .map(new ReadFunction(foreign), type)
                .name("parse");
    }

    private org.apache.flink.core.fs.Path[] logsOf(String stream) throws IOException {
        try (Stream<Path> files = Files.list(logs.resolve(stream))) {
            return files.sorted()
                    .map(FlinkJoin::flinkPath)
                    .toArray(org.apache.flink.core.fs.Path[]::new);
        }
    }

    private static org.apache.flink.core.fs.Path flinkPath(Path path) {
        return new org.apache.flink.core.fs.Path(path.toAbsolutePath().toUri());
    }
}
