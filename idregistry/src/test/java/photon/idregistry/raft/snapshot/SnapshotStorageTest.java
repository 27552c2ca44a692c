package photon.idregistry.raft.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.util.MD5FileUtil;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import photon.idregistry.raft.SlotState;
import photon.idregistry.replicated.FrozenState;
import photon.idregistry.replicated.SnapshotWriter;

class SnapshotStorageTest {
    private static final Pace PACE = Pace.of(Long.MAX_VALUE);

    @TempDir Path root;
    private final Steps steps = new Steps();
    private SnapshotStorage storage = new SnapshotStorage(steps);
    private SlotState state = new SlotState();
    private long index;

    /** Notes what is done to the disk, and refuses one step. */
    private static final class Steps extends SnapshotDisk {
        final List<String> done = new ArrayList<>();
        private int refused = -1;
        private boolean dead;

        @Override
        public void before(String step, Path path) throws IOException {
            if (dead || done.size() == refused) {
                refused = -1;
                throw new IOException("No " + step + " of " + path);
            }
            done.add(step + " " + path.getFileName());
        }

        /** The step so far from now fails. */
        void refuse(int step) {
            done.clear();
            refused = step;
        }

        /** With the step that is refused everything ends. */
        void diesThen(IOException atStep) {
            dead = true;
            assertThat(atStep).hasMessageStartingWith("No ");
        }
    }

    @BeforeEach
    void open() throws IOException {
        storage.open(sm(), root.resolve("tmp"));
    }

    private Path sm() {
        return root.resolve("sm");
    }

    @Test
    void aSnapshotIsReadBackAndTheNextCarriesOverWhatDidNotChange() throws IOException {
        apply(0, 5);
        apply(1, 7);
        StoredSnapshot first = write();
        apply(1, 1);
        StoredSnapshot second = write();
        assertThat(storage.getLatestSnapshot()).isSameAs(second);
        assertThat(second.getTermIndex()).isEqualTo(TermIndex.valueOf(3, 3));
        assertThat(Files.isSameFile(path(first, "slot-0.1"), path(second, "slot-0.1"))).isTrue();
        assertThat(second.names()).contains("slot-1.3").doesNotContain("slot-1.2");
        assertThat(second.bytes()).isGreaterThan(4 * 40_000);

        reopen();
        assertThat(restored().sums).containsExactly(5, 8, 0, 0);
        assertThatThrownBy(() -> latest().file("nowhere")).isInstanceOf(NoSuchFileException.class);
    }

    @Test
    void aFileOfTheStatesOwnIsLinkedAndNotReadAtARestart() throws IOException {
        Path own = Files.write(root.resolve("own"), new byte[100]);
        state = new SlotState(own);
        apply(0, 5);
        StoredSnapshot made = write();
        assertThat(Files.isSameFile(own, path(made, "linked"))).isTrue();
        assertThat(steps.done).contains("sync linked");

        // It checks itself; only its length is known here.
        flip(path(made, "linked"), 50);
        reopen();
        latest().verify();
        Files.write(path(made, "linked"), new byte[99]);
        assertThatThrownBy(this::reopen).hasMessageContaining(path(made, "linked").toString());
    }

    @Test
    void allIsOnDiskBeforeTheSnapshotHasItsName() throws IOException {
        apply(0, 5);
        steps.done.clear();
        write();
        int move = steps.done.indexOf("move snapshot-3-1");
        List<String> before = steps.done.subList(0, move);
        for (String step : before) {
            if (step.startsWith("create ")) {
                assertThat(before).contains(step.replace("create", "force"));
            }
        }
        assertThat(before).contains("force manifest", "force slot-3.0", "force state");
        assertThat(before.get(move - 1)).isEqualTo("delete snapshot-3-1");
        assertThat(before.get(move - 2)).isEqualTo("sync writing");
        assertThat(steps.done.get(move + 1)).isEqualTo("sync sm");
    }

