package photon.storage.tail;

import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdException;
import java.io.IOException;
import java.nio.ByteBuffer;
import photon.storage.files.FileStore.ReadFile;
import photon.storage.zstd.ZstdLibrary;

/**
 * A zstd file: frames one behind the other (RFC 8878). Can stop anywhere and go on when the file
 * has grown. A frame may have no checksum, where its writer asked for none: it counts as right when
 * it is whole.
 */
final class ZstdSource implements MemberSource {
    static {
        ZstdLibrary.load();
    }

    private static final int INPUT_BYTES = 32 << 10;
    private static final int OUTPUT_BYTES = 128 << 10;

    private final ReadFile file;
    private final ZstdDecompressCtx context = new ZstdDecompressCtx();
    private final byte[] chunk = new byte[INPUT_BYTES];
    private final ByteBuffer input = ByteBuffer.allocateDirect(INPUT_BYTES).limit(0);
    private final ByteBuffer output = ByteBuffer.allocateDirect(OUTPUT_BYTES).limit(0);
    private final ZstdWindow window = new ZstdWindow();
    private long rawPosition; // behind the input
    private boolean betweenFrames;
    private boolean ended; // a frame, and nobody was told yet
    private boolean moreInside; // the context may give output without further input

    ZstdSource(ReadFile file) {
        this.file = file;
    }

    @Override
    public int next(byte[] into, int offset, int length)
            throws IOException, CorruptStreamException {
        while (!output.hasRemaining()) {
            if (ended) {
                ended = false;
                return MEMBER_END;
            }
            if (!input.hasRemaining() && !fill() && !moreInside) {
                return 0;
            }
            decompress();
        }
        int n = Math.min(length, output.remaining());
        output.get(into, offset, n);
        return n;
    }

    @Override
    public void restart(long position) {
        context.reset();
        input.limit(0);
        output.limit(0);
        rawPosition = position;
        betweenFrames = position > 0;
        moreInside = false;
        ended = false;
        window.frameEnds();
    }

    @Override
    public boolean betweenMembers() {
        return betweenFrames && !ended && !input.hasRemaining() && !output.hasRemaining();
    }

    @Override
    public long rawPosition() {
        return rawPosition - input.remaining();
    }

    @Override
    public long windowBytes() {
        return window.largest();
    }

    @Override
    public void close() {
        context.close();
    }

    private void decompress() throws CorruptStreamException {
        output.clear();
        int inputBefore = input.remaining();
        int inputFrom = input.position();
        try {
            ended = context.decompressDirectByteBufferStream(output, input);
            window.read(input, inputFrom);
            if (ended) {
                window.frameEnds();
            }
            moreInside = !ended && !output.hasRemaining();
            if (ended || input.remaining() < inputBefore) {
                betweenFrames = ended;
            }
        } catch (ZstdException e) {
            throw new CorruptStreamException(
                    "The zstd stream is corrupt near its byte %s: %s"
                            .formatted(rawPosition(), e.getMessage()));
        } finally {
            output.flip();
        }
    }

    private boolean fill() throws IOException {
        int n = file.read(rawPosition, chunk, 0, chunk.length);
        if (n <= 0) {
            return false;
        }
        rawPosition += n;
        input.clear();
        input.put(chunk, 0, n).flip();
        return true;
    }
}
