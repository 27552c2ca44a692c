package photon.bench.pipeline;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import photon.bench.pipeline.process.FlinkMain;
import photon.bench.pipeline.process.LocalMain;
import photon.core.error.ExitStatus;
import photon.core.error.FailedException;
import photon.server.lifecycle.Shutdown;
import photon.server.terminal.TerminalLine;
import photon.testbed.process.TemporaryDirectory;

/** One run, from the logs that it makes to its result. */
public final class PipelineBench {
    private static final String PREFIX = "photon-bench-";
    private static final Path PROC = Path.of("/proc/self/task");

    private final PipelineBenchOptions options;
    private final Path work;
    private final Shutdown shutdown;

    private PipelineBench(PipelineBenchOptions options, Path work, Shutdown shutdown) {
        this.options = options;
        this.work = work;
        this.shutdown = shutdown;
    }

    /**
     * @param home where the source tree or the distribution stands
     * @param json the result as one object, and nothing else, on stdout
     * @return exit status
     */
    public static int run(PipelineBenchOptions options, Path home, boolean json)
            throws IOException {
        if (!Files.isReadable(PROC)) {
            throw new FailedException("bench needs Linux: it reads /proc");
        }
        Optional<String> flink =
                options.flink() ? Optional.of(FlinkJars.classPath(home)) : Optional.empty();
        try (Shutdown shutdown = Shutdown.install();
                TemporaryDirectory directory =
                        TemporaryDirectory.make(options.directory(), PREFIX, options.keep());
                TerminalLine line = TerminalLine.onTerminal(!json)) {
            PipelineResult result =
                    new PipelineBench(options, directory.path(), shutdown).run(flink, line);
            line.clear();
            if (json) {
                System.out.println(result.toJson());
            } else {
                result.lines().forEach(System.out::println);
            }
            shutdown.finished(result.exitStatus());
            return result.exitStatus();
        }
    }

    private PipelineResult run(Optional<String> flink, TerminalLine line) throws IOException {
        line.show("writing the logs");
        PipelineLoad load =
                PipelineLoad.write(
                        options, work.resolve("logs"), () -> shutdown.awaitRequest(Duration.ZERO));
        AnswerCheck check = AnswerCheck.of(load.joinable());
        Machine machine = Machine.before();
        line.show("photon joins");
        Path books = work.resolve("books.json");
        PipelineResult.Joined photon = photon(load, books, check);
        Optional<PipelineResult.Joined> peer = Optional.empty();
        if (flink.isPresent()) {
            line.show("Flink joins");
            peer = Optional.of(flink(flink.get(), load, check));
        }
        return new PipelineResult(options, load, machine.after(), photon, costs(books), peer);
    }

    private PipelineResult.Joined photon(PipelineLoad load, Path books, AnswerCheck check)
            throws IOException {
        Path output = work.resolve("photon-out");
        List<String> vm = new ArrayList<>(MeasuredProcess.options());
        vm.addAll(MeasuredProcess.archive());
        MeasuredProcess process =
                MeasuredProcess.run(
                        "photon",
                        work,
                        vm,
                        System.getProperty("java.class.path"),
                        LocalMain.class,
                        List.of(
                                load.config().toString(),
                                output.toString(),
                                work.resolve("photon-state").toString(),
                                books.toString()),
                        shutdown);
        return joined(process, load, ThreadParts.PHOTON, check, published(output));
    }

    private PipelineResult.Joined flink(String jars, PipelineLoad load, AnswerCheck check)
            throws IOException {
        Path output = work.resolve("flink-out");
        List<String> vm = new ArrayList<>(MeasuredProcess.options());
        vm.addAll(FlinkJars.OPENED);
        String own = FlinkJars.jarOf(FlinkMain.class);
        MeasuredProcess process =
                MeasuredProcess.run(
                        "flink",
                        work,
                        vm,
                        own + File.pathSeparator + jars,
                        FlinkMain.class,
                        List.of(load.logs().toString(), output.toString()),
                        shutdown);
        return joined(process, load, ThreadParts.FLINK, check, finished(output));
    }

    private static PipelineResult.Joined joined(
            MeasuredProcess process,
            PipelineLoad load,
            ThreadParts parts,
            AnswerCheck check,
            List<Path> files)
            throws IOException {
        AnswerCheck.Verdict verdict = check.judge(files);
        return new PipelineResult.Joined(
                RunFigures.of(
                        process.report(),
                        process.wholeMicros(),
                        load.inputs(),
                        verdict.joined(),
                        parts),
                verdict,
                process.status() == ExitStatus.DONE);
    }

    private static PipelineResult.PhotonCosts costs(Path books) throws IOException {
        JsonNode json = new ObjectMapper().readTree(books.toFile());
        return new PipelineResult.PhotonCosts(
                json.path("idsPerRaftEntry").asDouble(),
                json.path("wastedAttempts").asLong(),
                json.path("rpcsPerEvent").asDouble());
    }

    /** What a reader of Photon's output reads: the folders by hour. */
    private List<Path> published(Path output) throws IOException {
        List<Path> files = new ArrayList<>();
        for (String datacenter : options.datacenterNames()) {
            Path own = output.resolve(datacenter);
            files.addAll(
                    filesBelow(
                            own,
                            file ->
                                    own.relativize(file).getName(0).toString().startsWith("dt=")
                                            && file.toString().endsWith(".jsonl")));
        }
        return files;
    }

    /** What a reader of Flink's output reads: files that are not hidden. */
    private static List<Path> finished(Path output) throws IOException {
        return filesBelow(output, file -> file.getFileName().toString().startsWith("part-"));
    }

    private static List<Path> filesBelow(Path directory, java.util.function.Predicate<Path> wanted)
            throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(Files::isRegularFile).filter(wanted).sorted().toList();
        }
    }
}
