package photon.storage.files;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import photon.storage.files.FileStore.AppendFile;
import photon.storage.files.MemoryFileStore.Operation;

class MemoryFileStoreTest {
    private final MemoryFileStore files = new MemoryFileStore(7);

    @Test
    void creationIsExclusiveAndMakesNoParents() throws IOException {
        assertThatThrownBy(() -> files.create("/a/b")).isInstanceOf(NoSuchFileException.class);
        files.createDirectory("/a");
        files.create("/a/b").close();
        assertThatThrownBy(() -> files.create("/a/b"))
                .isInstanceOf(FileAlreadyExistsException.class);
        assertThatThrownBy(() -> files.createDirectory("/a"))
                .isInstanceOf(FileAlreadyExistsException.class);
        assertThatThrownBy(() -> files.create("/a/b/c")).isInstanceOf(NoSuchFileException.class);
    }

    @Test
    void anOpenHandleFollowsItsFileThroughARenameOfTheDirectory() throws IOException {
        files.createDirectory("/a");
        AppendFile file = files.create("/a/b");
        files.rename("/a", "/c");
        write(file, "late");
        file.flush();
        assertThat(text("/c/b")).isEqualTo("late");
        assertThat(files.stat("/a/b")).isNull();
    }

    @Test
    void neitherRenameNorPublicationReplaces() throws IOException {
        files.put("/x", "x".getBytes(UTF_8));
        files.put("/y", "y".getBytes(UTF_8));
        assertThatThrownBy(() -> files.rename("/x", "/y"))
                .isInstanceOf(FileAlreadyExistsException.class);
        assertThat(files.publish("/x", "/y")).isFalse();
        assertThat(text("/x") + text("/y")).isEqualTo("xy");
        assertThat(files.publish("/x", "/z")).isTrue();
        assertThat(files.stat("/x")).isNull();
        assertThat(text("/z")).isEqualTo("x");
    }

    @Test
    void aPowerCutTakesUnsyncedBytesAndNames() throws IOException {
        files.createDirectory("/a");
        files.syncDirectory("/");
        AppendFile kept = files.create("/a/kept");
        write(kept, "synced");
        kept.sync();
        files.syncDirectory("/a");
        write(kept, ", lost");
        kept.flush();
        AppendFile nameless = files.create("/a/nameless");
        nameless.sync();
        files.crashLosingAllUnsynced();
        assertThat(text("/a/kept")).isEqualTo("synced");
        assertThat(files.stat("/a/nameless")).isNull();
        assertThatThrownBy(kept::sync).hasMessageContaining("dead");
    }

    @Test
    void aRenameIsUndoneWholeOrNotAtAll() throws IOException {
        for (int seed = 0; seed < 50; seed++) {
            MemoryFileStore store = new MemoryFileStore(seed);
            store.createDirectories("/from");
            store.createDirectories("/to");
            store.put("/from/f", new byte[1]);
            store.rename("/from/f", "/to/f");
            store.crash();
            assertThat(store.stat("/from/f") == null).isNotEqualTo(store.stat("/to/f") == null);
        }
    }

    @Test
    void eachUnsyncedNameOfADirectoryIsLostByItself() throws IOException {
        Set<String> seen = new TreeSet<>();
        for (int seed = 0; seed < 2_000; seed++) {
            MemoryFileStore store = new MemoryFileStore(seed);
            store.put("/d/gone", new byte[1]);
            store.put("/d/from", new byte[1]);
            store.put("/d/aside", new byte[1]);
            try (AppendFile file = store.create("/d/made")) {
                file.sync();
            }
            store.delete("/d/gone");
            store.rename("/d/from", "/d/to");
            store.publish("/d/aside", "/d/linked");
            store.crash();
            StringBuilder names = new StringBuilder();
            for (FileStore.FileInfo entry : store.peek("/d")) {
                names.append(entry.path().substring(3)).append(' ');
            }
            seen.add(names.toString());
            assertThat(store.stat("/d/from") == null).isNotEqualTo(store.stat("/d/to") == null);
        }
        // Made, deleted, renamed, linked, unlinked: each of them with and without all others.
        assertThat(seen).hasSize(32);
    }

    @Test
    void changesOfOneNameAreKeptInOrder() throws IOException {
        for (int seed = 0; seed < 300; seed++) {
            MemoryFileStore store = new MemoryFileStore(seed);
            store.put("/d/a", new byte[] {1});
            store.delete("/d/a");
            write(store, "/d/a", 2);
            store.rename("/d/a", "/d/b");
            write(store, "/d/a", 3);
            store.crash();
            int a = firstByte(store, "/d/a");
            int b = firstByte(store, "/d/b");
            assertThat(List.of(a + " " + b)).containsAnyOf("1 0", "0 0", "2 0", "0 2", "3 2");
        }
    }

