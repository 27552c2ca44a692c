package photon.storage.tail;

import com.github.luben.zstd.ZstdCompressCtx;
import com.google.protobuf.ByteString;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.zip.CRC32C;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;
import photon.core.config.FormatConfig;
import photon.core.config.IdConfig;
import photon.core.config.StreamConfig;
import photon.core.config.TimestampConfig;
import photon.core.time.IntervalClock;
import photon.proto.v1.FramedRecord;
import photon.storage.files.FileStore;

/** Logs for tests: rows of a time and an id, lines that begin with '#' are comments. */
final class TestLogs {
    static final FormatConfig CSV = new FormatConfig.Csv(false, ',', List.of("t", "id"), "#");

    /** By this clock every file is of yesterday, and so is finished. */
    static final IntervalClock LATER =
            () -> {
                long micros = (System.currentTimeMillis() + 86_400_000) * 1_000;
                return new IntervalClock.Interval(micros, micros);
            };

    private TestLogs() {}

    static StreamConfig stream(String... globs) {
        return stream(CSV, globs);
    }

    static StreamConfig stream(FormatConfig format, String... globs) {
        return new StreamConfig(
                List.of(globs),
                format,
                Map.of(),
                Map.of(),
                new IdConfig.User(List.of("id")),
                Optional.of(new TimestampConfig.Numeric("t", TimestampConfig.Unit.MICROS)),
                Optional.empty());
    }

    static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static byte[] gzip(byte[] content) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
            out.write(content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    static byte[] zstd(byte[] content) {
        try (ZstdCompressCtx context = new ZstdCompressCtx()) {
            return context.setChecksum(true).compress(content);
        }
    }

    /** A frame of a record with these fields. */
    static byte[] frame(String json) {
        byte[] payload =
                FramedRecord.newBuilder()
                        .setJson(ByteString.copyFromUtf8(json))
                        .build()
                        .toByteArray();
        CRC32C crc = new CRC32C();
        byte[] length = ByteBuffer.allocate(4).putInt(payload.length).array();
        crc.update(length);
        crc.update(payload);
        return ByteBuffer.allocate(12 + payload.length)
                .putInt(0xF7504846)
                .put(length)
                .putInt((int) crc.getValue())
                .put(payload)
                .array();
    }

    static byte[] random(int length) {
        byte[] bytes = new byte[length];
        new Random(1).nextBytes(bytes);
        return bytes;
    }

    static List<String> ids(List<TailBatch.Item> items) {
        return items.stream()
                .filter(item -> item.event() != null)
                .map(item -> item.event().idText())
                .toList();
    }

    static List<String> badReasons(List<TailBatch.Item> items) {
        return items.stream()
                .filter(item -> item.bad() != null)
                .map(item -> item.bad().reason())
                .toList();
    }

    /** A store that fails to open what it is told to. */
    static class Refusing implements FileStore {
        private final FileStore files;
        Function<String, @Nullable IOException> refusal = path -> null;

        Refusing(FileStore files) {
            this.files = files;
        }

        @Override
        public ReadFile open(String path) throws IOException {
            IOException refused = refusal.apply(path);
            if (refused != null) {
                throw refused;
            }
            return files.open(path);
        }

        @Override
        public List<FileInfo> glob(String pattern) throws IOException {
            return files.glob(pattern);
        }

        @Override
        public List<FileInfo> list(String directory) throws IOException {
            return files.list(directory);
        }

        @Override
        public @Nullable FileInfo stat(String path) throws IOException {
            return files.stat(path);
        }

        @Override
        public AppendFile create(String path) throws IOException {
            return files.create(path);
        }

        @Override
        public void createDirectory(String path) throws IOException {
            files.createDirectory(path);
        }

        @Override
        public void createDirectories(String path) throws IOException {
            files.createDirectories(path);
        }

        @Override
        public void rename(String from, String to) throws IOException {
            files.rename(from, to);
        }

        @Override
        public boolean publish(String from, String to) throws IOException {
            return files.publish(from, to);
        }

        @Override
        public void delete(String path) throws IOException {
            files.delete(path);
        }

        @Override
        public void syncDirectory(String directory) throws IOException {
            files.syncDirectory(directory);
        }

        @Override
        public void recover(String path) throws IOException {
            files.recover(path);
        }
    }

    /** A store whose file system says who writes. */
    static final class Watched extends Refusing {
        private final Supplier<Writer> writer;
        long bytesRead;

        Watched(FileStore files, Supplier<Writer> writer) {
            super(files);
            this.writer = writer;
        }

        @Override
        public ReadFile open(String path) throws IOException {
            ReadFile file = super.open(path);
            return new ReadFile() {
                @Override
                public long length() throws IOException {
                    return file.length();
                }

                @Override
                public Writer writer() {
                    return writer.get();
                }

                @Override
                public int read(long position, byte[] into, int offset, int length)
                        throws IOException {
                    int n = file.read(position, into, offset, length);
                    bytesRead += Math.max(0, n);
                    return n;
                }

                @Override
                public void close() throws IOException {
                    file.close();
                }
            };
        }
    }

    /** A tail that has few files open at one time. */
    static LogTail narrow(
            FileStore files,
            StreamConfig stream,
            List<FilePosition> resume,
            Duration rescan,
            IntervalClock clock,
            int openFilesMax) {
        return new LogTail(
                files, stream, LogShare.whole(files, stream), resume, rescan, clock, openFilesMax);
    }
}
