package photon.storage.tail;

import static org.assertj.core.api.Assertions.assertThat;
import static photon.storage.tail.TestLogs.gzip;
import static photon.storage.tail.TestLogs.stream;
import static photon.storage.tail.TestLogs.utf8;
import static photon.storage.tail.TestLogs.zstd;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import photon.core.time.IntervalClock;
import photon.storage.files.FileStore;
import photon.storage.files.HadoopFileStore;

/**
 * Files are split, grown, rotated, renamed, compressed and truncated while they are tailed, and the
 * tail is thrown away and resumed from what was stored: every line that a reader could still reach
 * comes at least once, and exactly once as long as nothing was rewritten and nothing resumed.
 */
class LogTailModelTest {
    private static final FileStore FILES = new HadoopFileStore();

    @TempDir Path directory;
    private final Map<String, Integer> seen = new HashMap<>();
    private final Set<String> written = new TreeSet<>();
    private final Map<String, FilePosition> stored = new HashMap<>();
    private final List<Path> plain = new ArrayList<>();
    private final Map<Path, ArrayDeque<byte[]>> growing = new TreeMap<>(); // members to come
    private int names;
    private int lines;
    private long now;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void eachLineComesOnceWhereFilesKeepTheirIdentity(long seed) throws IOException {
        run(seed, false);
        assertThat(seen.keySet()).as("seed %s", seed).isEqualTo(written);
        assertThat(seen.values()).as("seed %s", seed).containsOnly(1);
    }

    @ParameterizedTest
    @ValueSource(longs = {11, 12, 13, 14, 15, 16})
    void eachLineComesWhateverIsResumedAndRewritten(long seed) throws IOException {
        run(seed, true);
        assertThat(seen.keySet()).as("seed %s", seed).isEqualTo(written);
    }

    private void run(long seed, boolean rough) throws IOException {
        Random random = new Random(seed);
        LogTail tail = open();
        for (int step = 0; step < 150; step++) {
            change(random, rough, tail);
            if (random.nextInt(3) > 0) {
                take(tail, 1 + random.nextInt(40), random);
            }
            if (rough && random.nextInt(15) == 0) {
                tail.close();
                tail = open();
            }
        }
        for (Path file : plain) {
            append(file, "\n");
        }
        while (!growing.isEmpty()) {
            appendMember(random);
        }
        while (!take(tail, 100, random)) {
            now += 1;
        }
        assertThat(tail.unterminated()).isEmpty();
        tail.close();
    }

    private void change(Random random, boolean rough, LogTail tail) throws IOException {
        int what = random.nextInt(rough ? 8 : 6);
        if (!growing.isEmpty() && random.nextInt(4) == 0) {
            appendMember(random);
        }
        if (plain.isEmpty() || what == 0) {
            plain.add(Files.createFile(directory.resolve("f%03d.log".formatted(names++))));
            return;
        }
        Path file = plain.get(random.nextInt(plain.size()));
        switch (what) {
            case 1, 2 -> append(file, lines(1 + random.nextInt(30)));
            case 3 -> append(file, halfLine());
            case 4 -> {
                Path renamed = directory.resolve("r%03d.log".formatted(names++));
                Files.move(file, renamed);
                plain.set(plain.indexOf(file), renamed);
            }
            case 5 -> pack(random);
            case 6 -> rotateByCompression(file, random);
            default -> copyAndTruncate(file, tail, random);
        }
    }

    /** In one piece, or in members that end anywhere and come one after the other, in pieces. */
    private void pack(Random random) throws IOException {
        byte[] content = utf8(lines(1 + random.nextInt(2000)));
        Path packed = directory.resolve("z%03d.log".formatted(names++));
        boolean gzip = random.nextBoolean();
        if (random.nextBoolean()) {
            Files.write(packed, gzip ? gzip(content) : zstd(content));
            return;
        }
        ArrayDeque<byte[]> pieces = new ArrayDeque<>();
        int from = 0;
        while (from < content.length) {
            int to = Math.min(content.length, from + 1 + random.nextInt(content.length));
            byte[] part = Arrays.copyOfRange(content, from, to);
            byte[] member = gzip ? gzip(part) : zstd(part);
            int cut = random.nextInt(member.length);
            pieces.add(Arrays.copyOf(member, cut));
            pieces.add(Arrays.copyOfRange(member, cut, member.length));
            from = to;
        }
        Files.createFile(packed);
        growing.put(packed, pieces);
    }

    private void appendMember(Random random) throws IOException {
        Path file = List.copyOf(growing.keySet()).get(random.nextInt(growing.size()));
        ArrayDeque<byte[]> pieces = Objects.requireNonNull(growing.get(file));
        Files.write(file, pieces.remove(), StandardOpenOption.APPEND);
        if (pieces.isEmpty()) {
            growing.remove(file);
        }
    }

    /** What a rotation does once the writer has gone: the same lines in another file. */
    private void rotateByCompression(Path file, Random random) throws IOException {
        append(file, "\n");
        byte[] content = Files.readAllBytes(file);
        if (content.length > 1) {
            Path packed = directory.resolve("z%03d.log".formatted(names++));
            Files.write(packed, random.nextBoolean() ? gzip(content) : zstd(content));
        }
        Files.delete(file);
        plain.remove(file);
    }

    private void copyAndTruncate(Path file, LogTail tail, Random random) throws IOException {
        append(file, "\n");
        Files.copy(file, directory.resolve("c%03d.log".formatted(names++)));
        Files.write(file, new byte[0]);
        if (random.nextBoolean()) {
            take(tail, 5, random);
        }
        append(file, lines(1 + random.nextInt(60)));
    }

    private String lines(int count) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < count; i++) {
            String id = "line-" + lines++;
            written.add(id);
            text.append("1,").append(id).append('\n');
        }
        return text.toString();
    }

    /** Completed by whatever line feed is appended next. */
    private String halfLine() {
        String id = "half-" + lines++;
        written.add(id);
        return "1," + id;
    }

    private void append(Path file, String text) throws IOException {
        // A half-written line gets its end before anything else, as of one writer.
        byte[] content = Files.readAllBytes(file);
        boolean torn = content.length > 0 && content[content.length - 1] != '\n';
        String whole = torn && !text.equals("\n") ? "\n" + text : text;
        Files.write(file, utf8(whole), StandardOpenOption.APPEND);
    }

    /** True: caught up. */
    private boolean take(LogTail tail, int recordsMax, Random random) throws IOException {
        now += random.nextInt(20_000_000);
        TailBatch batch = tail.poll(recordsMax, now);
        for (TailBatch.Item item : batch.items()) {
            assertThat(item.bad()).isNull();
            if (item.event() != null) {
                seen.merge(item.event().idText(), 1, Integer::sum);
            }
            FilePosition position = tail.position(item.file(), item.endOffset());
            stored.put(position.key(), position);
        }
        return batch.caughtUp();
    }

    private LogTail open() {
        return new LogTail(
                FILES,
                stream(directory + "/*.log"),
                LogShare.whole(FILES, stream(directory + "/*.log")),
                List.copyOf(stored.values()),
                Duration.ofMillis(10),
                () -> new IntervalClock.Interval(0, 0), // no file is old
                4);
    }
}
