package photon.hdfs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.SafeModeAction;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import photon.cli.Captured;
import photon.core.testing.Await;
import photon.storage.files.Hdfs;

/**
 * {@code photon local} with logs and output on HDFS, while servers of HDFS are away for a while.
 */
class OutageTest {
    private static final int LINKS = 20;
    private static final int FEW = 100;

    /** More than can be joined before something is away. */
    private static final int MANY = 20_000;

    private static final long AT = 1_760_000_000_000_000L;
    private static final Duration LONG = Duration.ofMinutes(4);

    private final MiniDFSCluster cluster = Hdfs.cluster();
    private final String hdfs = Hdfs.newDirectory();
    private int logs;
    private int written;

    @TempDir Path state;

    /** What a test takes away, and gives back. */
    @FunctionalInterface
    private interface Step {
        void run() throws Exception;
    }

    @Test
    void safeMode() throws Exception {
        joinsAllInSpiteOf(
                () -> cluster.getFileSystem().setSafeMode(SafeModeAction.ENTER),
                () -> cluster.getFileSystem().setSafeMode(SafeModeAction.LEAVE));
    }

    @Test
    void aDataNodeThatDiesAndComesBack() throws Exception {
        List<MiniDFSCluster.DataNodeProperties> stopped = new ArrayList<>();
        joinsAllInSpiteOf(
                () -> stopped.add(cluster.stopDataNode(0)),
                () -> {
                    cluster.restartDataNode(stopped.get(0), true);
                    cluster.waitActive();
                });
    }

    @Test
    void noRoomForOutput() throws Exception {
        org.apache.hadoop.fs.Path output = new org.apache.hadoop.fs.Path(hdfs + "/out");
        joinsAllInSpiteOf(
                () -> Hdfs.client().setQuota(output, HdfsConstants.QUOTA_DONT_SET, 1),
                () ->
                        Hdfs.client()
                                .setQuota(
                                        output,
                                        HdfsConstants.QUOTA_DONT_SET,
                                        HdfsConstants.QUOTA_RESET));
    }

    private void joinsAllInSpiteOf(Step away, Step back) throws Exception {
        Hdfs.client().mkdirs(new org.apache.hadoop.fs.Path(hdfs + "/out"));
        write("links.csv", IntStream.range(0, LINKS).mapToObj(i -> "l" + i + "," + (AT + i)));
        clicks(FEW);
        CompletableFuture<Captured> run = CompletableFuture.supplyAsync(this::run);
        Await.until(
                LONG,
                "the first joined events",
                run::toString,
                () -> run.isDone() || !published().isEmpty());
        assertThat(run.isDone() ? run.get().toString() : "").isEmpty();
        clicks(MANY);
        away.run();
        try {
            // Longer than the silence after which the run would end.
            assertThatThrownBy(() -> fail("It has ended: " + run.get(15, TimeUnit.SECONDS)))
                    .isInstanceOf(TimeoutException.class);
        } finally {
            back.run();
        }
        clicks(FEW);
        Captured ended = run.get(LONG.toSeconds(), TimeUnit.SECONDS);
        assertThat(ended.status()).as(ended.toString()).isZero();
        JsonNode books = new ObjectMapper().readTree(ended.stdout());
        assertThat(books.get("joined").asInt()).isEqualTo(written);
        assertThat(published().stream().sorted().toList())
                .isEqualTo(IntStream.range(0, written).mapToObj(i -> "c" + i).sorted().toList());
    }

    private Captured run() {
        Path config = state.resolve("photon.yaml");
        try {
            Files.writeString(config, configuration());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return Captured.run(
                "local",
                "--config",
                config.toString(),
                "--output",
                hdfs + "/out/",
                "--state",
                state.resolve("state").toString(),
                "--until-idle",
                "5s",
                "--json");
    }

    private String configuration() {
        return """
        pipeline: clicks
        datacenters: [east, west]
        retention: unlimited
        limits: {publishEvery: 1s}
        primary:
          paths: ["%1$s/links.csv"]
          format: {type: csv, columns: [link, made]}
          id: {from: [link]}
          timestamp: {field: made, unit: micros}
        foreign:
          paths: ["%1$s/clicks-*.csv"]
          format: {type: csv, columns: [click, at, link]}
          id: {from: [click]}
          timestamp: {field: at, unit: micros}
          primaryId: {from: [link]}
        hadoop:
        %2$s
        """
                .formatted(
                        hdfs,
                        Hdfs.settings().entrySet().stream()
                                .map(e -> "  " + e.getKey() + ": " + e.getValue())
                                .collect(Collectors.joining("\n")));
    }

    /** One log more. */
    private void clicks(int count) throws IOException {
        int from = written;
        written += count;
        logs++;
        write(
                "clicks-" + logs + ".csv",
                IntStream.range(from, written)
                        .mapToObj(i -> "c" + i + "," + (AT + 1_000 + i) + ",l" + i % LINKS));
    }

    private void write(String name, Stream<String> lines) throws IOException {
        try (FSDataOutputStream out =
                Hdfs.client().create(new org.apache.hadoop.fs.Path(hdfs + "/" + name))) {
            out.write(lines.collect(Collectors.joining("\n", "", "\n")).getBytes(UTF_8));
        }
    }

    /** As somebody reads it who knows nothing of Photon. */
    private List<String> published() throws IOException {
        List<String> clicks = new ArrayList<>();
        RemoteIterator<LocatedFileStatus> files =
                Hdfs.client().listFiles(new org.apache.hadoop.fs.Path(hdfs + "/out"), true);
        try {
            while (files.hasNext()) {
                org.apache.hadoop.fs.Path path = files.next().getPath();
                if (!path.toString().contains("/_") && path.getName().endsWith(".jsonl")) {
                    clicks.addAll(clicksIn(path));
                }
            }
        } catch (FileNotFoundException e) {
            return List.of(); // a directory of Photon's own has gone behind the listing
        }
        return clicks;
    }

    private static List<String> clicksIn(org.apache.hadoop.fs.Path path) throws IOException {
        List<String> clicks = new ArrayList<>();
        try (FSDataInputStream in = Hdfs.client().open(path)) {
            for (String line : new String(in.readAllBytes(), UTF_8).lines().toList()) {
                clicks.add(new ObjectMapper().readTree(line).get("foreign").get("click").asText());
            }
        }
        return clicks;
    }
}
