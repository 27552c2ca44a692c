package photon.eventstore.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import photon.storage.files.FileStore;
import photon.storage.files.MemoryFileStore.Operation;

/** A disk that fails, is full, or loses files, while the index is open or is being opened. */
class IndexFailureTest extends IndexOnMemoryFiles {
    private boolean merging;

    IndexFailureTest() {
        // One file is open at a time, so that each is opened again and again.
        limits = new IndexLimits(1, 3, 1_500, 200, 3, 1_000_000, 1, 0);
    }

    @Test
    void aPartThatIsGoneStopsTheReadAndIsWrittenAnewByTheNextStart() throws IOException {
        FileLogIndex index = open(USER);
        fill(index, 0, 3_000);
        for (String part : parts()) {
            files.delete(part);
        }
        assertThatThrownBy(() -> assertAllFound(index, 0, 3_000))
                .isInstanceOf(LogIndexException.class)
                .hasMessageContaining("part-");
        index.close();
        assertAllIsThereAgain();
    }

    @Test
    void aPartThatGoesWhileTheIndexIsOpenedIsWrittenAnew() throws IOException {
        for (boolean cut : List.of(true, false)) {
            files.delete(STATE + "/index");
            try (FileLogIndex index = open(USER)) {
                fill(index, 0, 3_000);
            }
            String first = parts().get(0);
            files.setHook(
                    (operation, path) -> {
                        if (!path.equals(first)) {
                            return;
                        }
                        if (cut && operation == Operation.OPEN) {
                            files.setHook((o, p) -> {});
                            files.truncate(path, 100);
                        } else if (!cut && operation == Operation.STAT) {
                            files.setHook((o, p) -> {});
                            files.delete(path);
                        }
                    });
            assertAllIsThereAgain();
        }
    }

    @Test
    void aMergeThatFindsTheDiskFullIsTriedAgainLater() throws IOException {
        try (LoggedLines logged = new LoggedLines(IndexUpkeep.class);
                FileLogIndex index = open(USER)) {
            files.setHook(this::noRoomForMerges);
            fill(index, 0, 2_000);
            assertThat(parts()).hasSizeGreaterThan(10);
            assertThat(files.peek(STATE + "/index"))
                    .noneMatch(file -> file.path().endsWith(".new"));
            assertThat(logged.of(Level.WARN)).singleElement().asString().contains("No space left");
            assertAllFound(index, 0, 2_000);
            files.setHook((operation, path) -> {});
            fill(index, 2_000, 2_400);
            assertThat(parts()).hasSizeLessThan(10);
            assertThat(logged.of(Level.INFO)).hasSize(1);
            assertAllFound(index, 0, 2_400);
            files.setHook(this::noRoomForMerges);
            fill(index, 2_400, 4_000);
            assertThat(logged.of(Level.WARN)).hasSize(2);
        }
    }

    /** As a simulated process does whose life has ended further up the stack. */
    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void whatIsClosedWithinItsOwnMergeDoesNotWaitForItself() throws IOException {
        FileLogIndex index = open(USER);
        boolean[] closed = new boolean[1];
        files.setHook(
                (o, path) -> {
                    merging = isOfMerge(path, merging);
                    if (merging && !closed[0]) {
                        closed[0] = true;
                        index.close();
                    }
                });
        try {
            fill(index, 0, 1_500);
        } catch (LogIndexException e) {
            // It is closed.
        }
        assertThat(closed[0]).isTrue();
    }

    @Test
    void aMergeMayFailAtAnyOperation() throws IOException {
        int failed = 0;
        for (Operation operation : Operation.values()) {
            for (int nth = 1; nth <= 3; nth++) {
                files.delete(STATE + "/index");
                files.setHook((o, path) -> {});
                int[] left = {nth};
                try (LoggedLines logged = new LoggedLines(IndexUpkeep.class);
                        FileLogIndex index = open(USER)) {
                    files.setHook(
                            (o, path) -> {
                                merging = isOfMerge(path, merging);
                                if (merging && o == operation && --left[0] == 0) {
                                    throw new IOException("Input/output error");
                                }
                            });
                    fill(index, 0, 1_500);
                    files.setHook((o, path) -> {});
                    failed += logged.of(Level.WARN).size();
                    assertAllFound(index, 0, 1_500);
                }
                try (FileLogIndex index = open(USER)) {
                    assertThat(index.opened().primaryEvents()).isEqualTo(1_500);
                    assertAllFound(index, 0, 1_500);
                }
            }
        }
        assertThat(failed).isGreaterThan(10);
        assertThat(files.stat(STATE + "/index.corrupt")).isNull();
    }

