package photon.storage.files;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import photon.storage.files.FileStore.AppendFile;
import photon.storage.files.FileStore.FileInfo;
import photon.storage.files.FileStore.ReadFile;
import photon.storage.files.FileStore.Writer;

/**
 * What every {@link FileStore} does alike, whatever lies below it: local files, HDFS, the
 * simulator's memory. A difference that a test of Photon meets on one of them alone belongs here.
 */
public abstract class FileStoreContract {
    private static final int RACERS = 4;

    protected abstract FileStore files();

    /** An empty directory of this test's own. */
    protected abstract String directory();

    /** Another program opens a closed file, appends to it, and closes it. */
    protected abstract void appendByAnother(String path, String text) throws IOException;

    /** A file's owner cuts it short. */
    protected abstract void truncate(String path, int length) throws IOException;

    // ---- exclusive creation

    @Test
    void creationIsExclusiveAndMakesNoParents() throws IOException {
        files().create(path("a")).close();
        assertThatThrownBy(() -> files().create(path("a")))
                .isInstanceOf(FileAlreadyExistsException.class);
        assertThatThrownBy(() -> files().create(path("none/a")))
                .isInstanceOf(NoSuchFileException.class);
        assertThat(files().stat(path("none"))).isNull();
        assertThatThrownBy(() -> files().create(path("a/b")))
                .isInstanceOf(NoSuchFileException.class);
        files().createDirectory(path("d"));
        assertThatThrownBy(() -> files().create(path("d")))
                .isInstanceOf(FileAlreadyExistsException.class);
    }

    @Test
    void aFileThatIsBeingWrittenIsNotCreatedAnewAndKeepsItsBytes() throws IOException {
        try (AppendFile out = files().create(path("a"))) {
            append(out, "one ");
            out.flush();
            assertThatThrownBy(() -> files().create(path("a")))
                    .isInstanceOf(FileAlreadyExistsException.class);
            append(out, "two");
            out.sync();
        }
        assertThat(text(path("a"))).isEqualTo("one two");
    }

    @Test
    void directoriesAreMadeExclusivelyOrWithTheirParents() throws IOException {
        files().createDirectory(path("d"));
        for (String taken : List.of("d", "a")) {
            write("a", "");
            assertThatThrownBy(() -> files().createDirectory(path(taken)))
                    .isInstanceOf(FileAlreadyExistsException.class);
            files().delete(path("a"));
        }
        assertThatThrownBy(() -> files().createDirectory(path("none/d")))
                .isInstanceOf(NoSuchFileException.class);
        files().createDirectories(path("x/y/z"));
        files().createDirectories(path("x/y/z"));
        write("x/file", "f");
        assertThatThrownBy(() -> files().createDirectories(path("x/file/z")))
                .isInstanceOf(IOException.class);
        assertThatThrownBy(() -> files().createDirectories(path("x/file")))
                .isInstanceOf(IOException.class);
        assertThat(names(files().list(directory()))).containsExactly("d", "x");
    }

    @Test
    void ofManyWhoTakeANameAtOnceOneGetsIt() throws Exception {
        for (int i = 0; i < RACERS; i++) {
            write("source" + i, "s" + i);
        }
        assertThat(winners(i -> files().create(path("created")).close())).isEqualTo(1);
        assertThat(winners(i -> files().createDirectory(path("made")))).isEqualTo(1);
        assertThat(winners(i -> files().rename(path("source" + i), path("renamed")))).isEqualTo(1);
        for (int i = 0; i < RACERS; i++) {
            write("aside" + i, "a" + i);
        }
        assertThat(
                        winners(
                                i -> {
                                    if (!files().publish(path("aside" + i), path("published"))) {
                                        throw new FileAlreadyExistsException("published");
                                    }
                                }))
                .isEqualTo(1);
        assertThat(names(files().list(directory())))
                .filteredOn(name -> name.startsWith("aside") || name.startsWith("source"))
                .as("those that did not get the name are where they were")
                .hasSize(2 * (RACERS - 1));
    }

    // ---- rename and publication

    @Test
    void renamesNeverReplace() throws IOException {
        write("a", "a");
        write("b", "b");
        files().createDirectory(path("d"));
        files().createDirectory(path("e"));
        for (String target : List.of("b", "d")) {
            assertThatThrownBy(() -> files().rename(path("a"), path(target)))
                    .isInstanceOf(FileAlreadyExistsException.class);
        }
        for (String target : List.of("b", "e")) {
            assertThatThrownBy(() -> files().rename(path("d"), path(target)))
                    .isInstanceOf(FileAlreadyExistsException.class);
        }
        for (String missing : List.of("none", "none/none")) {
            assertThatThrownBy(() -> files().rename(path(missing), path("f")))
                    .isInstanceOf(NoSuchFileException.class);
        }
        assertThatThrownBy(() -> files().rename(path("a"), path("none/a")))
                .isInstanceOf(NoSuchFileException.class);
        assertThat(text(path("a")) + text(path("b"))).isEqualTo("ab");
        write("d/inside", "i");
        files().rename(path("d"), path("f"));
        assertThat(text(path("f/inside"))).isEqualTo("i");
        assertThat(files().stat(path("d"))).isNull();
    }

