package photon.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import photon.cli.Captured;
import photon.cli.JoinedPairs;
import photon.cli.LocalProcess;

/**
 * The path of a newcomer with files of their own and no knowledge of the configuration: {@code
 * init}, {@code config test}, {@code local}, and the output is right.
 */
@Tag("slow")
class NewcomerTest {
    private static final int VIEWS = 400;
    private static final int ORDERS = 300;

    @TempDir Path directory;

    /** Orders name views; one in ten names a view that is in no log. The pairs are the answer. */
    private List<String> writeLogs() throws IOException {
        StringBuilder views = new StringBuilder("view_id;page;time\n");
        for (int i = 0; i < VIEWS; i++) {
            views.append(
                    "v-%05d;\"/shoes; size %d\";2025-10-09 10:%02d:%02d.%03d\n"
                            .formatted(i * 37, i % 9, i / 60, i % 60, i));
        }
        Files.writeString(directory.resolve("views.csv"), views);
        StringBuilder orders = new StringBuilder();
        List<String> pairs = new ArrayList<>();
        for (int i = 0; i < ORDERS; i++) {
            String view = i % 10 == 9 ? "gone-" + i : "v-%05d".formatted(i * 7 % VIEWS * 37);
            orders.append(
                    "{\"order\": {\"id\": \"o%d\", \"cents\": %d}, \"view_id\": \"%s\", \"ordered_at\": %d}\n"
                            .formatted(i, i * 13 % 900, view, 1_760_010_000_000L + i * 1_000L));
            if (i % 10 != 9) {
                pairs.add(view + " o" + i);
            }
        }
        Files.writeString(directory.resolve("orders.jsonl"), orders);
        return pairs.stream().sorted().toList();
    }

    @Test
    void fromOwnFilesToJoinedOutput() throws Exception {
        List<String> pairs = writeLogs();
        String config = directory.resolve("photon.yaml").toString();
        Captured init =
                Captured.run(
                        "init",
                        "--foreign",
                        directory.resolve("orders.jsonl").toString(),
                        "--primary",
                        directory.resolve("views.csv").toString(),
                        "--config",
                        config);
        assertThat(init.status()).as(init.toString()).isZero();
        Captured test = Captured.run("config", "test", "--config", config);
        assertThat(test.status()).as(test.toString()).isZero();
        assertThat(test.stdout()).contains("of 300 sampled foreign events, 270 match one of the ");
        try (LocalProcess local =
                LocalProcess.start(
                        directory,
                        "",
                        "local",
                        "--config",
                        config,
                        "--until-idle",
                        "1s",
                        "--json")) {
            JsonNode books = local.awaitBooks();
            assertThat(books.get("joined").asInt()).isEqualTo(pairs.size());
            assertThat(books.get("waiting").asInt()).isEqualTo(ORDERS - pairs.size());
            assertThat(books.get("badRecords").asInt()).isZero();
        }
        assertThat(JoinedPairs.read(directory.resolve("photon-out")).list()).isEqualTo(pairs);
    }
}
