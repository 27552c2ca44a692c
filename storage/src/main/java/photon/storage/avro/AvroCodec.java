package photon.storage.avro;

import com.github.luben.zstd.ZstdInputStreamNoFinalizer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.xerial.snappy.Snappy;
import photon.storage.zstd.ZstdLibrary;

/** How the blocks of a container file are compressed. */
public enum AvroCodec {
    NULL,
    DEFLATE,
    SNAPPY,
    ZSTANDARD;

    static final String NAMES = "null, deflate, snappy or zstandard";

    /** By the name that a file's header has. */
    static Optional<AvroCodec> of(String name) {
        return Arrays.stream(values())
                .filter(codec -> codec.name().toLowerCase(Locale.ROOT).equals(name))
                .findFirst();
    }

    /**
     * The content of a block.
     *
     * @param max the most bytes that the content may have
     */
    public byte[] decompress(byte[] bytes, int from, int length, int max)
            throws AvroFormatException {
        try {
            byte[] content =
                    switch (this) {
                        case NULL -> Arrays.copyOfRange(bytes, from, from + length);
                        case DEFLATE -> inflate(bytes, from, length, max);
                        case SNAPPY -> snappy(bytes, from, length, max);
                        case ZSTANDARD -> zstd(bytes, from, length, max);
                    };
            if (content.length > max) {
                throw tooLarge(max);
            }
            return content;
        } catch (IOException | DataFormatException e) {
            throw new AvroFormatException("it cannot be decompressed: " + e.getMessage());
        }
    }

    private static byte[] inflate(byte[] bytes, int from, int length, int max)
            throws AvroFormatException, DataFormatException {
        Inflater inflater = new Inflater(true);
        try {
            inflater.setInput(bytes, from, length);
            byte[] out = new byte[room(4L * length, max)];
            int filled = 0;
            while (!inflater.finished()) {
                if (filled == out.length) {
                    out = Arrays.copyOf(out, larger(filled, max));
                }
                int n = inflater.inflate(out, filled, out.length - filled);
                filled += n;
                if (n == 0 && (inflater.needsInput() || inflater.needsDictionary())) {
                    throw new AvroFormatException("its compressed content is cut short");
                }
            }
            return Arrays.copyOf(out, filled);
        } finally {
            inflater.end();
        }
    }

    private static byte[] zstd(byte[] bytes, int from, int length, int max)
            throws IOException, AvroFormatException {
        ZstdLibrary.load();
        try (var in =
                new ZstdInputStreamNoFinalizer(new ByteArrayInputStream(bytes, from, length))) {
            byte[] out = new byte[room(4L * length, max)];
            int filled = 0;
            while (true) {
                if (filled == out.length) {
                    out = Arrays.copyOf(out, larger(filled, max));
                }
                int n = in.read(out, filled, out.length - filled);
                if (n < 0) {
                    return Arrays.copyOf(out, filled);
                }
                filled += n;
            }
        }
    }

    /** Behind the compressed bytes stands a CRC32 of what they were made of. */
    private static byte[] snappy(byte[] bytes, int from, int length, int max)
            throws IOException, AvroFormatException {
        int compressed = length - Integer.BYTES;
        if (compressed <= 0) {
            throw new AvroFormatException("its compressed content is cut short");
        }
        int uncompressed = Snappy.uncompressedLength(bytes, from, compressed);
        if (uncompressed < 0 || uncompressed > max) { // from 2 GiB on it is negative
            throw tooLarge(max);
        }
        byte[] out = new byte[uncompressed];
        int n = Snappy.uncompress(bytes, from, compressed, out, 0);
        CRC32 crc = new CRC32();
        crc.update(out, 0, n);
        if ((int) crc.getValue() != ByteBuffer.wrap(bytes).getInt(from + compressed)) {
            throw new AvroFormatException("its checksum is wrong");
        }
        return out;
    }

    private static int room(long wanted, int max) {
        return (int) Math.max(1, Math.min(wanted, max));
    }

    /** One byte more than may come is room enough to see that more comes. */
    private static int larger(int filled, int max) throws AvroFormatException {
        if (filled > max) {
            throw tooLarge(max);
        }
        return (int) Math.min(2L * filled, max + 1L);
    }

    private static AvroFormatException tooLarge(int max) {
        return new AvroFormatException(
                "its content has more than %d bytes uncompressed".formatted(max));
    }
}
