package photon.eventstore.index;

import com.google.protobuf.InvalidProtocolBufferException;
import java.io.EOFException;
import java.nio.file.NoSuchFileException;

/** Judges what a failure says of the files of an index. */
final class IndexDamage {
    private IndexDamage() {}

    /**
     * Whether segments are not as they were written, so that only the logs can help: not if the
     * failure is about a part, which is written anew from the segments, or about the disk or a
     * right.
     */
    static boolean isOfSegments(Exception failure) {
        if (failure instanceof NoSuchFileException) {
            return IndexNames.segment(IndexNames.of(file(failure))).isPresent();
        }
        return failure instanceof InvalidProtocolBufferException
                || failure instanceof EOFException
                || (failure instanceof DamagedIndexException && !isOfPart(failure));
    }

    /** Whether a part is gone, or not as it was written. */
    static boolean isOfPart(Exception failure) {
        return IndexNames.part(IndexNames.of(file(failure))).isPresent();
    }

    private static String file(Exception failure) {
        if (failure instanceof DamagedIndexException damaged) {
            return damaged.file();
        }
        String missing = failure instanceof NoSuchFileException e ? e.getFile() : null;
        return missing == null ? "" : missing;
    }
}
