package photon.verifier.repair;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import photon.storage.tail.FilePosition;
import photon.storage.tail.TailBatch;
import photon.storage.tail.Unterminated;
import photon.verifier.repair.WriteOffRule.Named;
import photon.verifier.source.ForeignLogs;

/** With thousands of logs. */
final class CheckpointedFilesTest {
    private static final int MANY = 10 * CheckpointedFiles.FILES_PER_STEP;

    private final Logs logs = new Logs();
    private final CheckpointedFiles files = new CheckpointedFiles(logs);

    private static FilePosition position(String key, String begins, long offset) {
        return new FilePosition("/in/" + key, key, 8_192, begins, offset);
    }

    /** One look; how many steps it took. */
    private int look(List<FilePosition> checkpoint) {
        files.begin(checkpoint);
        int steps = 1;
        while (!files.recogniseSome()) {
            assertThat(logs.looks).isLessThanOrEqualTo(steps * CheckpointedFiles.FILES_PER_STEP);
            steps++;
        }
        return steps;
    }

    private List<Long> readTo() {
        return files.named().stream().map(Named::readTo).toList();
    }

    /** On NFS the first part of a key is a machine's own. */
    @Test
    void logsThatAnotherMachineHasReadAreKnownWithoutALookIntoThem() {
        List<FilePosition> checkpoint = new ArrayList<>();
        for (int n = 0; n < MANY; n++) {
            checkpoint.add(position("51:" + n, "begin-" + n, 100));
            logs.reached.add(position("47:" + n, "begin-" + n, 120));
        }
        assertThat(look(checkpoint)).isEqualTo(1);
        assertThat(logs.looks).isZero();
        assertThat(readTo()).hasSize(MANY).containsOnly(120L);
    }

    /** An inode that was used again. */
    @Test
    void anotherFileOfTheSameNumberIsAnother() {
        logs.reached.add(position("47:1", "new", 120));
        look(List.of(position("51:1", "old", 100)));
        assertThat(readTo()).containsExactly(Named.NOT_MET);
    }

    @Test
    void aLogThatIsAwayIsLookedForInAFewFilesAtATimeAndInNoneTwice() {
        List<FilePosition> checkpoint = new ArrayList<>(List.of(position("1:away", "away", 5)));
        for (int n = 0; n < MANY; n++) {
            checkpoint.add(position("1:" + n, "begin-" + n, 100));
            logs.reached.add(position("1:" + n, "begin-" + n, 100));
        }
        assertThat(look(checkpoint)).isGreaterThanOrEqualTo(10);
        assertThat(logs.looks).isEqualTo(MANY);
        assertThat(readTo()).startsWith(Named.NOT_MET, 100L);
        assertThat(look(checkpoint)).isEqualTo(1);
        assertThat(logs.looks).isEqualTo(MANY);
        logs.reached.set(7, position("1:7", "begin-7", 130));
        look(checkpoint);
        assertThat(logs.looks).as("the one that has grown").isEqualTo(MANY + 1);
        assertThat(readTo()).contains(Named.NOT_MET);
        logs.reached.add(position("1:copy", "raw", 60));
        logs.begins.put("1:copy", "away");
        look(checkpoint);
        assertThat(readTo()).startsWith(60L);
    }

    /** All were compressed: each file is asked for what is left only. */
    @Test
    void whatIsFoundIsNotLookedForAnyMore() {
        List<FilePosition> checkpoint = new ArrayList<>();
        for (int n = 0; n < MANY; n++) {
            checkpoint.add(position("1:" + n, "begin-" + n, 100));
            logs.reached.add(position("1:gz" + n, "raw-" + n, 100));
            logs.begins.put("1:gz" + n, "begin-" + n);
        }
        look(checkpoint);
        assertThat(readTo()).hasSize(MANY).containsOnly(100L);
        assertThat(logs.wantedLast).isEqualTo(1);
        look(checkpoint);
        assertThat(logs.looks).isEqualTo(MANY);
    }

    @Test
    void oneThatWasFoundAndIsReadFurtherThanThatIsLookedForInTheOthersToo() {
        logs.reached.add(position("1:a", "raw-a", 10));
        logs.reached.add(position("1:b", "raw-b", 30));
        logs.begins.put("1:a", "log");
        logs.begins.put("1:b", "log");
        FilePosition away = position("1:away", "away", 5);
        look(List.of(position("1:log", "log", 10), away));
        assertThat(readTo()).containsExactly(10L, Named.NOT_MET);
        look(List.of(position("1:log", "log", 20), away));
        assertThat(readTo()).containsExactly(30L, Named.NOT_MET);
    }

    @Test
    void aFileThatCannotBeReadIsLookedIntoAgain() {
        logs.reached.add(position("1:a", "raw-a", 10));
        List<FilePosition> checkpoint = List.of(position("1:log", "log", 10));
        logs.away = true;
        look(checkpoint);
        assertThat(readTo()).containsExactly(Named.NOT_MET);
        logs.away = false;
        logs.begins.put("1:a", "log");
        look(checkpoint);
        assertThat(readTo()).containsExactly(10L);
    }

    @Test
    void anUnreadableFileIsInTheWayUnlessTheDispatcherHasReadNoMoreOfIt() {
        logs.reached.add(position("47:1", "one", 10));
        logs.reached.add(position("47:2", "two", 10));
        logs.reached.add(position("47:3", "three", 10));
        for (int number = 0; number < 3; number++) {
            logs.unreadable.put(number, "corrupt");
        }
        look(List.of(position("51:1", "one", 10), position("51:2", "two", 11)));
        assertThat(files.unreadable()).containsExactly("/in/47:2: corrupt", "/in/47:3: corrupt");
        // Of two that may be the same file, one was read further.
        look(List.of(position("51:1", "one", 10), position("48:1", "one", 11)));
        assertThat(files.unreadable()).contains("/in/47:1: corrupt");
    }

    private static final class Logs implements ForeignLogs.Reading {
        final List<FilePosition> reached = new ArrayList<>();

        /** Without the compression, by key. */
        final Map<String, String> begins = new HashMap<>();

        final SortedMap<Integer, String> unreadable = new TreeMap<>();
        boolean away;
        int looks;
        int wantedLast;

        @Override
        public Optional<List<FilePosition>> recognise(
                FilePosition file, Collection<FilePosition> wanted) {
            looks++;
            wantedLast = wanted.size();
            return away
                    ? Optional.empty()
                    : Optional.of(
                            wanted.stream()
                                    .filter(p -> p.prefixHash().equals(begins.get(file.key())))
                                    .toList());
        }

        @Override
        public List<FilePosition> reached() {
            return List.copyOf(reached);
        }

        @Override
        public SortedMap<Integer, String> unreadable() {
            return unreadable;
        }

        @Override
        public void listNext() {
            throw new UnsupportedOperationException();
        }

        @Override
        public TailBatch poll(int recordsMax, long nanoTime) {
            throw new UnsupportedOperationException();
        }

        @Override
        public FilePosition position(int file, long offset) {
            throw new UnsupportedOperationException();
        }

        @Override
        public List<String> missingDirectories() {
            throw new UnsupportedOperationException();
        }

        @Override
        public List<Unterminated> unterminated() {
            throw new UnsupportedOperationException();
        }

        @Override
        public void close() {}
    }
}
