package photon.server.restore;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import photon.core.error.BugHandler;
import photon.core.rpc.HostPort;
import photon.core.rpc.LoopbackPorts;
import photon.core.rpc.RpcSecurity;
import photon.core.time.SystemClock;
import photon.idregistry.raft.RaftStartException;
import photon.idregistry.raft.RaftTuning;
import photon.idregistry.server.RegistryServer;
import photon.idregistry.server.config.RegistryServerConfig;
import photon.proto.v1.RestorePhase;
import photon.proto.v1.RestoreStatus;
import photon.registry.admin.BackupComparison;
import photon.registry.admin.BackupRun;
import photon.registry.admin.LeaderCalls;
import photon.registry.admin.RestoreCalls;
import photon.registry.admin.RestoreRun;
import photon.registry.admin.ServerCalls;
import photon.registry.admin.backup.Backup;
import photon.registry.admin.backup.BackupPlace;

/**
 * Restores a backup into a registry of one server on this machine, which nobody else knows, and
 * compares what is there with the backup. The registry stays at waiting for reports: it accepts
 * nothing, and boundaries move up to the limit of the backup at most.
 */
public final class RestoreDrill {
    private static final Logger LOG = LoggerFactory.getLogger(RestoreDrill.class);

    /** Waited for beside all that have joiners, and never reports. */
    private static final String NOBODY = "restore-drill";

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Duration CLOCK_BOUND = Duration.ofMillis(250);
    private static final Duration END_WITHIN = Duration.ofSeconds(5);

    /** Its log, its snapshots, and the copy that is compared. */
    private static final int TIMES_THE_BACKUP = 3;

    private final Backup backup;
    private final Path work;
    private final CompletableFuture<RegistryServer> server = new CompletableFuture<>();

    /** The drill has found nothing out, or that the backup cannot be restored. */
    public static final class FailedException extends Exception {
        FailedException(String message) {
            super(message);
        }
    }

    /**
     * What was found.
     *
     * @param restore from the start of the server to the last shard's last id
     * @param whole reading the backup, restoring and comparing
     * @param differences empty: the restored registry knows what the backup does
     */
    public record Result(
            Backup.Content content,
            String made,
            Duration restore,
            Duration whole,
            List<Shard> shards,
            List<String> differences) {
        public Result {
            shards = List.copyOf(shards);
            differences = List.copyOf(differences);
        }
    }

    /**
     * A shard of the backup.
     *
     * @param name PIPELINE/EPOCH/SHARD
     */
    public record Shard(String name, long ids) {}

    private RestoreDrill(Backup backup, Path work) {
        this.backup = backup;
        this.work = work;
    }

