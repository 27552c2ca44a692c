package photon.registry.admin;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;
import photon.core.id.CommitToken;
import photon.core.id.EventId;

/**
 * The published events that are void, a line each: id, token, and {@code taken} if another token
 * holds the id, {@code forgotten} if the registry does not know it any more. The file is made
 * before anything is asked, and lasts before the report is noted; where nothing is void there is
 * none. Not thread-safe.
 */
public final class VoidsFile implements ReportRun.Voids, AutoCloseable {
    private final @Nullable Path path;
    private final @Nullable FileChannel file;
    private final OutputStream out;
    private boolean empty = true;

    private VoidsFile(@Nullable Path path, @Nullable FileChannel file) {
        this.path = path;
        this.file = file;
        this.out =
                file == null
                        ? OutputStream.nullOutputStream()
                        : new BufferedOutputStream(Channels.newOutputStream(file), 1 << 16);
    }

    /**
     * @param path null: they are only counted
     * @throws IOException if it is there already, or cannot be made
     */
    public static VoidsFile create(@Nullable Path path) throws IOException {
        return new VoidsFile(
                path,
                path == null
                        ? null
                        : FileChannel.open(
                                path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE));
    }

    @Override
    public void add(EventId id, CommitToken token, boolean forgotten) throws IOException {
        empty = false;
        out.write(
                "%s\t%s\t%s\n"
                        .formatted(id, token, forgotten ? "forgotten" : "taken")
                        .getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void sync() throws IOException {
        out.flush();
        if (file != null) {
            file.force(true);
        }
        syncDirectory();
    }

    private void syncDirectory() throws IOException {
        Path folder = path == null ? null : path.toAbsolutePath().getParent();
        if (folder != null) {
            try (FileChannel directory = FileChannel.open(folder, StandardOpenOption.READ)) {
                directory.force(true);
            }
        }
    }

    /** An empty one is taken away: the name may be used again. */
    @Override
    public void close() throws IOException {
        out.close();
        if (path != null && empty) {
            Files.deleteIfExists(path);
        }
    }
}
