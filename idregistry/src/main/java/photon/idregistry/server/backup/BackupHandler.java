package photon.idregistry.server.backup;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import photon.idregistry.replicated.GroupCut;
import photon.idregistry.replicated.StoredFile;
import photon.idregistry.server.groups.DirectEntries;
import photon.idregistry.server.groups.Group;
import photon.idregistry.server.groups.Readers;
import photon.idregistry.server.groups.RequestValidation;
import photon.idregistry.server.groups.ServedGroups;
import photon.idregistry.server.groups.ShardGroup;
import photon.proto.v1.CutFile;
import photon.proto.v1.CutGroupRequest;
import photon.proto.v1.CutGroupResponse;
import photon.proto.v1.Progress;
import photon.proto.v1.ReadCutRequest;
import photon.proto.v1.ReadCutResponse;
import photon.proto.v1.ShardRef;

/** Hands whole groups out for a backup: a snapshot each, read in pieces. Used in the loop. */
public final class BackupHandler {
    /** Of one piece. */
    static final int PIECE_BYTES_MAX = 1 << 20;

    private static final Logger LOG = LoggerFactory.getLogger(BackupHandler.class);

    private final ServedGroups groups;
    private final Readers readers;

    /** Two backups at once, into different places, and of each one that began anew. */
    private static final int CUTS_MAX = 4;

    /**
     * The last of each group, the newest first; the default instance stands for the control group.
     * What nobody reads any more is deleted all the same.
     */
    private final Map<ShardRef, Deque<GroupCut>> cuts = new HashMap<>();

    public BackupHandler(ServedGroups groups, Readers readers) {
        this.groups = groups;
        this.readers = readers;
    }

    public void cut(CutGroupRequest request, Consumer<CutGroupResponse> respond) {
        ShardRef ref = request.getShard();
        ShardGroup shard = request.hasShard() ? groups.shard(ref) : null;
        if (request.hasShard() && shard == null) {
            respond.accept(refused(groups.absent(ref), "this server has no such shard"));
            return;
        }
        Group<?> group = shard == null ? groups.control() : shard.group();
        DirectEntries entries = shard == null ? groups.controlEntries() : shard.entries();
        entries.await(
                () -> group.cut().whenComplete((made, failure) -> tellFailure(ref, failure)),
                made -> {
                    keep(ref, made);
                    respond.accept(described(made));
                },
                progress ->
                        respond.accept(
                                refused(
                                        progress == Progress.NOT_LEADER
                                                ? Progress.UNKNOWN
                                                : progress,
                                        "this server cannot take a snapshot of it now")));
    }

    private void keep(ShardRef ref, GroupCut made) {
        Deque<GroupCut> kept = cuts.computeIfAbsent(ref, group -> new ArrayDeque<>());
        kept.removeIf(one -> one.index() == made.index());
        kept.addFirst(made);
        if (kept.size() > CUTS_MAX) {
            kept.removeLast();
        }
    }

    private @Nullable GroupCut kept(ReadCutRequest request) {
        for (GroupCut cut : cuts.getOrDefault(request.getShard(), new ArrayDeque<>())) {
            if (cut.index() == request.getIndex()) {
                return cut;
            }
        }
        return null;
    }

    private static void tellFailure(ShardRef ref, @Nullable Throwable failure) {
        if (failure != null) {
            LOG.info("No snapshot of {} for a backup", nameOf(ref), failure);
        }
    }

    private static String nameOf(ShardRef ref) {
        return ref.getPipeline().isEmpty() ? "the control group" : ServedGroups.name(ref);
    }

    private static CutGroupResponse described(GroupCut cut) {
        CutGroupResponse.Builder answer =
                CutGroupResponse.newBuilder()
                        .setProgress(Progress.DECIDED)
                        .setTerm(cut.term())
                        .setIndex(cut.index());
        try {
            for (String name : cut.files().names()) {
                answer.addFiles(
                        CutFile.newBuilder().setName(name).setBytes(cut.files().file(name).size()));
            }
        } catch (IOException e) {
            return refused(Progress.UNKNOWN, e.toString());
        }
        return answer.build();
    }

    private static CutGroupResponse refused(Progress progress, String trouble) {
        return CutGroupResponse.newBuilder().setProgress(progress).setTrouble(trouble).build();
    }

    public void read(ReadCutRequest request, Consumer<ReadCutResponse> respond) {
        GroupCut cut = kept(request);
        if (request.getOffset() < 0 || request.getLimit() <= 0) {
            RequestValidation.malformed("read of a cut");
            respond.accept(ReadCutResponse.getDefaultInstance());
        } else if (cut == null) {
            respond.accept(
                    unread(Progress.UNKNOWN, "this server has started or taken others since"));
        } else if (!readers.read(() -> piece(cut, request), respond)) {
            respond.accept(unread(Progress.RESOURCE_EXHAUSTED, ""));
        }
    }

    private static ReadCutResponse piece(GroupCut cut, ReadCutRequest request) {
        try {
            StoredFile file = cut.files().file(request.getFile());
            long left = Math.max(0, file.size() - request.getOffset());
            int limit = (int) Math.min(left, Math.min(request.getLimit(), PIECE_BYTES_MAX));
            return ReadCutResponse.newBuilder()
                    .setProgress(Progress.DECIDED)
                    .setBytes(bytes(file, request.getOffset(), limit))
                    .build();
        } catch (IOException e) {
            return unread(Progress.UNKNOWN, e.toString());
        }
    }

    private static ByteString bytes(StoredFile file, long offset, int count) throws IOException {
        Path path = file.path();
        if (path == null) {
            try (InputStream in = file.open()) {
                in.skipNBytes(offset);
                return UnsafeByteOperations.unsafeWrap(in.readNBytes(count));
            }
        }
        ByteBuffer piece = ByteBuffer.allocate(count);
        try (FileChannel in = FileChannel.open(path, StandardOpenOption.READ)) {
            while (piece.hasRemaining()) {
                if (in.read(piece, offset + piece.position()) < 0) {
                    throw new IOException("Expected more of " + path + " than " + offset);
                }
            }
        }
        return UnsafeByteOperations.unsafeWrap(piece.flip());
    }

    private static ReadCutResponse unread(Progress progress, String trouble) {
        return ReadCutResponse.newBuilder().setProgress(progress).setTrouble(trouble).build();
    }
}