    /**
     * @param in where a directory for the drill is made, and deleted at the end
     * @param within all of it
     * @throws IOException if a file cannot be read or written, or the backup is damaged
     */
    public static Result run(BackupPlace backup, Path in, Duration within)
            throws IOException, FailedException, InterruptedException {
        Backup opened = Backup.open(backup);
        checkSpace(opened, in);
        Path work = Files.createTempDirectory(in.toAbsolutePath(), "photon-drill-");
        RestoreDrill drill = new RestoreDrill(opened, work);
        FutureTask<Result> task = new FutureTask<>(drill::restoreAndCompare);
        Thread thread = new Thread(task, "restore-drill");
        thread.setDaemon(true);
        // Of who is told to end meanwhile: what is there may be large.
        Thread atExit = new Thread(drill::end, "restore-drill-end");
        Runtime.getRuntime().addShutdownHook(atExit);
        try {
            thread.start();
            return task.get(within.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new FailedException(
                    "the drill took longer than --within allows, %d s. Allow more, or a faster disk (--work)"
                            .formatted(within.toSeconds()));
        } catch (ExecutionException e) {
            throw failure(e.getCause());
        } finally {
            thread.interrupt();
            drill.end();
            thread.join(END_WITHIN.toMillis());
            drill.end();
            unhook(atExit);
        }
    }

    private static void checkSpace(Backup backup, Path in) throws IOException, FailedException {
        if (!Files.isDirectory(in)) {
            throw new FailedException(in + " is not a directory: --work must name one");
        }
        long bytes =
                backup.manifest().groups().stream()
                        .flatMap(group -> group.files().stream())
                        .mapToLong(file -> file.length())
                        .sum();
        long free = Files.getFileStore(in).getUsableSpace();
        if (free / TIMES_THE_BACKUP < bytes) {
            throw new FailedException(
                    "%s has %,d bytes free, and the drill needs %,d, %d times the backup. Name another directory by --work"
                            .formatted(in, free, TIMES_THE_BACKUP * bytes, TIMES_THE_BACKUP));
        }
    }

    private static FailedException failure(@Nullable Throwable cause)
            throws IOException, FailedException {
        if (cause instanceof IOException failed) {
            throw failed;
        }
        if (cause instanceof FailedException failed) {
            throw failed;
        }
        if (cause instanceof RaftStartException
                || cause instanceof RestoreCalls.RefusedException
                || cause instanceof LeaderCalls.UndecidedException
                || cause instanceof BackupRun.FailedException) {
            return new FailedException(String.valueOf(cause.getMessage()));
        }
        if (cause instanceof RuntimeException bug) {
            throw bug;
        }
        throw new IllegalStateException(cause);
    }

    private Result restoreAndCompare()
            throws IOException,
                    FailedException,
                    BackupRun.FailedException,
                    RestoreCalls.RefusedException,
                    LeaderCalls.UndecidedException {
        long begun = System.nanoTime();
        Backup.Content content = backup.verify();
        List<Integer> ports = LoopbackPorts.choose(2, new Random());
        HostPort service = new HostPort("127.0.0.1", ports.get(1));
        long started = System.nanoTime();
        start(new HostPort("127.0.0.1", ports.get(0)), service);
        try (ServerCalls calls = new ServerCalls(RpcSecurity.PLAINTEXT)) {
            Set<String> datacenters = new TreeSet<>(RestoreRun.datacenters(backup));
            datacenters.add(NOBODY);
            RestoreStatus status =
                    new RestoreRun(
                                    backup,
                                    datacenters,
                                    Instant.now(),
                                    new RestoreCalls(
                                            new LeaderCalls(calls, List.of(service), PATIENCE)))
                            .run();
            Duration restore = since(started);
            if (status.getPhase() != RestorePhase.RESTORE_REPORTING) {
                throw new FailedException(
                        "the restore ended at %s, not at waiting for reports"
                                .formatted(status.getPhase()));
            }
            BackupPlace copy = BackupPlace.local(work.resolve("copy"));
            BackupRun.alsoWhileRestoring(List.of(service), PATIENCE, calls).make(copy);
            BackupComparison.Outcome outcome = BackupComparison.of(backup, Backup.open(copy));
            return new Result(
                    content,
                    backup.manifest().made(),
                    restore,
                    since(begun),
                    outcome.shards().stream()
                            .map(shard -> new Shard(shard.name(), shard.ids()))
                            .toList(),
                    outcome.differences());
        }
    }

    private void start(HostPort raft, HostPort service) {
        List<RegistryServerConfig.Peer> peers =
                List.of(new RegistryServerConfig.Peer("drill", raft, service));
        RegistryServer started =
                RegistryServer.start(
                        RegistryServerConfig.of("drill", peers, work.resolve("registry"))
                                .with(
                                        RaftTuning.LAN.withFirstElection(
                                                Duration.ofMillis(100), Duration.ofMillis(200))),
                        new SystemClock(CLOCK_BOUND),
                        BugHandler.stopProcess());
        if (!server.complete(started)) {
            started.close();
        }
    }

    private static Duration since(long nanos) {
        return Duration.ofNanos(System.nanoTime() - nanos);
    }

    /** Stops the server, and deletes what the drill has written. May be called again. */
    private synchronized void end() {
        if (!server.cancel(false) && !server.isCancelled()) {
            server.join().close();
        }
        try {
            if (Files.exists(work)) {
                Trees.delete(work);
            }
        } catch (IOException | java.io.UncheckedIOException e) {
            LOG.warn("The drill's directory {} is not deleted: delete it", work, e);
        }
    }

    private static void unhook(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            LOG.debug("The process ends, and the hook runs", e);
        }
    }
}