    @Test
    void publicationNeverReplaces() throws IOException {
        write("a", "a");
        write("taken", "t");
        files().createDirectory(path("d"));
        assertThat(files().publish(path("a"), path("taken"))).isFalse();
        assertThat(files().publish(path("a"), path("d"))).isFalse();
        assertThat(text(path("a")) + text(path("taken"))).isEqualTo("at");
        assertThat(names(files().list(path("d")))).isEmpty();
        assertThat(files().publish(path("a"), path("d/final"))).isTrue();
        assertThat(text(path("d/final"))).isEqualTo("a");
        assertThat(files().stat(path("a"))).isNull();
        assertThatThrownBy(() -> files().publish(path("a"), path("again")))
                .isInstanceOf(NoSuchFileException.class);
    }

    // ---- bytes

    @Test
    void whatWasFlushedIsReadByWhoHadTheFileOpenBefore() throws IOException {
        try (AppendFile out = files().create(path("a"));
                ReadFile in = files().open(path("a"))) {
            byte[] buffer = new byte[10];
            assertThat(in.read(0, buffer, 0, 10)).isEqualTo(-1);
            assertThat(in.length()).isZero();
            out.write("xhello".getBytes(UTF_8), 1, 5);
            out.flush();
            assertThat(out.position()).isEqualTo(5);
            assertThat(in.length()).isEqualTo(5);
            assertThat(in.read(2, buffer, 1, 2)).isPositive();
            assertThat((char) buffer[1]).isEqualTo('l');
            assertThat(in.read(5, buffer, 0, 10)).isEqualTo(-1);
            append(out, ", world");
            out.flush();
            assertThat(in.read(5, buffer, 0, 10)).isPositive();
            assertThat(text(path("a"))).isEqualTo("hello, world");
            out.sync();
            assertThat(info("a").length()).isEqualTo(12);
            files().syncDirectory(directory());
        }
    }

    @Test
    void whatWasNotFlushedIsThereAfterTheClosing() throws IOException {
        AppendFile out = files().create(path("a"));
        try (ReadFile in = files().open(path("a"))) {
            append(out, "text");
            out.close();
            assertThat(in.length()).isEqualTo(4);
            assertThat(read(in, 0)).isEqualTo("text");
            assertThat(info("a").length()).isEqualTo(4);
        }
    }

    @Test
    void aReaderReadsAtAnyPositionOfALongFileWhileItGrows() throws IOException {
        StringBuilder all = new StringBuilder();
        try (AppendFile out = files().create(path("a"));
                ReadFile in = files().open(path("a"))) {
            for (int i = 0; i < 40; i++) {
                String part = Integer.toString(i).repeat(5_000);
                all.append(part);
                append(out, part);
                out.flush();
                assertThat(in.length()).isEqualTo(all.length());
                int from = all.length() * (i % 7) / 7;
                assertThat(read(in, from)).isEqualTo(all.substring(from));
            }
        }
        assertThat(text(path("a"))).isEqualTo(all.toString());
    }

    @Test
    void whatIsAppendedAfterTheClosingIsReadToo() throws IOException {
        write("a", "one ");
        String key = info("a").key();
        try (ReadFile in = files().open(path("a"))) {
            assertThat(read(in, 0)).isEqualTo("one ");
            appendByAnother(path("a"), "two ");
            assertThat(read(in, 4)).isEqualTo("two ");
            assertThat(in.length()).isEqualTo(8);
            appendByAnother(path("a"), "three");
            assertThat(in.length()).isEqualTo(13);
            assertThat(read(in, 0)).isEqualTo("one two three");
        }
        assertThat(info("a").key()).isEqualTo(key);
        assertThat(info("a").length()).isEqualTo(13);
    }