    @Test
    void aCrashAtAnyStepLeavesASnapshotToGoOnFrom() throws IOException {
        int step = 0;
        int kept = 0;
        for (boolean whole = false; !whole; step++) {
            Path here = Files.createDirectory(root.resolve("kill-" + step));
            Steps mortal = new Steps();
            SnapshotStorage dying = new SnapshotStorage(mortal);
            state = new SlotState();
            index = 0;
            dying.open(here.resolve("sm"), here.resolve("tmp"));
            for (int i = 0; i < 3; i++) {
                apply(i, 10);
                write(dying);
            }
            apply(0, 1);
            mortal.refuse(step);
            try {
                write(dying);
                dying.deleteOld(freed -> {}, 0);
                whole = true;
            } catch (IOException e) {
                mortal.diesThen(e);
            }
            storage = new SnapshotStorage(new SnapshotDisk());
            storage.open(here.resolve("sm"), here.resolve("tmp"));
            long found = latest().getIndex();
            assertThat(found).isIn(3L, 4L);
            assertThat(restored().sum()).isEqualTo(found == 4 ? 31 : 30);
            kept += found == 3 ? 1 : 0;

            // And it goes on.
            apply(0, 1);
            write();
            storage.deleteOld(freed -> {}, 0);
            reopen(here);
            assertThat(restored().sum()).isEqualTo(32);
            assertThat(names(here.resolve("sm"))).hasSize(2);
        }
        assertThat(step).isGreaterThan(12);
        assertThat(kept).isBetween(10, step - 3);
    }

    @Test
    void aDiskThatRefusesAnyOneStepCostsThatSnapshotOnly() throws IOException {
        apply(0, 10);
        write();
        int failures = 0;
        for (int step = 0; ; step++) {
            long before = latest().getIndex();
            apply(1, 1);
            steps.refuse(step);
            try {
                write();
                break;
            } catch (IOException e) {
                failures++;
                assertThat(latest().getIndex()).isEqualTo(before);
            }
            write();
            assertThat(latest().getIndex()).isEqualTo(index);
            assertThat(restored().sum()).isEqualTo(state.sum());
        }
        assertThat(failures).isGreaterThan(10);
    }

    @Test
    void theTwoNewestAreKeptAndOneThatIsBeingSent() throws IOException {
        apply(0, 1);
        StoredSnapshot sent = write();
        assertThat(sent.getFiles()).hasSize(6);
        for (int i = 0; i < 3; i++) {
            apply(0, 1);
            write();
        }
        long minute = 60_000_000_000L;
        storage.deleteOld(freed -> {}, minute);
        assertThat(names(sm())).containsExactly("snapshot-3-1", "snapshot-3-3", "snapshot-3-4");
        assertThat(sent.getFiles()).isNotEmpty();
        storage.deleteOld(freed -> {}, 5 * minute);
        storage.deleteOld(freed -> {}, 9 * minute);
        assertThat(names(sm())).contains("snapshot-3-1");
        storage.deleteOld(freed -> {}, 10 * minute);
        assertThat(names(sm())).containsExactly("snapshot-3-3", "snapshot-3-4");
    }