    @Test
    void aPartThatAFailedMergeLeftDoesNotCostTheIndex() throws IOException {
        try (FileLogIndex index = open(USER)) {
            fill(index, 0, 2_000);
        }
        IndexNames.Range last =
                IndexNames.part(IndexNames.of(parts().get(parts().size() - 1))).orElseThrow();
        IndexNames.Range overlapping = new IndexNames.Range(last.from() - 1, last.from());
        files.put(STATE + "/index/" + IndexNames.part(overlapping), new byte[] {1});
        try (FileLogIndex index = open(USER)) {
            assertThat(index.opened().primaryEvents()).isEqualTo(2_000);
            assertAllFound(index, 0, 2_000);
        }
    }

    @Test
    void aBadSectorIsToldWithItsFileAndWhatMayBeDone() throws IOException {
        for (String name : List.of("segment-0000000001.log", "part-0000000001-")) {
            files.delete(STATE + "/index");
            try (FileLogIndex index = open(USER)) {
                fill(index, 0, 1_000);
                files.setHook((operation, path) -> failReads(name, operation, path));
                assertThatThrownBy(() -> assertAllFound(index, 0, 1_000))
                        .isInstanceOf(LogIndexException.class)
                        .hasMessageContainingAll(
                                STATE + "/index/" + name,
                                "Input/output error",
                                "may be moved away while the store is down");
            }
            files.setHook((operation, path) -> {});
        }
    }

    @Test
    void aBadSectorThatAStartMeetsIsToldInTheSameWay() {
        try (FileLogIndex index = open(USER)) {
            fill(index, 0, 10);
        }
        files.setHook((operation, path) -> failReads("segment-0000000001", operation, path));
        assertThatThrownBy(() -> open(USER))
                .isInstanceOf(LogIndexException.class)
                .hasMessageContainingAll(
                        "segment-0000000001.log",
                        STATE + "/index may be moved away while the store is down");
    }

    private static void failReads(String name, Operation operation, String path)
            throws IOException {
        if (operation == Operation.READ && path.contains(name)) {
            throw new IOException("Input/output error");
        }
    }

    @Test
    void anOpeningThatFailsLeavesNoFileOpen() throws IOException {
        limits = SMALL;
        boolean opened = false;
        for (int nth = 1; !opened; nth++) {
            files.setHook((operation, path) -> {});
            files.delete(STATE + "/index");
            FileLogIndex killed = open(USER);
            fill(killed, 0, 1_500);
            files.endHandles();
            files.delete(parts().get(0));
            OpenHandles handles = new OpenHandles();
            IndexDirectory directory = new IndexDirectory(handles.watch(files), STATE, limits);
            int[] left = {nth};
            files.setHook(
                    (operation, path) -> {
                        if (--left[0] == 0) {
                            throw new IOException("Input/output error");
                        }
                    });
            try {
                directory.open(USER, "s", AT_ONCE).close();
                opened = left[0] > 0; // a failure may have been survived
            } catch (LogIndexException e) {
                assertThat(e).hasRootCauseMessage("Input/output error");
            }
            assertThat(handles.count()).as("after failure %s", nth).isZero();
        }
    }

    private void noRoomForMerges(Operation operation, String path) throws IOException {
        if (operation == Operation.WRITE && isOfMerge(path, false)) {
            throw new IOException("No space left on device");
        }
    }

    /** From the first touch of a merge's new part up to what is done with segments. */
    private boolean isOfMerge(String path, boolean before) {
        String name = IndexNames.of(path);
        if (!IndexNames.isUnfinished(name)) {
            return before && !name.startsWith("segment-");
        }
        // A merge's part stands for more segments than a table does.
        return IndexNames.part(name.replace(".new", ""))
                .filter(range -> range.to() - range.from() >= limits.recentSegments())
                .isPresent();
    }

    private void assertAllIsThereAgain() throws IOException {
        assertThat(files.stat(STATE + "/index.is-corrupt")).isNull();
        try (FileLogIndex index = open(USER)) {
            assertThat(index.opened().primaryEvents()).isEqualTo(3_000);
            assertAllFound(index, 0, 3_000);
        }
        assertThat(files.stat(STATE + "/index.corrupt")).isNull();
    }

    private List<String> parts() {
        return files.peek(STATE + "/index").stream()
                .map(FileStore.FileInfo::path)
                .filter(path -> path.contains("/part-"))
                .toList();
    }
}
