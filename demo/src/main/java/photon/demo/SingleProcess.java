package photon.demo;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import photon.core.config.ConfigLoader;
import photon.core.error.FailedException;
import photon.core.time.IntervalClock;
import photon.demo.generate.Answer;
import photon.demo.generate.LogStore;
import photon.server.lifecycle.Shutdown;
import photon.server.local.LocalBooks;
import photon.server.local.LocalRun;
import photon.server.terminal.Terminal;
import photon.storage.files.FileStore;
import photon.testbed.process.EndedEarlyException;

/** A demo with all parts in this process: {@code photon local} under a live load. */
final class SingleProcess {
    /** The load leaves no gap as long as this. */
    private static final Duration QUIET = Duration.ofSeconds(3);

    private final DemoOptions options;
    private final FileStore files;
    private final IntervalClock clock;
    private final Path work;
    private final Path home;
    private final Shutdown shutdown;
    private final AtomicReference<@Nullable DemoReport> report = new AtomicReference<>();

    /**
     * @param work an empty directory
     * @param home where the repository stands
     */
    SingleProcess(
            DemoOptions options,
            FileStore files,
            IntervalClock clock,
            Path work,
            Path home,
            Shutdown shutdown) {
        this.options = options;
        this.files = files;
        this.clock = clock;
        this.work = work;
        this.home = home;
        this.shutdown = shutdown;
    }

    /**
     * @throws EndedEarlyException if a signal came
     */
    DemoReport run() throws IOException {
        Path config = work.resolve("photon.yaml");
        Files.writeString(config, "pipeline: demo\ndatacenters: [east, west]\n" + DemoRun.STREAMS);
        try (DemoLoad load =
                DemoLoad.start(
                        work.resolve("logs"), options.load(), LogStore.of(files), clock, () -> 0)) {
            CompletableFuture<Answer> answer =
                    CompletableFuture.supplyAsync(
                            () -> stop(load),
                            CompletableFuture.delayedExecutor(options.seconds(), TimeUnit.SECONDS));
            tell("starting, all parts in this process");
            LocalRun.live(
                    ConfigLoader.load(config).pipeline(),
                    work.resolve("out"),
                    work.resolve("state"),
                    new LocalRun.Idle(QUIET, () -> hasEnded(load, answer)),
                    shutdown,
                    new SingleProgress(System.err::println, System.nanoTime(), Terminal.isThere()),
                    books -> judge(books, answer));
            return requireNonNull(report.get());
        }
    }

    private static void tell(String text) {
        System.err.println(ViewPage.time(0) + "  " + text);
    }

    /**
     * @throws FailedException if the logs cannot be written any more
     */
    private static boolean hasEnded(DemoLoad load, CompletableFuture<Answer> answer) {
        load.check();
        return answer.isDone();
    }

    private static Answer stop(DemoLoad load) {
        try {
            return load.stop();
        } catch (IOException e) {
            throw new CompletionException(e);
        }
    }

    private int judge(LocalBooks books, CompletableFuture<Answer> answer) throws IOException {
        EndedEarlyException.pause(shutdown, Duration.ZERO);
        DemoResult result =
                new DemoResult(
                        books.toJson(),
                        new DemoFigures(
                                answer.join().joinable(),
                                Optional.empty(),
                                0,
                                List.of(),
                                new TreeMap<>(),
                                Map.of(),
                                Auditor.audit(
                                        home,
                                        work.resolve("out"),
                                        work.resolve("state"),
                                        work.resolve("audit.txt"))));
        report.set(new DemoReport(result, "photon demo: in one process", "", List.of(), work));
        return result.exitStatus();
    }
}
