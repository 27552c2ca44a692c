package photon.storage.tail;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import photon.core.config.InputConfig.OpenMembers;
import photon.storage.files.FileStore;
import photon.storage.files.FileStore.ReadFile;
import photon.storage.frames.FrameScanner;

/**
 * Holds the first records of one file as they stand there, without its compression: for whoever
 * does not know its format yet. It splits records as a {@link LogTail} does, and waits for nothing.
 *
 * @param compression {@code gzip} or {@code zstd}; empty: none
 * @param framed records are payloads of frames, otherwise lines without their line feed
 * @param atEnd the file has no further whole record
 * @param trouble why it cannot be read on; empty: it can
 */
public record FileHead(
        String compression, boolean framed, List<byte[]> records, boolean atEnd, String trouble) {
    public FileHead {
        records = List.copyOf(records);
    }

    /**
     * Reads until one of the bounds is reached.
     *
     * @param bytesMax of records
     * @throws IOException if it cannot be opened, such as a directory or a FIFO
     */
    public static FileHead read(FileStore files, String path, int recordsMax, long bytesMax)
            throws IOException {
        ReadFile raw = files.open(path);
        byte[] first = new byte[Prefix.BYTES_MAX];
        int available;
        try {
            available = Prefix.readFirst(raw, first);
        } catch (IOException e) {
            raw.close();
            throw e;
        }
        OpenFile.Kind kind = OpenFile.kind(first, available);
        try (OpenFile open =
                new OpenFile(
                        raw,
                        kind,
                        OpenMembers.VERIFY,
                        first,
                        0,
                        0,
                        MemberBoundary.NONE,
                        new ContentCrc())) {
            return new Reading(open, recordsMax, bytesMax).read(name(kind));
        }
    }

    private static String name(OpenFile.Kind kind) {
        return switch (kind) {
            case GZIP -> "gzip";
            case ZSTD -> "zstd";
            default -> "";
        };
    }

    /** One reading. */
    private static final class Reading {
        private final OpenFile open;
        private final int recordsMax;
        private final List<byte[]> records = new ArrayList<>();
        private long room;
        private boolean inBad;

        Reading(OpenFile open, int recordsMax, long bytesMax) {
            this.open = open;
            this.recordsMax = recordsMax;
            this.room = bytesMax;
        }

        FileHead read(String compression) throws IOException {
            boolean framed = false;
            RecordSplitter splitter = new RecordSplitter.Lines();
            String trouble = "";
            boolean atEnd = false;
            try {
                while (!full() && !atEnd) {
                    boolean first = open.offset() == 0 && open.waiting() == 0;
                    atEnd = open.fill() == 0 && open.checkedBytes() == 0;
                    if (first && open.waiting() > 0) {
                        framed = beginsWithFrame();
                        splitter = framed ? new RecordSplitter.Frames() : splitter;
                    }
                    take(splitter, atEnd && open.complete());
                }
            } catch (CorruptStreamException e) {
                trouble = e.reason();
            }
            return new FileHead(compression, framed, records, atEnd, trouble);
        }

        private boolean full() {
            return records.size() >= recordsMax || room <= 0;
        }

        private boolean beginsWithFrame() {
            return new FrameScanner().scan(open.buffer(), open.start(), open.end())
                    == FrameScanner.Found.FRAME;
        }

        /**
         * @param finished no byte comes behind those that are waiting
         */
        private void take(RecordSplitter splitter, boolean finished) {
            while (open.waiting() > 0 && !full()) {
                int start = open.start();
                RecordSplitter.Found found =
                        splitter.next(open.buffer(), start, open.end(), finished, inBad);
                if (found == RecordSplitter.Found.MORE) {
                    return;
                }
                if (found == RecordSplitter.Found.RECORD) {
                    int from = splitter.recordFrom();
                    from += FileTurn.byteOrderMark(open.buffer(), start, open.end(), open.offset());
                    int to = splitter.recordTo();
                    records.add(Arrays.copyOfRange(open.buffer(), Math.min(from, to), to));
                    room -= to - from;
                }
                inBad = found == RecordSplitter.Found.BAD;
                open.take(splitter.next() - start);
            }
        }
    }
}
