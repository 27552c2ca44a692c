package photon.testbed.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import photon.core.testing.Await;
import photon.core.testing.SmallDisk;
import photon.testbed.history.Cluster;
import photon.testbed.history.LogFiles;

/** One replica's disk fails: see this package. */
@Tag("crash")
@Execution(ExecutionMode.CONCURRENT)
class RegistryDiskTest {
    private static final int REPLICAS = 3;
    private static final int BAD = 1;
    private static final int THIRD = 2;
    private static final long SNAPSHOT_LOG_BYTES = 128 << 10;

    /** Little: most ids of the replica lie in sealed files. */
    private static final long MEMORY_BYTES = 256 << 10;

    private static final int IDS = 6_000;
    private static final int MORE_IDS = 500;
    private static final Duration ENDS_WITHIN = Duration.ofMinutes(4);

    /** Of a sealed file: the last bytes are a checksummed index, before them come blocks. */
    private static final int IN_THE_INDEX = 80;

    /** Of a log file. */
    private static final int IN_THE_FIRST_ENTRY = 60;

    /** Of a log file: not even its first entry is whole. */
    private static final int HEADER_AND_A_PART = 40;

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

    private static int said(Cluster cluster) {
        return cluster.stderr(BAD).length();
    }

    /** It ends by itself, with status 1, and its last words are one line with these in it. */
    private static void awaitRefusal(Cluster cluster, int saidBefore, String... words)
            throws Exception {
        Await.until(
                ENDS_WITHIN,
                "the end of the replica whose disk is bad",
                cluster::messages,
                () -> !cluster.replica(BAD).isAlive());
        String said = cluster.stderr(BAD).substring(saidBefore);
        assertThat(cluster.replica(BAD).exitStatus()).as(said).isEqualTo(1);
        assertThat(said.lines().filter(line -> line.startsWith("photon: ")).toList())
                .as(said)
                .isNotEmpty()
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
                Files.delete(broken);
                assertItComesBack(cluster, ids);
            }
        }
    }

    /** Needs root and a mount, which a CI's machine does not give: by hand. */
    @Tag("disk")
    @Test
    void aFullDiskEndsTheReplica() throws Exception {
        Path disk = Files.createDirectories(directory.resolve(Cluster.name(BAD)));
        assumeTrue(System.getenv("CI") == null, "skipped: no file systems are made in CI");
        assumeTrue(
                SmallDisk.mount(disk, "48m"),
                "skipped: cannot mount a small file system here, which needs root");
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

    /** What a disk gives back instead of what was written. */
    private interface Damage {
        byte[] of(byte[] right);
    }

    private static byte[] cutInHalf(byte[] right) {
        return Arrays.copyOf(right, right.length / 2);
    }

    private static byte[] flippedInTheMiddle(byte[] right) {
        return flipped(right, right.length / 2);
    }

    private static byte[] flipped(byte[] right, int at) {
        byte[] wrong = right.clone();
        wrong[at] ^= 0x10;
        return wrong;
    }

    @Test
    void damagedFilesEndTheReplicaThatReadsThem() throws Exception {
        try (Cluster cluster = cluster(List.of(Cluster.memoryArgument(MEMORY_BYTES)))) {
            start(cluster);
            try (AcceptedIds ids = new AcceptedIds(cluster.services())) {
                ids.accept(IDS);
                Path data = cluster.data(BAD);
                Await.until(
                        ENDS_WITHIN,
                        "a snapshot with sealed files, and a log of several files",
                        cluster::messages,
                        () -> {
                            ids.accept(MORE_IDS);
                            return LogFiles.newestSnapshot(data, ids.group()).stream()
                                            .anyMatch(file -> isNamed(file, "sealed-"))
                                    && LogFiles.segments(data, ids.group()).size() >= 3;
                        });
                cluster.kill(BAD);
                oldIdsThatCannotBeReadAreNotAnsweredOf(cluster, ids);
                damagedFilesEndTheStart(cluster, ids);
                assertItComesBack(cluster, ids);
                aLogCutShortIsNotTakenForOneThatWasTorn(cluster, ids);
            }
        }
    }

    private static boolean isNamed(Path file, String start) {
        return file.getFileName().toString().startsWith(start);
    }

    private static Path inSnapshot(Cluster cluster, AcceptedIds ids, String start)
            throws IOException {
        return LogFiles.newestSnapshot(cluster.data(BAD), ids.group()).stream()
                .filter(file -> isNamed(file, start))
                .findFirst()
                .orElseThrow();
    }

    /** Damage that a start does not see, since it does not read every id. */
    private static void oldIdsThatCannotBeReadAreNotAnsweredOf(Cluster cluster, AcceptedIds ids)
            throws Exception {
        Path sealed = inSnapshot(cluster, ids, "sealed-");
        byte[] right = Files.readAllBytes(sealed);
        Files.write(sealed, flippedInTheMiddle(right));
        String name = sealed.getFileName().toString();

        // Nothing but new ids is in the log behind the snapshot: it starts, and is asked.
        int before = said(cluster);
        cluster.restart(BAD);
        cluster.awaitServing(BAD);
        Await.until(
                ENDS_WITHIN,
                "the end of the replica that is asked for what it cannot read",
                cluster::messages,
                () -> {
                    boolean answered = ids.lookUpAt(cluster.service(BAD));
                    assertThat(answered).isFalse();
                    return !cluster.replica(BAD).isAlive();
                });
        awaitRefusal(cluster, before, "stopping, ", name, "checksum of block");

        // Now others have asked for all ids, in the log.
        assertTheOthersGoOn(ids);
        before = said(cluster);
        cluster.restart(BAD);
        awaitRefusal(cluster, before, "stopping, Applying an entry of r1@", name);
        Files.write(sealed, right);
    }

    private static void damagedFilesEndTheStart(Cluster cluster, AcceptedIds ids) throws Exception {
        killedWithEntriesInTheOpenFile(cluster, ids);
        List<Path> segments = LogFiles.segments(cluster.data(BAD), ids.group());
        Path closed = segments.get(segments.size() - 2);
        Path open = segments.get(segments.size() - 1);
        Path sealed = inSnapshot(cluster, ids, "sealed-");
        refusesToStart(cluster, closed, RegistryDiskTest::cutInHalf);
        refusesToStart(cluster, closed, RegistryDiskTest::flippedInTheMiddle);
        refusesToStart(cluster, open, right -> flipped(right, IN_THE_FIRST_ENTRY));
        refusesToStart(
                cluster,
                inSnapshot(cluster, ids, "manifest"),
                RegistryDiskTest::flippedInTheMiddle);
        refusesToStart(cluster, inSnapshot(cluster, ids, "state"), RegistryDiskTest::cutInHalf);
        refusesToStart(
                cluster, inSnapshot(cluster, ids, "ids-"), RegistryDiskTest::flippedInTheMiddle);
        refusesToStart(cluster, sealed, RegistryDiskTest::cutInHalf);
        refusesToStart(cluster, sealed, right -> flipped(right, right.length - IN_THE_INDEX));
    }

    /** A crash may come between the making of a file and its first entry. */
    private static void killedWithEntriesInTheOpenFile(Cluster cluster, AcceptedIds ids)
            throws Exception {
        for (int attempt = 0; attempt < 10; attempt++) {
            if (Files.size(last(cluster.data(BAD), ids)) > IN_THE_FIRST_ENTRY) {
                return;
            }
            cluster.restart(BAD);
            cluster.awaitServing(BAD);
            ids.accept(MORE_IDS);
            cluster.kill(BAD);
        }
        throw new AssertionError("The open file never has an entry. " + cluster.messages());
    }

    private static void refusesToStart(Cluster cluster, Path file, Damage damage) throws Exception {
        byte[] right = Files.readAllBytes(file);
        Files.write(file, damage.of(right));
        int before = said(cluster);
        cluster.restart(BAD);
        awaitRefusal(cluster, before, "Cannot run registry server r1", file(file));
        // Ratis may have cut it shorter still, or deleted it.
        Files.write(file, right);
    }

    /** What people find it by: sealed files have other names in other places. */
    private static String file(Path file) {
        return isNamed(file, "sealed-") ? file.getFileName().toString() : file.toString();
    }

    /**
     * What is missing at the end of the file that is written last may never have been written; but
     * not where it was committed. Here it is held by two, and one of them is away: what the bad one
     * and the third would decide together would forget it.
     */
    private static void aLogCutShortIsNotTakenForOneThatWasTorn(Cluster cluster, AcceptedIds ids)
            throws Exception {
        cluster.kill(THIRD);
        Path open = killedWithTheMarkInTheOpenFile(cluster, ids);
        byte[] right = Files.readAllBytes(open);
        Files.write(open, Arrays.copyOf(right, HEADER_AND_A_PART));
        int before = said(cluster);
        cluster.restart(BAD);
        awaitRefusal(
                cluster, before, "Expected the log of r1@" + ids.group(), open + " was cut short");
        Files.write(open, right);
        assertItComesBack(cluster, ids);
    }

    /** The file that it wrote last, and had a committed entry in. */
    private static Path killedWithTheMarkInTheOpenFile(Cluster cluster, AcceptedIds ids)
            throws Exception {
        Path data = cluster.data(BAD);
        for (int attempt = 0; attempt < 10; attempt++) {
            Await.until(
                    ENDS_WITHIN,
                    "the mark to be in the file that is written",
                    cluster::messages,
                    () -> {
                        ids.accept(1);
                        return isMarkInTheOpenFile(data, ids);
                    });
            cluster.kill(BAD);
            if (isMarkInTheOpenFile(data, ids)) {
                return last(data, ids);
            }
            // A leader that was elected in between has begun another file.
            cluster.restart(BAD);
            cluster.awaitServing(BAD);
        }
        throw new AssertionError("The mark is never in the open file. " + cluster.messages());
    }

    private static boolean isMarkInTheOpenFile(Path data, AcceptedIds ids) throws IOException {
        long mark = LogFiles.mark(data, ids.group());
        // A leader's first entry, and what Ratis says of the commit index, are short. And what a
        // snapshot holds is not missed from the log.
        return mark > LogFiles.firstIndex(last(data, ids)) + 1
                && mark > LogFiles.snapshotIndex(data, ids.group());
    }

    private static Path last(Path data, AcceptedIds ids) throws IOException {
        List<Path> segments = LogFiles.segments(data, ids.group());
        return segments.get(segments.size() - 1);
    }
}
