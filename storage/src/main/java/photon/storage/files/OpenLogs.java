package photon.storage.files;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import java.time.Duration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.jspecify.annotations.Nullable;

/**
 * The last block of each file of HDFS that is being written, as a listing has just shown it: so
 * that a reader can ask a DataNode for more and need not ask the NameNode. Thread-safe.
 */
final class OpenLogs {
    /** What is older may have a block more by now. */
    private static final Duration FRESH = Duration.ofSeconds(5);

    private final Cache<Long, LocatedBlock> byFileId =
            CacheBuilder.newBuilder().expireAfterWrite(FRESH).build();

    /** Takes note of what a listing says of a file. */
    void listed(FileStatus status) {
        if (!(status instanceof HdfsLocatedFileStatus file) || file.getLocatedBlocks() == null) {
            return;
        }
        LocatedBlock last = file.getLocatedBlocks().getLastLocatedBlock();
        if (file.getLocatedBlocks().isUnderConstruction() && last != null) {
            byFileId.put(file.getFileId(), last);
        } else {
            byFileId.invalidate(file.getFileId());
        }
    }

    /** Null: no listing of now has it open. */
    @Nullable LocatedBlock lastBlock(long fileId) {
        return byFileId.getIfPresent(fileId);
    }
}
