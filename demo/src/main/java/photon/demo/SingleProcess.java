package photon.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import photon.core.config.ConfigLoader;
import photon.core.crash.CrashPoints;
import photon.core.error.FailedException;
import photon.core.time.IntervalClock;
import photon.demo.generate.Answer;
import photon.server.local.LocalBooks;
import photon.server.local.LocalRun;
import photon.storage.files.FileStore;

/** A demo with all parts in this process: {@code photon local} under a live load. */
final class SingleProcess {
    /** The load leaves no gap as long as this. */
    private static final Duration QUIET = Duration.ofSeconds(3);

    private final DemoOptions options;
    private final FileStore files;
    private final IntervalClock clock;
    private final Path work;
    private final Path home;

    /**
     * @param work an empty directory
     * @param home where the repository stands
     */
    SingleProcess(DemoOptions options, FileStore files, IntervalClock clock, Path work, Path home) {
        this.options = options;
        this.files = files;
        this.clock = clock;
        this.work = work;
        this.home = home;
    }

    /**
     * @return exit status
     */
    int run() throws IOException {
        Path config = work.resolve("photon.yaml");
        Files.writeString(config, "pipeline: demo\ndatacenters: [east, west]\n" + DemoRun.STREAMS);
        try (DemoLoad load =
                DemoLoad.start(work.resolve("logs"), options.load(), files, clock, () -> 0)) {
            CompletableFuture<Answer> answer =
                    CompletableFuture.supplyAsync(
                            () -> stop(load),
                            CompletableFuture.delayedExecutor(options.seconds(), TimeUnit.SECONDS));
            return LocalRun.run(
                    ConfigLoader.load(config).pipeline(),
                    work.resolve("out"),
                    work.resolve("state"),
                    Optional.of(new LocalRun.Idle(QUIET, () -> hasEnded(load, answer))),
                    !options.json(),
                    CrashPoints.none(),
                    books -> judge(books, answer.isDone() ? answer.join() : stop(load)));
        }
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

    private int judge(LocalBooks books, Answer answer) throws IOException {
        DemoResult result =
                new DemoResult(
                        books.toJson(),
                        new DemoFigures(
                                answer.joinable(),
                                Optional.empty(),
                                0,
                                List.of(),
                                new TreeMap<>(),
                                Auditor.audit(
                                        home,
                                        work.resolve("out"),
                                        work.resolve("state"),
                                        work.resolve("audit.txt"))));
        Demo.print(result, options.json());
        return result.exitStatus();
    }
}