    @Test
    void aTruncationIsSeenByWhoHasTheFileOpen() throws IOException {
        write("a", "0123456789");
        String key = info("a").key();
        try (ReadFile in = files().open(path("a"))) {
            assertThat(read(in, 0)).hasSize(10);
            truncate(path("a"), 4);
            assertThat(in.length()).isEqualTo(4);
            assertThat(in.read(4, new byte[1], 0, 1)).isEqualTo(-1);
            assertThat(read(in, 0)).isEqualTo("0123");
            appendByAnother(path("a"), "xy");
            assertThat(read(in, 0)).isEqualTo("0123xy");
        }
        assertThat(info("a").length()).isEqualTo(6);
        assertThat(info("a").key()).isEqualTo(key);
    }

    @Test
    void whetherAFileIsBeingWrittenIsKnownOrNot() throws IOException {
        AppendFile out = files().create(path("a"));
        try (ReadFile in = files().open(path("a"))) {
            append(out, "text");
            out.flush();
            assertThat(in.writer()).isIn(Writer.OPEN, Writer.UNKNOWN);
            out.close();
            assertThat(in.length()).isEqualTo(4);
            assertThat(in.writer()).isIn(Writer.CLOSED, Writer.UNKNOWN);
        }
    }

    @Test
    void whatADeadWriterFlushedIsThereAndTheFileCanBeEnded() throws IOException {
        @SuppressWarnings("resource") // Its process has died.
        AppendFile dead = files().create(path("a"));
        append(dead, "flushed");
        dead.flush();
        assertThat(text(path("a"))).isEqualTo("flushed");
        files().recover(path("a"));
        files().recover(path("a"));
        try (ReadFile in = files().open(path("a"))) {
            assertThat(in.writer()).isNotEqualTo(Writer.OPEN);
            assertThat(in.length()).isEqualTo(7);
        }
        assertThat(text(path("a"))).isEqualTo("flushed");
        appendByAnother(path("a"), " and more");
        assertThat(text(path("a"))).isEqualTo("flushed and more");
    }

    // ---- identity

    @Test
    void aFilesKeySurvivesRenamesAndGrowthAndNobodyElseHasIt() throws IOException {
        write("a", "1");
        write("other", "1");
        files().createDirectory(path("d"));
        String key = info("a").key();
        assertThat(info("other").key()).isNotEqualTo(key);
        files().rename(path("a"), path("d/b"));
        appendByAnother(path("d/b"), "longer");
        files().rename(path("d"), path("e"));
        assertThat(info("e/b").key()).isEqualTo(key);
        assertThat(info("e/b").length()).isEqualTo(7);
        write("a", "1");
        assertThat(info("a").key()).isNotEqualTo(key);
        assertThat(files().list(path("e"))).containsExactly(info("e/b"));
        assertThat(files().glob(path("e/*")))
                .singleElement()
                .returns(key, FileInfo::key)
                .returns(7L, FileInfo::length);
    }

    @Test
    void openHandlesFollowTheirFileThroughRenames() throws IOException {
        files().createDirectory(path("d"));
        try (AppendFile out = files().create(path("d/a"));
                ReadFile in = files().open(path("d/a"))) {
            append(out, "one ");
            out.flush();
            files().rename(path("d/a"), path("d/b"));
            append(out, "two ");
            out.flush();
            assertThat(read(in, 0)).isEqualTo("one two ");
            files().rename(path("d"), path("e"));
            write("a", "another");
            append(out, "three");
            out.sync();
            assertThat(read(in, 8)).isEqualTo("three");
        }
        assertThat(text(path("e/b"))).isEqualTo("one two three");
        assertThat(files().stat(path("d/a"))).isNull();
    }

    // ---- names