    /** Purged beyond it, a follower that has received it needs the next, and so on. */
    @Test
    void theLogBehindASnapshotThatIsBeingSentIsNeeded() throws IOException {
        apply(0, 1);
        StoredSnapshot sent = write();
        long minute = 60_000_000_000L;
        assertThat(storage.lowestSent(minute)).isEqualTo(Long.MAX_VALUE);
        assertThat(sent.getFiles()).hasSize(6);
        apply(0, 1);
        StoredSnapshot next = write();
        assertThat(storage.lowestSent(2 * minute)).isEqualTo(sent.getIndex());
        assertThat(next.getFiles()).isNotEmpty();
        storage.deleteOld(freed -> {}, 3 * minute);
        assertThat(storage.lowestSent(3 * minute)).isEqualTo(sent.getIndex());
        assertThat(storage.lowestSent(7 * minute)).isEqualTo(next.getIndex());
        assertThat(storage.lowestSent(9 * minute)).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void damageIsRefusedAndTheFileNamed() throws IOException {
        apply(0, 5);
        StoredSnapshot made = write();
        List<Path> files = new ArrayList<>();
        made.getFiles().forEach(file -> files.add(file.getPath()));
        assertThat(files).hasSize(6);
        for (Path file : files) {
            byte[] good = Files.readAllBytes(file);
            for (int at = 0; at < good.length; at += 1 + good.length / 7) {
                flip(file, at);
                assertRefused(file);
                Files.write(file, good);
            }
            Files.write(file, java.util.Arrays.copyOf(good, good.length - 1));
            assertRefused(file);
            Files.write(file, new byte[0]);
            assertRefused(file);
            Files.delete(file);
            assertRefused(file);
            Files.write(file, good);
        }
        reopen();
        assertThat(restored().sum()).isEqualTo(5);
    }

    @Test
    void aManifestOfAnotherVersionIsRefused() throws IOException {
        apply(0, 5);
        Path manifest = write().directory().resolve(SnapshotManifest.NAME);
        String text = Files.readString(manifest).replace("photon snapshot 1", "photon snapshot 2");
        String lines = text.substring(0, text.lastIndexOf("end "));
        java.util.zip.CRC32C crc = new java.util.zip.CRC32C();
        crc.update(lines.getBytes(java.nio.charset.StandardCharsets.UTF_8));
        Files.writeString(manifest, lines + "end %08x%n".formatted(crc.getValue()));
        assertThatThrownBy(this::reopen)
                .hasMessageContaining(manifest.toString())
                .hasMessageContaining(
                        "expected 'photon snapshot 1' as its first line, but got 'photon snapshot 2'");
    }

    private void assertRefused(Path file) {
        assertThatThrownBy(
                        () -> {
                            reopen();
                            latest().verify();
                        })
                .as("%s", file)
                .isInstanceOf(IOException.class)
                .hasMessageContaining(file.toString());
    }

    @Test
    void halfMadeThingsAreCleanedAwayAndWhatWasMovedAsideIsPutBack() throws IOException {
        apply(0, 5);
        write();
        Files.createDirectories(sm().resolve("writing/deep"));
        Files.createDirectories(root.resolve("tmp/snapshot-1/snapshot-3-9"));
        Files.createDirectories(root.resolve("sm.tmp20261121-010203"));
        reopen();
        assertThat(names(root)).containsExactly("sm");
        assertThat(names(sm())).containsExactly("snapshot-3-1");

        Files.createDirectories(root.resolve("sm.tmp20261121-010203"));
        Files.move(sm(), root.resolve("sm.tmp20261121-010204"));
        reopen();
        assertThat(restored().sum()).isEqualTo(5);
        assertThat(names(root)).containsExactly("sm");
    }

    @Test
    void aReceivedSnapshotIsSyncedBeforeAndFoundAfterItIsPutInPlace() throws IOException {
        apply(0, 5);
        write();
        Path from = Files.createDirectory(root.resolve("leader"));
        SnapshotStorage leader = new SnapshotStorage(new SnapshotDisk());
        leader.open(from.resolve("sm"), from.resolve("tmp"));
        apply(1, 6);
        StoredSnapshot theirs = write(leader);

        Path received = root.resolve("tmp/snapshot-77");
        Files.createDirectories(root.resolve("tmp"));
        Files.move(from.resolve("sm"), received);
        // Its leader died while it sent this.
        Path half = Files.createDirectories(root.resolve("tmp/snapshot-76/snapshot-3-1"));
        Files.writeString(half.resolve("state"), "ha");
        Path state = received.resolve("snapshot-3-2").resolve("state");
        MD5FileUtil.computeAndSaveMd5ForFile(state.toFile());
        steps.done.clear();
        storage.syncReceived();
        assertThat(steps.done)
                .contains("sync state", "sync manifest", "sync snapshot-3-2", "sync snapshot-77");
        Files.move(sm(), root.resolve("sm.tmp1"));
        Files.move(received, sm());
        // Ratis takes the next one's pieces before it has this one loaded.
        Path next = Files.createDirectories(root.resolve("tmp/snapshot-78/snapshot-3-9"));
        StoredSnapshot found = Objects.requireNonNull(storage.reload());
        assertThat(found.getTermIndex()).isEqualTo(theirs.getTermIndex());
        assertThat(restored().sum()).isEqualTo(11);
        assertThat(half).doesNotExist();
        assertThat(next).exists();
        assertThat(names(found.directory())).hasSize(6).noneMatch(name -> name.endsWith("md5"));
        apply(1, 6);
        assertThat(Files.isSameFile(path(found, "slot-0.1"), path(write(), "slot-0.1"))).isTrue();
    }

    /** The one before is loaded by another thread, and that may be late. */
    @Test
    void aSnapshotThatHasComeWholeIsLeftAloneUntilItIsInPlace() throws IOException {
        apply(0, 5);
        write();
        Path whole = Files.createDirectories(root.resolve("tmp/snapshot-79/snapshot-3-9"));
        Files.writeString(whole.resolve("state"), "all");
        Files.writeString(whole.resolve(SnapshotManifest.NAME), "sent last");
        Path half = Files.createDirectories(root.resolve("tmp/snapshot-76/snapshot-3-7"));
        Files.writeString(half.resolve("state"), "ha");
        storage.syncReceived();
        storage.reload();
        assertThat(whole.resolve("state")).hasContent("all");
        assertThat(half).doesNotExist();
    }

    @Test
    void aWriterThatFailedHalfWayLeavesNothing() throws IOException {
        for (String name : List.of("a", "b")) {
            assertThatThrownBy(
                            () ->
                                    storage.write(
                                            frozen(
                                                    to -> {
                                                        try (OutputStream out = to.create("a")) {
                                                            out.write(1);
                                                        }
                                                        to.create(name).write(2);
                                                        throw new IOException("half way");
                                                    }),
                                            TermIndex.valueOf(1, 1),
                                            null,
                                            PACE,
                                            () -> false))
                    .hasMessageContaining(name.equals("a") ? "once" : "half way");
            assertThat(names(sm())).isEmpty();
            assertThat(storage.getLatestSnapshot()).isNull();
        }
    }

    @Test
    void aSnapshotThatIsNotWantedAnyMoreEnds() throws IOException {
        boolean[] unwanted = {false};
        assertThatThrownBy(
                        () ->
                                storage.write(
                                        frozen(
                                                to -> {
                                                    try (OutputStream out = to.create("a")) {
                                                        out.write(1);
                                                        unwanted[0] = true;
                                                        out.write(new byte[1 << 20]);
                                                    }
                                                }),
                                        TermIndex.valueOf(1, 1),
                                        null,
                                        PACE,
                                        () -> unwanted[0]))
                .hasMessageContaining("not wanted");
        assertThat(names(sm())).isEmpty();
    }

    @Test
    void aSnapshotIsWrittenAtItsPaceAndForcedInPieces() throws IOException {
        long[] nanos = {0};
        Pace slow = new Pace(1 << 20, rest -> nanos[0] += rest);
        byte[] content = new byte[20 << 20];
        storage.write(
                frozen(
                        to -> {
                            try (OutputStream out = to.create("a")) {
                                out.write(content);
                            }
                        }),
                TermIndex.valueOf(1, 1),
                null,
                slow,
                () -> false);
        assertThat(nanos[0]).isBetween(19_000_000_000L, 21_000_000_000L);
        // Five pieces of 4 MiB, and the end.
        assertThat(steps.done.stream().filter("force a"::equals).count()).isEqualTo(6);
    }

    @Test
    void aNameThatCannotBeKeptIsRefused() throws IOException {
        for (String bad : List.of("manifest", "a.md5", "../a", "A", "", "a/b", ".a", "a b")) {
            assertThatThrownBy(
                            () ->
                                    storage.write(
                                            frozen(to -> to.create(bad).close()),
                                            TermIndex.valueOf(1, 1),
                                            null,
                                            PACE,
                                            () -> false))
                    .as(bad)
                    .hasMessageContaining("the name of a file");
        }
    }

    private interface Content {
        void writeTo(SnapshotWriter to) throws IOException;
    }

    private static FrozenState frozen(Content content) {
        return new FrozenState() {
            @Override
            public void write(SnapshotWriter to) throws IOException {
                content.writeTo(to);
            }

            @Override
            public void close() {}
        };
    }

    private void apply(int slot, long number) {
        state.apply(++index, ByteBuffer.wrap(SlotState.entry(slot, number)));
    }

    private StoredSnapshot write() throws IOException {
        return write(storage);
    }

    private StoredSnapshot write(SnapshotStorage to) throws IOException {
        try (FrozenState frozen = state.freeze()) {
            return to.write(
                    frozen, TermIndex.valueOf(3, index), to.getLatestSnapshot(), PACE, () -> false);
        }
    }

    private void reopen() throws IOException {
        reopen(root);
    }

    private void reopen(Path here) throws IOException {
        storage = new SnapshotStorage(steps);
        storage.open(here.resolve("sm"), here.resolve("tmp"));
    }

    private SlotState restored() throws IOException {
        StoredSnapshot latest = latest();
        latest.verify();
        SlotState fresh = new SlotState();
        fresh.restore(latest);
        return fresh;
    }

    private StoredSnapshot latest() {
        return Objects.requireNonNull(storage.getLatestSnapshot());
    }

    private static Path path(StoredSnapshot of, String name) {
        return of.directory().resolve(name);
    }

    private static List<String> names(Path directory) throws IOException {
        try (Stream<Path> all = Files.list(directory)) {
            return all.map(file -> String.valueOf(file.getFileName())).sorted().toList();
        }
    }

    private static void flip(Path file, long at) throws IOException {
        try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
            bytes.seek(at);
            int was = bytes.read();
            bytes.seek(at);
            bytes.write(was ^ 0x55);
        }
    }
}
