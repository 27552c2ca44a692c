package photon.cli.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import photon.cli.Disorder;
import photon.cli.JoinedPairs;
import photon.cli.LocalProcess;
import photon.cli.Repository;
import photon.core.testing.Await;
import photon.core.testing.SmallDisk;

/**
 * A disk that is full while events are joined ends the run; with space again the answer is right.
 */
@Tag("crash")
class FullDiskTest {
    private static final Duration JOINED_WITHIN = Duration.ofMinutes(4);

    @TempDir Path directory;
    private Path disk;

    /** A small file system in memory: only root can make one. */
    @BeforeEach
    void mount() throws Exception {
        disk = Files.createDirectory(directory.resolve("disk"));
        assumeTrue(
                SmallDisk.mount(disk, "64m"),
                "skipped: cannot mount a small file system here, which needs root");
    }

    @AfterEach
    void unmount() throws Exception {
        SmallDisk.unmount(disk);
    }

    private LocalProcess start(String... untilIdle) throws IOException {
        List<String> args =
                new java.util.ArrayList<>(
                        List.of(
                                "local",
                                "--json",
                                "--config",
                                directory.resolve("photon.yaml").toString(),
                                "--state",
                                disk.resolve("state").toString(),
                                "--output",
                                disk.resolve("out").toString()));
        args.addAll(List.of(untilIdle));
        return LocalProcess.start(directory, "", args.toArray(String[]::new));
    }

    /** What is left decides which part finds the disk full first. */
    @ParameterizedTest(name = "{0} KiB left")
    @ValueSource(ints = {0, 16, 100, 250})
    void aFullDiskEndsTheRunAndSpaceLetsItGoOn(int kibLeft) throws Exception {
        List<String> lines = Disorder.lines(Repository.files("jobs", ".csv.gz"));
        Files.writeString(
                directory.resolve("photon.yaml"),
                LocalTest.JOBS.formatted("events-*.csv", "events-*.csv", ""));
        int half = lines.size() / 2;
        write("events-0.csv", lines.subList(0, half));
        Path filler = disk.resolve("filler");
        try (LocalProcess run = start()) {
            Await.until(
                    JOINED_WITHIN,
                    "joins",
                    run::messagesOrTrouble,
                    () -> JoinedPairs.read(disk.resolve("out")).count() > 50);
            fill(filler, kibLeft);
            write("events-1.csv", lines.subList(half, lines.size()));
            assertThat(run.await()).as(run.messages()).isEqualTo(1);
            assertThat(run.stderr()).contains("photon: ", "No space left on device");
            assertThat(run.stdout()).isEmpty();
        }
        Files.delete(filler);
        try (LocalProcess run = start("--until-idle", "1s")) {
            JsonNode books = run.awaitBooks();
            JsonNode answer = Repository.answer("jobs");
            assertThat(books.get("joined").asInt())
                    .as(books.toString())
                    .isEqualTo(answer.get("joined").asInt());
            assertThat(JoinedPairs.read(disk.resolve("out")).sha256())
                    .isEqualTo(answer.get("sha256").asText());
        }
    }

    private void fill(Path filler, int kibLeft) throws IOException {
        long bytes = Files.getFileStore(disk).getUsableSpace() - kibLeft * 1024L;
        byte[] page = new byte[4096];
        try (OutputStream out = Files.newOutputStream(filler)) {
            for (long written = 0; written < bytes; written += page.length) {
                out.write(page);
            }
        } catch (IOException e) {
            // Full already: Photon was writing at the same time.
        }
    }

    private void write(String name, List<String> lines) throws IOException {
        Path aside = directory.resolve("." + name);
        Files.writeString(aside, String.join("\n", lines) + "\n");
        Files.move(aside, directory.resolve(name));
    }
}