    @Test
    void globsGiveFilesInOrderOfPath() throws IOException {
        write("b.log", "22");
        write("a.log", "1");
        write("a.txt", "3");
        write("_c.tmp", "5");
        files().createDirectory(path("c.log"));
        files().createDirectories(path("dt=1/in"));
        files().createDirectories(path("dt=2/in"));
        write("dt=1/in/d.log", "4");
        write("dt=2/in/d.log", "4");
        assertThat(glob("*.log")).containsExactly("a.log", "b.log");
        assertThat(glob("*/in/?.log")).containsExactly("dt=1/in/d.log", "dt=2/in/d.log");
        assertThat(glob("dt=*/in/*")).containsExactly("dt=1/in/d.log", "dt=2/in/d.log");
        assertThat(glob("dt=1/in/*")).containsExactly("dt=1/in/d.log");
        assertThat(glob("{dt=2/in,none}/*")).containsExactly("dt=2/in/d.log");
        assertThat(glob("[a-b].{log,txt}")).containsExactly("a.log", "a.txt", "b.log");
        assertThat(glob("a.log")).containsExactly("a.log");
        assertThat(glob("*.tmp")).containsExactly("_c.tmp");
        for (String nothing : List.of("none", "none/*", "*/none", "a.log/*", "c.log")) {
            assertThat(glob(nothing)).as(nothing).isEmpty();
        }
        FileInfo info = info("b.log");
        assertThat(files().glob(path("b.*")))
                .singleElement()
                .returns(info.key(), FileInfo::key)
                .returns(info.length(), FileInfo::length)
                .returns(info.modifiedMillis(), FileInfo::modifiedMillis);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a b%20c", "äö=1,2", "x+y&z#1", "a'b\"c"})
    void namesAreTakenAsTheyAre(String name) throws IOException {
        write(name, "text");
        assertThat(names(files().list(directory()))).containsExactly(name);
        assertThat(glob("*")).containsExactly(name);
        assertThat(text(files().list(directory()).get(0).path())).isEqualTo("text");
        files().rename(path(name), path("plain"));
        assertThat(glob("*")).containsExactly("plain");
    }

    @Test
    void missingThingsAreToldAsSuch() throws IOException {
        assertThatThrownBy(() -> files().open(path("none")))
                .isInstanceOf(NoSuchFileException.class);
        assertThatThrownBy(() -> files().open(path("none/none")))
                .isInstanceOf(NoSuchFileException.class);
        assertThat(files().list(path("none"))).isEmpty();
        assertThat(files().stat(path("none/none"))).isNull();
        write("a", "a");
        assertThat(files().stat(path("a/b"))).isNull();
        assertThat(files().list(path("a/b"))).isEmpty();
        assertThat(files().list(path("a"))).as("a file has no entries").isEmpty();
        assertThatThrownBy(() -> files().open(directory()))
                .isInstanceOf(IOException.class)
                .isNotInstanceOf(NoSuchFileException.class);
    }

    @Test
    void entriesAreListedInOrderOfPath() throws IOException {
        files().createDirectory(path("c"));
        write("d", "dd");
        write("b", "");
        write("c/inside", "i");
        List<FileInfo> entries = files().list(directory());
        assertThat(names(entries)).containsExactly("b", "c", "d");
        assertThat(entries.stream().map(FileInfo::length)).containsExactly(0L, 0L, 2L);
        assertThat(entries.stream().map(FileInfo::directory)).containsExactly(false, true, false);
        assertThat(entries).containsExactly(info("b"), info("c"), info("d"));
    }

    @Test
    void deletionTakesAllAndForgivesNothingThere() throws IOException {
        files().createDirectories(path("x/y"));
        write("x/y/a", "a");
        write("b", "b");
        files().delete(path("x"));
        files().delete(path("x"));
        files().delete(path("none/none"));
        files().delete(path("b"));
        assertThat(files().list(directory())).isEmpty();
        write("b", "new");
        assertThat(text(path("b"))).isEqualTo("new");
    }

    // ---- details

    /** One of those who take a name. */
    @FunctionalInterface
    private interface Taking {
        void take(int racer) throws IOException;
    }

    private static int winners(Taking taking) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(RACERS);
        try {
            List<Callable<Boolean>> racers = new ArrayList<>();
            for (int i = 0; i < RACERS; i++) {
                int racer = i;
                racers.add(
                        () -> {
                            try {
                                taking.take(racer);
                                return true;
                            } catch (FileAlreadyExistsException e) {
                                return false;
                            }
                        });
            }
            int winners = 0;
            for (Future<Boolean> won : threads.invokeAll(racers)) {
                winners += won.get() ? 1 : 0;
            }
            return winners;
        } finally {
            threads.shutdown();
        }
    }

    protected final String path(String name) {
        return directory() + "/" + name;
    }

    protected final FileInfo info(String name) throws IOException {
        return Objects.requireNonNull(files().stat(path(name)));
    }

    protected final void write(String name, String text) throws IOException {
        try (AppendFile out = files().create(path(name))) {
            append(out, text);
        }
    }

    protected static void append(AppendFile out, String text) throws IOException {
        byte[] bytes = text.getBytes(UTF_8);
        out.write(bytes, 0, bytes.length);
    }

    protected final String text(String path) throws IOException {
        try (ReadFile in = files().open(path)) {
            return read(in, 0);
        }
    }

    private static String read(ReadFile in, long from) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        byte[] buffer = new byte[8 << 10];
        long position = from;
        for (int n; (n = in.read(position, buffer, 0, buffer.length)) > 0; position += n) {
            all.write(buffer, 0, n);
        }
        return all.toString(UTF_8);
    }

    private List<String> glob(String pattern) throws IOException {
        return names(files().glob(path(pattern)));
    }

    private List<String> names(List<FileInfo> infos) {
        return infos.stream().map(info -> info.path().substring(directory().length() + 1)).toList();
    }
}
