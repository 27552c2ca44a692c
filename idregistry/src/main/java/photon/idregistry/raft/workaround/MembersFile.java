package photon.idregistry.raft.workaround;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RaftConfigurationProto;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.thirdparty.com.google.protobuf.InvalidProtocolBufferException;

/**
 * The file that tells a replica its group's members when its log does not any more. Ratis (3.3.0,
 * RaftStorageImpl) goes on if it cannot write it, with the file of before or, if the disk was full,
 * an empty one; and takes what it cannot read for a file that is not there.
 */
public final class MembersFile {
    private static final String NAME = "raft-meta.conf";

    private MembersFile() {}

    /** True once members were written, also if they cannot be read. */
    public static boolean exists(Path group) {
        return Files.exists(group.resolve("current").resolve(NAME));
    }

    /**
     * True if members were written, but cannot be read any more.
     *
     * @throws IOException if it cannot be known
     */
    public static boolean isLost(Path group) throws IOException {
        if (!exists(group)) {
            return false;
        }
        try {
            return !read(group.resolve("current").resolve(NAME)).hasConfigurationEntry();
        } catch (InvalidProtocolBufferException e) {
            return true;
        }
    }

    private static LogEntryProto read(Path file) throws IOException {
        return LogEntryProto.parseFrom(Files.readAllBytes(file));
    }

    /**
     * Makes sure that members were written, while their entry is still in the log. Newer ones are
     * as good: they come with a snapshot, while older entries are applied.
     *
     * @param index of their entry
     * @throws IOException naming the file, if it holds others or cannot be read
     */
    public static void check(RaftStorage raft, long index, RaftConfigurationProto members)
            throws IOException {
        Path file = raft.getStorageDir().getCurrentDir().toPath().resolve(NAME);
        LogEntryProto written = read(file);
        boolean same =
                written.getIndex() == index && written.getConfigurationEntry().equals(members);
        if (!same && written.getIndex() <= index) {
            throw new IOException(
                    "Expected %s to hold the members of entry %s, but it holds those of %s: they could not be written"
                            .formatted(
                                    file,
                                    index,
                                    written.hasConfigurationEntry()
                                            ? "entry " + written.getIndex()
                                            : "none"));
        }
    }
}