    @Test
    void aRenameIsNotDurableBeforeTheDirectoryThatItLeadsTo() throws IOException {
        for (int seed = 0; seed < 100; seed++) {
            MemoryFileStore store = new MemoryFileStore(seed);
            store.put("/d/a", new byte[] {1});
            store.createDirectory("/d/new");
            store.rename("/d/a", "/d/new/a");
            if (seed % 2 == 0) {
                store.syncDirectory("/d/new");
                store.crashLosingAllUnsynced();
                assertThat(firstByte(store, "/d/new/a")).isEqualTo(1);
            } else {
                store.crash();
            }
            assertThat(firstByte(store, "/d/a") + firstByte(store, "/d/new/a")).isEqualTo(1);
        }
    }

    @Test
    void aDirectorysSyncLeavesOtherDirectoriesNamesUnsynced() throws IOException {
        files.put("/d/a", new byte[] {1});
        files.put("/e/x", new byte[] {1});
        write(files, "/d/made", 2);
        files.rename("/d/a", "/e/a");
        files.syncDirectory("/e");
        files.crashLosingAllUnsynced();
        assertThat(firstByte(files, "/e/a")).isEqualTo(1);
        assertThat(files.stat("/d/a")).isNull();
        assertThat(files.stat("/d/made")).isNull();
    }

    private static void write(MemoryFileStore store, String path, int content) throws IOException {
        try (AppendFile file = store.create(path)) {
            file.write(new byte[] {(byte) content}, 0, 1);
            file.sync();
        }
    }

    private static int firstByte(MemoryFileStore store, String path) throws IOException {
        return store.stat(path) == null ? 0 : store.content(path)[0];
    }

    @Test
    void operationsFailOnDemandAndTheHandleIsThenUseless() throws IOException {
        AppendFile file = files.create("/f");
        files.failAt(Operation.SYNC, 2);
        write(file, "1");
        file.sync();
        assertThatThrownBy(file::sync).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> write(file, "2")).hasMessageContaining("after a failure");
    }

    @Test
    void aFullDiskTakesWhatFits() throws IOException {
        files.setCapacityBytes(3);
        AppendFile file = files.create("/f");
        write(file, "12345");
        assertThatThrownBy(file::flush).hasMessageContaining("No space left");
        assertThat(text("/f")).isEqualTo("123");
        files.delete("/f");
        assertThat(files.usedBytes()).isZero();
    }

    @Test
    void globsFindFilesOnly() throws IOException {
        files.put("/logs/a/1.log", new byte[0]);
        files.put("/logs/b/1.log", new byte[0]);
        files.put("/logs/b/1.txt", new byte[0]);
        assertThat(files.glob("/logs/*/*.log"))
                .extracting(FileStore.FileInfo::path)
                .containsExactly("/logs/a/1.log", "/logs/b/1.log");
    }

    private String text(String path) throws IOException {
        return new String(files.content(path), UTF_8);
    }

    private static void write(AppendFile file, String text) throws IOException {
        byte[] bytes = text.getBytes(UTF_8);
        file.write(bytes, 0, bytes.length);
    }

    @Test
    void copiesStandApartAndTheDurableOneHoldsWhatSurvives() throws IOException {
        MemoryFileStore store = new MemoryFileStore();
        store.put("/a/kept", new byte[] {1, 2, 3});
        try (FileStore.AppendFile file = store.create("/a/new")) {
            file.write(new byte[] {4, 5}, 0, 2);
            file.sync();
            file.write(new byte[] {6}, 0, 1);
            file.flush();
            store.setHook(
                    (operation, path) -> {
                        throw new IOException("a copy has no hook");
                    });

            MemoryFileStore live = store.copy();
            MemoryFileStore durable = store.durableCopy();
            store.setHook((operation, path) -> {});
            store.syncDirectory("/a");
            MemoryFileStore named = store.durableCopy();

            assertThat(live.content("/a/new")).containsExactly(4, 5, 6);
            assertThat(durable.stat("/a/new")).isNull();
            assertThat(named.content("/a/new")).containsExactly(4, 5);
            assertThat(live.stat("/a/kept")).isEqualTo(store.stat("/a/kept"));
            live.delete("/a/kept");
            assertThat(store.content("/a/kept")).containsExactly(1, 2, 3);
        }
    }
}
