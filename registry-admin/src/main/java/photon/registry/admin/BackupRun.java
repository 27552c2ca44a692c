package photon.registry.admin;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import photon.core.error.FailedException;
import photon.core.rpc.HostPort;
import photon.idregistry.control.ControlState;
import photon.idregistry.replicated.MemorySnapshot;
import photon.idregistry.replicated.StateFile;
import photon.proto.v1.CutFile;
import photon.proto.v1.CutGroupRequest;
import photon.proto.v1.CutGroupResponse;
import photon.proto.v1.Progress;
import photon.proto.v1.ReadCutRequest;
import photon.proto.v1.ReadCutResponse;
import photon.proto.v1.RegistryBackupGrpc;
import photon.proto.v1.ShardRef;
import photon.registry.admin.backup.Backup;
import photon.registry.admin.backup.BackupPlace;
import photon.registry.admin.backup.BackupPlan;
import photon.registry.admin.backup.BackupWriter;
import photon.registry.api.RegistryClient.Shard;
import photon.registry.api.RegistryProtos;

/**
 * Makes a backup of a running registry: the control group, every shard, the control group again. If
 * a shard map has changed meanwhile it starts over (docs/protocol.md section 10).
 */
public final class BackupRun {
    private static final int PIECE_BYTES = 1 << 20;
    private static final int TRIES_MAX = 3;
    private static final Duration PIECE_DEADLINE = Duration.ofSeconds(30);
    private static final long AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long LOOK_AGAIN_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final List<HostPort> servers;
    private final Duration patience;
    private final ServerCalls calls;
    private final boolean alsoWhileRestoring;
    private int asked;

    /** There is no backup. */
    public static final class FailedException extends Exception {
        FailedException(String message) {
            super(message);
        }
    }

    /**
     * @param patience for one group, until some server has its snapshot; and for each piece of it
     */
    public BackupRun(List<HostPort> servers, Duration patience, ServerCalls calls) {
        this(servers, patience, calls, false);
    }

    private BackupRun(
            List<HostPort> servers,
            Duration patience,
            ServerCalls calls,
            boolean alsoWhileRestoring) {
        this.servers = List.copyOf(servers);
        this.patience = patience;
        this.calls = calls;
        this.alsoWhileRestoring = alsoWhileRestoring;
    }

    /** For looking at what a restore has brought: not a backup to be restored. */
    public static BackupRun alsoWhileRestoring(
            List<HostPort> servers, Duration patience, ServerCalls calls) {
        return new BackupRun(servers, patience, calls, true);
    }

    /**
     * Makes the directory, writes the backup, and reads it back. What was begun is removed if it
     * fails.
     *
     * @throws IOException if a file cannot be written, or is there already
     */
    public Backup.Content make(BackupPlace directory) throws IOException, FailedException {
        String changed = "";
        for (int i = 0; i < TRIES_MAX; i++) {
            BackupWriter writer = BackupWriter.create(directory);
            try {
                Optional<String> change = write(writer);
                if (change.isEmpty()) {
                    writer.finish(Instant.now().toString());
                    return Backup.open(directory).verify();
                }
                changed = change.get();
            } catch (IOException | FailedException | RuntimeException e) {
                removeAfter(e, directory);
                throw e;
            }
            directory.files().delete(directory.path());
        }
        throw new FailedException(
                "%s during the backup, %d times: run the command again when that is over"
                        .formatted(changed, TRIES_MAX));
    }

    /** What went wrong first is what is said, also if the file system is away. */
    private static void removeAfter(Exception failure, BackupPlace directory) {
        try {
            directory.files().delete(directory.path());
        } catch (IOException e) {
            failure.addSuppressed(e);
        }
    }

    private Optional<String> write(BackupWriter writer) throws IOException, FailedException {
        ControlState now = state(controlGroup());
        String useless = alsoWhileRestoring ? "" : useless(now);
        if (!useless.isEmpty()) {
            throw new FailedException(useless);
        }
        BackupPlan before = BackupPlan.of(now);
        for (BackupPlan.Cut cut : before.cuts()) {
            ShardRef ref = RegistryProtos.shardRef(cut.pipeline(), cut.shard());
            Taken taken;
            try {
                taken = cut(ref, name(cut.shard()), before);
            } catch (ChangedException e) {
                return Optional.of(e.change);
            }
            copy(taken, writer.shard(cut.pipeline(), cut.shard()));
        }
        // Last: what holds an id in a shard is an incarnation that it knows.
        Taken control = controlGroup();
        copy(control, writer.control());
        return BackupPlan.of(state(control)).changedSince(before);
    }

    private static String name(Shard shard) {
        return "shard " + shard.epoch() + "/" + shard.number();
    }

    /** Why a backup of it would be none; empty: it would be one. */
    static String useless(ControlState control) {
        if (control.isRestoring()) {
            return "the registry is being restored from a backup, and lacks what datacenters have"
                    + " not reported yet. Wait until 'photon registry restore-status' shows that"
                    + " the restore is complete";
        }
        return control.pipelines().isEmpty()
                ? "the registry has no pipeline, so there is nothing to back up"
                : "";
    }

