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
import java.util.Map;
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
import org.apache.hadoop.hdfs.DistributedFileSystem;
import photon.cli.Captured;
import photon.core.testing.Await;

/** A run of {@code photon local} with logs and output in one directory of an HDFS. */
final class LocalOnHdfsRun {
    private static final int LINKS = 20;
    private static final long AT = 1_760_000_000_000_000L;
    private static final Duration LONG = Duration.ofMinutes(4);

    private final DistributedFileSystem others;
    private final String directory;
    private final Map<String, String> settings;
    private final Path state;
    private final CompletableFuture<Captured> run;
    private int logs;
    private int written;

    /**
     * Writes all primary events and some foreign ones, starts, and waits until some are joined.
     *
     * @param others what other programs have of that HDFS
     * @param directory a URI, as Photon is told it
     * @param settings of Photon's client
     * @param state a local directory
     */
    LocalOnHdfsRun(
            DistributedFileSystem others,
            String directory,
            Map<String, String> settings,
            Path state,
            int foreignEvents)
            throws Exception {
        this.others = others;
        this.directory = directory;
        this.settings = settings;
        this.state = state;
        others.mkdirs(output());
        write("links.csv", links());
        clicks(foreignEvents);
        run = CompletableFuture.supplyAsync(this::run);
        Await.until(
                LONG,
                "the first joined events",
                run::toString,
                () -> run.isDone() || !published().isEmpty());
        assertThat(run.isDone() ? run.get().toString() : "").isEmpty();
    }

    org.apache.hadoop.fs.Path output() {
        return new org.apache.hadoop.fs.Path(directory + "/out");
    }

    /** One log more, of events that can be joined. */
    void clicks(int count) throws IOException {
        int from = written;
        written += count;
        logs++;
        write("clicks-" + logs + ".csv", clicks(from, written));
    }

    /** Longer than the silence after which it would end. */
    void goesOnForAWhile() {
        assertThatThrownBy(() -> fail("It has ended: " + run.get(25, TimeUnit.SECONDS)))
                .isInstanceOf(TimeoutException.class);
    }

    /** Waits for its end: everything is joined, once. */
    void endsWithAllJoined() throws Exception {
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
            Files.writeString(config, configuration(directory, settings));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return Captured.run(
                "local",
                "--config",
                config.toString(),
                "--output",
                directory + "/out/",
                "--state",
                state.resolve("state").toString(),
                "--until-idle",
                "15s",
                "--json");
    }

    /**
     * A pipeline of links and clicks.
     *
     * @param directory of the logs
     * @param hadoop what stands below {@code hadoop}
     */
    static String configuration(String directory, Map<String, String> hadoop) {
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
                        directory,
                        hadoop.entrySet().stream()
                                .map(e -> "  " + e.getKey() + ": " + e.getValue())
                                .collect(Collectors.joining("\n")));
    }

    static Stream<String> links() {
        return IntStream.range(0, LINKS).mapToObj(i -> "l" + i + "," + (AT + i));
    }

    /** Events that can be joined. */
    static Stream<String> clicks(int from, int to) {
        return IntStream.range(from, to)
                .mapToObj(i -> "c" + i + "," + (AT + 1_000 + i) + ",l" + i % LINKS);
    }

    private void write(String name, Stream<String> lines) throws IOException {
        try (FSDataOutputStream out =
                others.create(new org.apache.hadoop.fs.Path(directory + "/" + name))) {
            out.write(lines.collect(Collectors.joining("\n", "", "\n")).getBytes(UTF_8));
        }
    }

    /** As somebody reads it who knows nothing of Photon. */
    private List<String> published() throws IOException {
        List<String> clicks = new ArrayList<>();
        RemoteIterator<LocatedFileStatus> files =
                others.listFiles(new org.apache.hadoop.fs.Path(directory + "/out"), true);
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

    private List<String> clicksIn(org.apache.hadoop.fs.Path path) throws IOException {
        List<String> clicks = new ArrayList<>();
        try (FSDataInputStream in = others.open(path)) {
            for (String line : new String(in.readAllBytes(), UTF_8).lines().toList()) {
                clicks.add(new ObjectMapper().readTree(line).get("foreign").get("click").asText());
            }
        }
        return clicks;
    }
}
