package photon.eventstore.index;

import static org.assertj.core.api.Assertions.assertThat;
import static photon.eventstore.Events.event;
import static photon.eventstore.Events.key;

import ch.qos.logback.classic.Level;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import photon.core.share.EventStoreShares;
import photon.core.share.StoreShare;
import photon.storage.frames.FrameWriter;

/** What becomes of an index that cannot be opened as it is, and of what does not belong to one. */
class IndexDirectoryTest extends IndexOnMemoryFiles {
    private static final byte[] BYTES = {1};

    @Test
    void filesThatAreNotOfTheIndexAreLeftAloneWithOneWarning() throws IOException {
        try (FileLogIndex index = open(USER)) {
            index.put(batch(event("a", "{}")));
        }
        files.put(STATE + "/index/notes.txt", BYTES);
        files.put(STATE + "/index/core.new", BYTES);
        try (LoggedLines logged = new LoggedLines(IndexRecovery.class);
                FileLogIndex index = open(USER)) {
            assertThat(index.opened().primaryEvents()).isEqualTo(1);
            assertThat(logged.of(Level.WARN))
                    .singleElement()
                    .asString()
                    .contains("notes.txt", "core.new");
        }
        assertThat(files.stat(STATE + "/index/notes.txt")).isNotNull();
        assertThat(files.stat(STATE + "/index/core.new")).isNotNull();
    }

    @Test
    void aDirectoryWithoutAnIndexIsMovedAsideAndNothingIsDeleted() throws IOException {
        for (int i = 0; i < 2; i++) {
            files.delete(STATE + "/index");
            files.put(STATE + "/index/notes.txt", BYTES);
            try (LoggedLines logged = new LoggedLines(IndexDirectory.class);
                    FileLogIndex index = open(USER)) {
                index.put(batch(event("a", "{}")));
                assertThat(logged.of(Level.WARN))
                        .singleElement()
                        .asString()
                        .contains("notes.txt", STATE + "/index.other");
            }
            try (FileLogIndex index = open(USER)) {
                assertThat(index.get(List.of(key("a")))).doesNotContainNull();
            }
        }
        assertThat(files.stat(STATE + "/index.other/notes.txt")).isNotNull();
        assertThat(files.stat(STATE + "/index.other.2/notes.txt")).isNotNull();
        assertThat(files.stat(STATE + "/index.corrupt")).isNull();
    }

    @Test
    void filesThatAreNotOfTheIndexOutliveOneOfOtherSettings() throws IOException {
        try (FileLogIndex index = open(USER)) {
            index.put(batch(event("a", "{}")));
        }
        files.put(STATE + "/index/notes.txt", BYTES);
        try (FileLogIndex index =
                new IndexDirectory(files, STATE, limits).open(USER, "others", AT_ONCE)) {
            assertThat(index.opened()).isEqualTo(IndexState.EMPTY);
        }
        assertThat(files.stat(STATE + "/index.other/notes.txt")).isNotNull();
    }

    @Test
    void anIndexOfAnotherVersionIsBuiltAnewAndIsNoDamage() throws IOException {
        byte[] head = SegmentFormat.encode(new SegmentHead("s", 0, 0, List.of()));
        byte[] otherHead = head.clone();
        otherHead[Integer.BYTES] = 9; // the last byte of the version, behind the kind
        byte[] commit =
                SegmentFormat.encode(
                        Commit.positions(List.of(position("f", 1))), new PositionCodec());
        byte[] otherCommit = commit.clone();
        otherCommit[1 + 3 * Long.BYTES + Integer.BYTES] = 9; // behind counts
        for (List<byte[]> frames :
                List.of(List.of(otherHead, commit), List.of(head, otherCommit))) {
            files.delete(STATE + "/index");
            writeSegment(frames);
            try (LoggedLines logged = new LoggedLines(IndexDirectory.class);
                    FileLogIndex index = open(USER)) {
                assertThat(index.opened()).isEqualTo(IndexState.EMPTY);
                assertThat(logged.of(Level.WARN)).singleElement().asString().contains("version");
            }
            assertThat(files.stat(STATE + "/index.corrupt")).isNull();
        }
    }

    @Test
    void aLastSegmentThatIsDamagedBeforeItsEndIsKeptForPeople() throws IOException {
        String kept = STATE + "/index.corrupt-segment";
        for (int life = 0; life < 2; life++) {
            FileLogIndex killed = open(USER);
            fill(killed, 1_000 * life, 1_000 * life + 1_000);
            files.endHandles();
            String segment = newest("segment-");
            files.corrupt(segment, files.content(segment).length / 2);
            byte[] damaged = files.content(segment);
            try (LoggedLines logged = new LoggedLines(IndexRecovery.class);
                    FileLogIndex index = open(USER)) {
                assertThat(index.opened().primaryEvents()).isPositive();
                assertThat(index.opened().positions()).hasSize(1);
                assertThat(logged.of(Level.ERROR))
                        .singleElement()
                        .asString()
                        .contains(segment, kept, "from offset");
            }
            assertThat(files.content(kept)).isEqualTo(damaged);
            assertThat(files.stat(segment)).isNull();
        }
        try (LoggedLines logged = new LoggedLines(IndexRecovery.class);
                FileLogIndex index = open(USER)) {
            assertThat(index.opened().primaryEvents()).isPositive();
            assertThat(logged.of(Level.WARN)).isEmpty();
        }
    }

    @Test
    void aTornEndIsNotKept() throws IOException {
        fill(open(USER), 0, 100);
        files.endHandles();
        String segment = newest("segment-");
        files.truncate(segment, files.content(segment).length - 5);
        open(USER).close();
        assertThat(files.peek(STATE)).hasSize(1);
    }

    private FileLogIndex openShare(String... stores) {
        StoreShare share = new StoreShare(new EventStoreShares(List.of(stores), 1), "a");
        return new IndexDirectory(files, STATE, limits)
                .open(USER, "s" + IndexSettings.of(share), AT_ONCE);
    }

    /** The record of the share goes with the index: each life writes it anew, with its segment. */
    @Test
    void anIndexIsBuiltAnewOnlyWhereItsShareHasGrown() throws IOException {
        for (String[] stores :
                List.of(
                        new String[] {"a", "b"},
                        new String[] {"a", "b", "c"},
                        new String[] {"a", "b", "c", "d"})) {
            try (FileLogIndex index = openShare(stores)) {
                index.put(batch(event("e" + stores.length, "{}")));
                assertThat(index.opened().primaryEvents()).isEqualTo(stores.length - 2);
            }
        }
        // All of it has been a share of a larger list by now, whatever it began as.
        try (LoggedLines logged = new LoggedLines(IndexDirectory.class);
                FileLogIndex index = openShare("a", "b")) {
            assertThat(index.opened()).isEqualTo(IndexState.EMPTY);
            assertThat(logged.of(Level.WARN))
                    .singleElement()
                    .asString()
                    .contains(
                            "built anew from the logs",
                            "keep primary events that it did not keep before",
                            "a, b, c, d");
        }
    }

    private void writeSegment(List<byte[]> frames) throws IOException {
        files.createDirectories(STATE + "/index");
        try (FrameWriter out =
                new FrameWriter(files.create(STATE + "/index/" + IndexNames.segment(1)))) {
            for (byte[] frame : frames) {
                out.append(frame);
            }
            out.sync();
        }
    }
}