    private ControlState state(Taken control) throws IOException, FailedException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (CutFile file : control.cut().getFilesList()) {
            if (file.getName().equals(StateFile.NAME)) {
                read(control, file, bytes);
            }
        }
        ControlState state = new ControlState();
        state.restore(MemorySnapshot.of(StateFile.NAME, bytes.toByteArray()));
        return state;
    }

    /**
     * A group as one server holds it ready.
     *
     * @param ref null: the control group
     */
    private record Taken(HostPort server, @Nullable ShardRef ref, CutGroupResponse cut) {}

    private Taken controlGroup() throws IOException, FailedException {
        try {
            return cut(null, "the control group", null);
        } catch (ChangedException e) {
            throw new IllegalStateException("There is always a control group", e);
        }
    }

    /** The shard that is wanted is no more. */
    private static final class ChangedException extends Exception {
        private static final long serialVersionUID = 1;

        /** What has happened, for people. */
        final String change;

        ChangedException(String change) {
            super(change);
            this.change = change;
        }
    }

    /**
     * @param plan by which the shard is wanted; null: it is the control group
     * @throws ChangedException if a server has the shard no more, and the control group says why
     */
    private Taken cut(@Nullable ShardRef ref, String name, @Nullable BackupPlan plan)
            throws IOException, FailedException, ChangedException {
        CutGroupRequest.Builder request = CutGroupRequest.newBuilder();
        if (ref != null) {
            request.setShard(ref);
        }
        long deadline = System.nanoTime() + patience.toNanos();
        String trouble = "";
        long nextLook = System.nanoTime();
        while (true) {
            boolean gone = false;
            for (int i = 0; i < servers.size(); i++) {
                // Not all groups of the same server.
                HostPort server = servers.get(asked++ % servers.size());
                try {
                    CutGroupResponse answer =
                            calls.call(
                                    server,
                                    RegistryBackupGrpc.getCutGroupMethod(),
                                    request.build(),
                                    patience);
                    if (answer.getProgress() == Progress.DECIDED) {
                        return new Taken(server, ref, answer);
                    }
                    trouble = server + ": " + answer.getTrouble();
                    gone |=
                            answer.getProgress() == Progress.NO_SUCH_SHARD
                                    || answer.getProgress() == Progress.PIPELINE_GONE;
                } catch (ServerCalls.BrokenException e) {
                    trouble = String.valueOf(e.getMessage());
                }
            }
            // A server that is down need not say that the shard is no more.
            if (gone && plan != null && System.nanoTime() - nextLook >= 0) {
                Optional<String> change = BackupPlan.of(state(controlGroup())).changedSince(plan);
                if (change.isPresent()) {
                    throw new ChangedException(change.get());
                }
                nextLook = System.nanoTime() + LOOK_AGAIN_NANOS;
            }
            if (System.nanoTime() - deadline >= 0) {
                throw new FailedException(
                        "no server created a snapshot of %s within %s ms: %s"
                                .formatted(name, patience.toMillis(), trouble));
            }
            LockSupport.parkNanos(AGAIN_NANOS);
        }
    }

    /** A file that cannot be read to its end. */
    private static final class CutGoneException extends IOException {
        CutGoneException(String message) {
            super(message);
        }
    }

    private void copy(Taken taken, BackupWriter.Group group) throws IOException, FailedException {
        try {
            for (CutFile file : taken.cut().getFilesList()) {
                group.file(file.getName(), out -> read(taken, file, out));
            }
        } catch (CutGoneException e) {
            throw new FailedException(String.valueOf(e.getMessage()));
        }
        group.finish(taken.cut().getTerm(), taken.cut().getIndex());
    }

    private void read(Taken taken, CutFile file, OutputStream out) throws IOException {
        ReadCutRequest.Builder request =
                ReadCutRequest.newBuilder()
                        .setIndex(taken.cut().getIndex())
                        .setFile(file.getName())
                        .setLimit(PIECE_BYTES);
        ShardRef ref = taken.ref();
        if (ref != null) {
            request.setShard(ref);
        }
        long offset = 0;
        while (offset < file.getBytes()) {
            ReadCutResponse piece = piece(taken.server(), request.setOffset(offset).build());
            piece.getBytes().writeTo(out);
            offset += piece.getBytes().size();
        }
    }

    private ReadCutResponse piece(HostPort server, ReadCutRequest request) throws IOException {
        long deadline = System.nanoTime() + patience.toNanos();
        while (true) {
            String trouble;
            try {
                ReadCutResponse piece =
                        calls.call(
                                server,
                                RegistryBackupGrpc.getReadCutMethod(),
                                request,
                                PIECE_DEADLINE);
                if (piece.getProgress() == Progress.DECIDED && !piece.getBytes().isEmpty()) {
                    return piece;
                }
                trouble = piece.getTrouble();
                if (piece.getProgress() != Progress.RESOURCE_EXHAUSTED) {
                    throw new CutGoneException(gone(server, request, trouble));
                }
            } catch (ServerCalls.BrokenException e) {
                trouble = String.valueOf(e.getMessage());
            }
            if (System.nanoTime() - deadline >= 0) {
                throw new CutGoneException(gone(server, request, trouble));
            }
            LockSupport.parkNanos(AGAIN_NANOS);
        }
    }

    private static String gone(HostPort server, ReadCutRequest request, String trouble) {
        return "%s no longer hands out %s: %s. Run the command again"
                .formatted(server, request.getFile(), trouble);
    }
}
