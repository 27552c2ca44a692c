package photon.bench.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;
import org.apache.flink.api.java.tuple.Tuple3;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FlinkJoinTest {
    private static final int REPEATS = 100_000;

    @TempDir Path directory;

    private static String primary(int number) {
        return "{\"server\":\"10.1.0.1\",\"process\":4000,\"timestamp\":%d,\"query\":\"shoes\"}"
                .formatted(1_000 + number);
    }

    private static String foreign(int number, int primary) {
        return "{\"server\":\"10.2.0.1\",\"process\":4001,\"timestamp\":%d,\"primary\":{\"server\":\"10.1.0.1\",\"process\":4000,\"timestamp\":%d},\"ad\":\"a\"}"
                .formatted(2_000 + number, 1_000 + primary);
    }

    @Test
    void aRecordHasTheIdsThatTheGeneratorsAnswerHas() throws IOException {
        assertThat(ClickRecord.of(primary(7), false))
                .isEqualTo(Tuple3.of("10.1.0.1:4000:1007", "", primary(7)));
        assertThat(ClickRecord.of(foreign(1, 7), true))
                .isEqualTo(Tuple3.of("10.1.0.1:4000:1007", "10.2.0.1:4001:2001", foreign(1, 7)));
        assertThatThrownBy(() -> ClickRecord.of("{\"server\":\"s\"}", false))
                .isInstanceOf(IOException.class);
    }

    /**
     * The job, with a foreign event without its primary event, and so many repeats in both logs
     * that the one is read while the other is: one foreign event comes before its primary event,
     * and repeats come after theirs was joined.
     */
    @Test
    void eachForeignEventIsJoinedOnce() throws Exception {
        Path logs = directory.resolve("logs");
        Files.createDirectories(logs.resolve("primary"));
        Files.createDirectories(logs.resolve("foreign"));
        List<String> primaries = new ArrayList<>(List.of(primary(1), primary(2)));
        primaries.addAll(Collections.nCopies(REPEATS, primary(1)));
        primaries.add(primary(3));
        List<String> foreigns =
                new ArrayList<>(
                        List.of(foreign(1, 1), foreign(2, 1), foreign(3, 3), foreign(4, 9)));
        foreigns.addAll(Collections.nCopies(REPEATS, foreign(1, 1)));
        Files.write(logs.resolve("primary").resolve("p0.log"), primaries);
        Files.write(logs.resolve("foreign").resolve("p0.log"), foreigns);
        LongAdder read = new LongAdder();
        LongAdder joined = new LongAdder();
        new FlinkJoin(logs, directory.resolve("out"), read, joined).call();
        assertThat(read.sum()).isEqualTo(primaries.size() + foreigns.size());
        assertThat(joined.sum()).isEqualTo(3);
        assertThat(finished()).containsExactlyInAnyOrder(line(1, 1), line(2, 1), line(3, 3));
    }

    private static String line(int foreign, int primary) {
        return "{\"id\": \"10.2.0.1:4001:%d\", \"primaryId\": \"10.1.0.1:4000:%d\", \"timestampMicros\": %d, \"foreign\": %s, \"primary\": %s}"
                .formatted(
                        2_000 + foreign,
                        1_000 + primary,
                        2_000 + foreign,
                        foreign(foreign, primary),
                        primary(primary));
    }

    private List<String> finished() throws IOException {
        List<String> lines = new ArrayList<>();
        try (Stream<Path> files = Files.walk(directory.resolve("out"))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                assertThat(file.getFileName().toString()).startsWith("part-");
                lines.addAll(Files.readAllLines(file));
            }
        }
        return lines;
    }
}
