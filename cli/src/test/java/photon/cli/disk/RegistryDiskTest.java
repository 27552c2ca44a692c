package photon.cli.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import photon.cli.Await;
import photon.cli.SmallDisk;
import photon.cli.history.Cluster;
import photon.cli.history.LogFiles;

/** One replica's disk fails: see this package. */
@Tag("disk")
class RegistryDiskTest {
    private static final int REPLICAS = 3;
    private static final int BAD = 1;
    private static final long SNAPSHOT_LOG_BYTES = 256 << 10;
    private static final int IDS = 15_000;
    private static final int MORE_IDS = 500;
    private static final Duration ENDS_WITHIN = Duration.ofSeconds(90);

    @TempDir Path directory;

    private Cluster cluster(List<String> javaArguments) throws IOException {
        return new Cluster(
                directory,
                REPLICAS,
                SNAPSHOT_LOG_BYTES,
                new Random(),
                replica -> replica == BAD ? javaArguments : List.of());
    }

    private static void start(Cluster cluster) throws Exception {
        cluster.startAll();
        cluster.awaitAllServing();
    }

    /** It ends by itself, and its last life says this. */
    private static void awaitRefusal(Cluster cluster, int saidBefore, String... words)
            throws Exception {
        Await.until(
                ENDS_WITHIN,
                "the end of the replica whose disk is bad",
                cluster::messages,
                () -> !cluster.replica(BAD).isAlive());
        String said = cluster.replica(BAD).stderr().substring(saidBefore);
        assertThat(cluster.replica(BAD).exitStatus()).as(said).isEqualTo(1);
        assertThat(said.lines().filter(line -> line.startsWith("photon: ")).toList())
                .as(said)
                .hasSize(1)
                .allSatisfy(line -> assertThat(line).contains(words));
    }

    private static void assertTheOthersGoOn(AcceptedIds ids) {
        ids.accept(MORE_IDS);
        ids.checkNothingIsForgotten();
    }

    private static void assertItComesBack(Cluster cluster, AcceptedIds ids) throws Exception {
        cluster.restart(BAD);
        cluster.awaitServing(BAD);
        assertTheOthersGoOn(ids);
    }

    @Test
    void aSyncThatFailsEndsTheReplica() throws Exception {
        Path broken = directory.resolve("broken");
        try (Cluster cluster = cluster(FailingSync.javaArguments(directory, broken))) {
            start(cluster);
            try (AcceptedIds ids = new AcceptedIds(cluster.services())) {
                ids.accept(IDS);
                Files.createFile(broken);
                ids.accept(MORE_IDS);
                awaitRefusal(cluster, 0, "stopping, Writing the log of r1@", "Input/output error");
                assertTheOthersGoOn(ids);
                // What the system has dropped without writing it is not believed after a restart.
                Files.delete(broken);
                assertItComesBack(cluster, ids);
            }
        }
    }

    @Test
    void aFullDiskEndsTheReplica() throws Exception {
        Path disk = Files.createDirectories(directory.resolve(Cluster.name(BAD)));
        mount(disk);
        try {
            try (Cluster cluster = cluster(List.of())) {
                start(cluster);
                try (AcceptedIds ids = new AcceptedIds(cluster.services())) {
                    ids.accept(IDS);
                    Path filler = disk.resolve("filler");
                    fill(filler);
                    Await.until(
                            ENDS_WITHIN,
                            "the end of the replica whose disk is full",
                            cluster::messages,
                            () -> {
                                ids.accept(MORE_IDS);
                                return !cluster.replica(BAD).isAlive();
                            });
                    awaitRefusal(cluster, 0, "No space left on device");
                    assertTheOthersGoOn(ids);
                    Files.delete(filler);
                    assertItComesBack(cluster, ids);
                }
            }
        } finally {
            SmallDisk.unmount(disk);
        }
    }

    /** A small file system in memory: only root can make one. */
    private static void mount(Path disk) throws InterruptedException {
        boolean mounted = SmallDisk.mount(disk, "48m");
        assertThat(mounted || System.getenv("CI") == null)
                .as("a CI must be able to mount a small file system")
                .isTrue();
        assumeTrue(mounted, "skipped: cannot mount a small file system here, which needs root");
    }

    private static void fill(Path filler) throws IOException {
        byte[] page = new byte[4096];
        try (OutputStream out = Files.newOutputStream(filler)) {
            while (true) {
                out.write(page);
            }
        } catch (IOException e) {
            assertThat(e).hasMessageContaining("No space left on device");
        }
    }

    /** What a disk may give back instead of a file. */
    private enum Damage {
        CUT_IN_HALF,
        ONE_BIT_FLIPPED;

        byte[] of(byte[] right) {
            if (this == CUT_IN_HALF) {
                return java.util.Arrays.copyOf(right, right.length / 2);
            }
            byte[] wrong = right.clone();
            wrong[right.length / 2] ^= 0x10;
            return wrong;
        }
    }

    @Test
    void damagedFilesEndTheReplicaAtItsStart() throws Exception {
        try (Cluster cluster = cluster(List.of())) {
            start(cluster);
            try (AcceptedIds ids = new AcceptedIds(cluster.services())) {
                ids.accept(IDS);
                Path data = cluster.data(BAD);
                Await.until(
                        ENDS_WITHIN,
                        "a snapshot, and a log of several files",
                        () -> "",
                        () -> {
                            ids.accept(MORE_IDS);
                            return !LogFiles.snapshots(data, ids.group()).isEmpty()
                                    && LogFiles.segments(data, ids.group()).size() >= 3;
                        });
                cluster.replica(BAD).kill();
                List<Path> segments = LogFiles.segments(data, ids.group());
                for (Damage damage : Damage.values()) {
                    refusesToStart(cluster, ids, segments.get(0), damage);
                    refusesToStart(cluster, ids, segments.get(segments.size() - 2), damage);
                }
                refusesToStart(
                        cluster, ids, segments.get(segments.size() - 1), Damage.ONE_BIT_FLIPPED);
                for (Path snapshot : newest(LogFiles.snapshots(data, ids.group()))) {
                    for (Damage damage : Damage.values()) {
                        refusesToStart(cluster, ids, snapshot, damage);
                    }
                }
                // This one looks as if a power cut had torn the last write: nothing to refuse.
                Path open = segments.get(segments.size() - 1);
                Files.write(open, Damage.CUT_IN_HALF.of(Files.readAllBytes(open)));
                assertItComesBack(cluster, ids);
            }
        }
    }

    /** Those of the newest snapshot: older ones are not read. */
    private static List<Path> newest(List<Path> snapshots) {
        Path newest = snapshots.get(snapshots.size() - 1);
        String name = newest.getFileName().toString().replaceFirst("\\.md5$", "");
        return snapshots.stream()
                .filter(file -> file.getFileName().toString().startsWith(name))
                .toList();
    }

    private static void refusesToStart(Cluster cluster, AcceptedIds ids, Path file, Damage damage)
            throws Exception {
        byte[] right = Files.readAllBytes(file);
        assertThat(right.length).as(file.toString()).isPositive();
        Files.write(file, damage.of(right), StandardOpenOption.TRUNCATE_EXISTING);
        int saidBefore = cluster.replica(BAD).stderr().length();
        cluster.restart(BAD);
        awaitRefusal(cluster, saidBefore, file.toString());
        assertTheOthersGoOn(ids);
        // Ratis may have cut it shorter still, or deleted it.
        Files.write(file, right);
    }
}
