package photon.storage.tail;

import static org.assertj.core.api.Assertions.assertThat;
import static photon.storage.tail.TestLogs.utf8;

import com.github.luben.zstd.ZstdOutputStreamNoFinalizer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import photon.storage.files.MemoryFileStore;

/** The memory that zstd keeps for windows, and how many logs are open with it. */
class ZstdWindowTest {
    private static final int MIB = 1 << 20;
    private static final int WINDOW_LOG = 24; // 16 MiB
    private static final int LINES = 60_000;

    private int open;

    @ParameterizedTest
    @CsvSource({
        "28b52ffd 00 6c, 12582912",
        "28b52ffd 00, 0",
        "28b52ffd 20 05, 5",
        "28b52ffd 60 0001, 512",
        "28b52ffd a3 01020304 00000004, 67108864",
        "28b52ffd a3 01020304 000000, 0",
        "28b52ffd e0 ffffffffffffffff, 134217728",
        "28b52ffd 00 ff, 134217728",
        "502a4d18 04000000 00000000, 0"
    })
    void aHeaderNamesTheWindow(String header, long bytes) {
        byte[] stream = HexFormat.of().parseHex(header.replace(" ", ""));
        ZstdWindow whole = new ZstdWindow();
        whole.read(ByteBuffer.wrap(stream).position(stream.length), 0);
        assertThat(whole.largest()).isEqualTo(bytes);
        ZstdWindow piecewise = new ZstdWindow();
        ByteBuffer buffer = ByteBuffer.wrap(stream);
        for (int i = 0; i < stream.length; i++) {
            piecewise.read(buffer.position(i + 1), i);
        }
        assertThat(piecewise.largest()).isEqualTo(bytes);
    }

    @Test
    void theLargestFrameCounts() {
        ZstdWindow window = new ZstdWindow();
        for (String frame : List.of("28b52ffd0058", "28b52ffd0068", "28b52ffd0048")) {
            byte[] bytes = HexFormat.of().parseHex(frame);
            window.read(ByteBuffer.wrap(bytes).position(bytes.length), 0);
            window.frameEnds();
        }
        assertThat(window.largest()).isEqualTo(8 * MIB);
    }

    private static byte[] log(int number) throws IOException {
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < LINES; i++) {
            lines.append("1700000000000000,").append(number).append('-').append(i).append('\n');
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (var out = new ZstdOutputStreamNoFinalizer(bytes)) {
            out.setChecksum(true);
            out.setWindowLog(WINDOW_LOG);
            out.write(utf8(lines.toString()));
        }
        return bytes.toByteArray();
    }

    /** Each log needs several turns, and keeps its place until its end. */
    @ParameterizedTest
    @CsvSource({"6, 8, 2", "6, 12, 3", "2, 1, 1"})
    void asManyLogsAreOpenAsTheirWindowsHaveRoom(int logs, int filesMax, int openMax)
            throws IOException {
        MemoryFileStore files = new MemoryFileStore(1);
        for (int i = 0; i < logs; i++) {
            files.put("/logs/" + i + ".log", log(i));
        }
        LogTail tail =
                TestLogs.narrow(
                        counting(files),
                        TestLogs.stream("/logs/*.log"),
                        List.of(),
                        Duration.ZERO,
                        TestLogs.LATER,
                        filesMax);
        List<String> ids = new ArrayList<>();
        int most = 0;
        TailBatch batch;
        long now = 0;
        do {
            now += Duration.ofSeconds(2).toNanos();
            batch = tail.poll(100_000, now);
            ids.addAll(TestLogs.ids(batch.items()));
            most = Math.max(most, open);
        } while (!batch.caughtUp());
        assertThat(ids).hasSize(logs * LINES).doesNotHaveDuplicates();
        assertThat(most).isEqualTo(openMax);
        tail.close();
        assertThat(open).isZero();
    }

    private TestLogs.Refusing counting(MemoryFileStore files) {
        return new TestLogs.Refusing(files) {
            @Override
            public ReadFile open(String path) throws IOException {
                ReadFile file = super.open(path);
                open++;
                return new ReadFile() {
                    @Override
                    public long length() throws IOException {
                        return file.length();
                    }

                    @Override
                    public int read(long position, byte[] into, int offset, int length)
                            throws IOException {
                        return file.read(position, into, offset, length);
                    }

                    @Override
                    public void close() throws IOException {
                        open--;
                        file.close();
                    }
                };
            }
        };
    }
}
