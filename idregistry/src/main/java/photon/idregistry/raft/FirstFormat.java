package photon.idregistry.raft;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.ratis.io.MD5Hash;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.util.MD5FileUtil;
import org.jspecify.annotations.Nullable;
import photon.idregistry.replicated.FrozenState;
import photon.idregistry.replicated.SnapshotWriter;
import photon.idregistry.replicated.StateFile;

/** A snapshot as the first versions wrote it: one file, with its MD5 beside it. */
record FirstFormat(Path file, TermIndex at) implements FrozenState {
    private static final Pattern NAME = Pattern.compile("snapshot\\.(\\d+)_(\\d+)");

    /** The newest there is; null for none. */
    static @Nullable FirstFormat latest(Path directory) throws IOException {
        FirstFormat newest = null;
        for (Path file : files(directory)) {
            Matcher name = NAME.matcher(String.valueOf(file.getFileName()));
            if (name.matches()) {
                TermIndex at =
                        TermIndex.valueOf(
                                Long.parseLong(name.group(1)), Long.parseLong(name.group(2)));
                if (newest == null || newest.at.getIndex() < at.getIndex()) {
                    newest = new FirstFormat(file, at);
                }
            }
        }
        return newest;
    }

    /** All files of that format. */
    static List<Path> files(Path directory) throws IOException {
        List<Path> all = new ArrayList<>();
        try (DirectoryStream<Path> found = Files.newDirectoryStream(directory, "snapshot.*")) {
            found.forEach(all::add);
        }
        return all;
    }

    @Override
    public void write(SnapshotWriter to) throws IOException {
        MD5Hash expected = MD5FileUtil.readStoredMd5ForFile(file.toFile());
        if (expected == null) {
            throw new IOException(
                    "Expected the checksum of snapshot file " + file + ", but its .md5 is missing");
        }
        MD5Hash found = MD5FileUtil.computeMd5ForFile(file.toFile());
        if (!expected.equals(found)) {
            throw new IOException(
                    "Expected snapshot file "
                            + file
                            + " with checksum "
                            + expected
                            + ", but got "
                            + found);
        }
        try (InputStream in = new BufferedInputStream(Files.newInputStream(file));
                OutputStream out = to.create(StateFile.NAME)) {
            in.transferTo(out);
        }
    }

    @Override
    public void close() {
        // It stays a file.
    }
}
