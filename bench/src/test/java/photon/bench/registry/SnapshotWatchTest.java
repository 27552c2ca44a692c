package photon.bench.registry;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SnapshotWatchTest {
    @TempDir Path directory;

    @Test
    void aSecondInWhichOneIsWrittenOrFinishedIsKnown() throws IOException {
        Path snapshots =
                Files.createDirectories(
                        directory.resolve("raft/e894f844-dc35-325b-8ac6-e127f1a46fd4/sm"));
        Files.createDirectory(snapshots.resolve("snapshot-1-5"));
        Path writing = Files.createDirectory(snapshots.resolve("writing"));
        List<Path> replicas = List.of(directory, directory.resolve("not-there-yet"));

        SnapshotWatch before = new SnapshotWatch(replicas, System.nanoTime());
        before.look();
        assertThat(before.taken()).as("what was there").isZero();
        assertThat(before.wasWritten(0)).as("nothing is written").isFalse();

        Files.createFile(writing.resolve("state"));
        long tenSecondsAgo = System.nanoTime() - 10_000_000_000L;
        SnapshotWatch watch = new SnapshotWatch(replicas, tenSecondsAgo);
        watch.look();
        int now = (int) ((System.nanoTime() - tenSecondsAgo) / 1_000_000_000L);
        assertThat(watch.taken()).isZero();
        assertThat(IntStream.rangeClosed(10, now)).anyMatch(watch::wasWritten);
        assertThat(watch.wasWritten(9)).isFalse();
        Files.move(writing, snapshots.resolve("snapshot-1-900"));
        watch.look();
        watch.look();
        assertThat(watch.taken()).isEqualTo(1);
    }
}
