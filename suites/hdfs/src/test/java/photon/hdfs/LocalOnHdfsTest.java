package photon.hdfs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.RemoteIterator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import photon.cli.Captured;
import photon.storage.files.FileStore.AppendFile;
import photon.storage.files.Hdfs;

/** {@code photon local} with its logs and its output on HDFS. */
class LocalOnHdfsTest {
    private static final int LINKS = 200;
    private static final int CLICKS_FIRST = 300;
    private static final int CLICKS_LATER = 100;
    private static final long AT = 1_760_000_000_000_000L;

    private final String hdfs = Hdfs.newDirectory();

    @TempDir Path state;

    @Test
    void everyClickIsJoinedOnceAndLaterOnesByTheNextRun() throws IOException {
        log("/links/dt=1/a.csv", IntStream.range(0, LINKS).mapToObj(i -> "l" + i + "," + (AT + i)));
        // Its writer has not closed it, and the length that the NameNode lists stands still.
        AppendFile open = Hdfs.files().create(hdfs + "/clicks.csv");
        clicks(open, 0, CLICKS_FIRST / 2);
        clicks(open, CLICKS_FIRST / 2, CLICKS_FIRST);

        JsonNode books = run();
        assertThat(books.get("joined").asInt()).isEqualTo(CLICKS_FIRST);
        assertThat(published()).containsExactlyInAnyOrderElementsOf(clickIds(CLICKS_FIRST));

        clicks(open, CLICKS_FIRST, CLICKS_FIRST + CLICKS_LATER);
        open.close();
        books = run();
        assertThat(books.get("joined").asInt()).isEqualTo(CLICKS_FIRST + CLICKS_LATER);
        assertThat(books.get("thisRun").get("joined").asInt()).isEqualTo(CLICKS_LATER);
        for (String datacenter : List.of("east", "west")) {
            assertThat(books.get("byDatacenter").get(datacenter).get("joined").asInt())
                    .as(datacenter)
                    .isPositive();
        }
        assertThat(published())
                .containsExactlyInAnyOrderElementsOf(clickIds(CLICKS_FIRST + CLICKS_LATER));
        assertThat(Files.exists(state.resolve("hdfs:"))).isFalse();
    }

    private JsonNode run() throws IOException {
        Path config = state.resolve("photon.yaml");
        Files.writeString(
                config,
                """
                pipeline: clicks
                # Long enough for the datacenter that starts last to take its share.
                stagger: 10m
                datacenters: [east, west]
                retention: unlimited
                primary:
                  paths: ["%1$s/links/dt=*/*.csv"]
                  format: {type: csv, columns: [link, made]}
                  id: {from: [link]}
                  timestamp: {field: made, unit: micros}
                foreign:
                  paths: ["%1$s/clicks.csv"]
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
                                        .collect(Collectors.joining("\n"))));
        Captured run =
                Captured.run(
                        "local",
                        "--config",
                        config.toString(),
                        "--output",
                        hdfs + "/out/",
                        "--state",
                        state.resolve("state").toString(),
                        "--until-idle",
                        "2s",
                        "--json");
        assertThat(run.status()).as(run.toString()).isZero();
        return new ObjectMapper().readTree(run.stdout());
    }

    private void log(String name, Stream<String> lines) throws IOException {
        try (AppendFile file = Hdfs.files().create(parentsOf(hdfs + name))) {
            append(file, lines.collect(Collectors.joining("\n", "", "\n")));
        }
    }

    private static String parentsOf(String path) throws IOException {
        Hdfs.files().createDirectories(path.substring(0, path.lastIndexOf('/')));
        return path;
    }

    private static void clicks(AppendFile log, int from, int to) throws IOException {
        append(
                log,
                IntStream.range(from, to)
                        .mapToObj(i -> "c" + i + "," + (AT + 1_000 + i) + ",l" + i % LINKS + "\n")
                        .collect(Collectors.joining()));
        log.flush();
    }

    private static void append(AppendFile file, String text) throws IOException {
        byte[] bytes = text.getBytes(UTF_8);
        file.write(bytes, 0, bytes.length);
    }

    private static List<String> clickIds(int count) {
        return IntStream.range(0, count).mapToObj(i -> "c" + i).toList();
    }

    /** As somebody reads it who knows nothing of Photon. */
    private List<String> published() throws IOException {
        List<String> clicks = new ArrayList<>();
        RemoteIterator<LocatedFileStatus> files =
                Hdfs.client().listFiles(new org.apache.hadoop.fs.Path(hdfs + "/out"), true);
        while (files.hasNext()) {
            org.apache.hadoop.fs.Path path = files.next().getPath();
            if (path.toString().contains("/_") || !path.getName().endsWith(".jsonl")) {
                continue;
            }
            try (FSDataInputStream in = Hdfs.client().open(path)) {
                for (String line : new String(in.readAllBytes(), UTF_8).lines().toList()) {
                    clicks.add(
                            new ObjectMapper().readTree(line).get("foreign").get("click").asText());
                }
            }
        }
        return clicks;
    }
}
