package photon.eventstore.index;

import static org.assertj.core.api.Assertions.assertThat;
import static photon.eventstore.Events.event;
import static photon.eventstore.Events.key;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import photon.core.config.IdConfig;
import photon.proto.v1.Event;
import photon.storage.files.FileStore;
import photon.storage.files.MemoryFileStore;
import photon.storage.tail.FilePosition;

/** What tests of the index share: an index on a file system in memory. */
abstract class IndexOnMemoryFiles {
    static final String STATE = "/state";
    static final IndexKeys USER = IndexKeys.of(new IdConfig.User(List.of("id")));
    static final Executor AT_ONCE = Runnable::run;

    /** Many segments, parts and merges with few events. */
    static final IndexLimits SMALL = new IndexLimits(1, 3, 1_500, 200, 3, 1_000_000, 4, 0);

    final MemoryFileStore files = new MemoryFileStore(1);
    IndexLimits limits = IndexLimits.DEFAULTS;
    Executor background = AT_ONCE;

    IndexOnMemoryFiles() {
        try {
            files.createDirectories(STATE);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    void assertAllFound(LogIndex index, int from, int to) {
        List<ByteString> keys = new ArrayList<>();
        List<Event> expected = new ArrayList<>();
        for (int i = from; i < to; i++) {
            keys.add(key("e" + i));
            expected.add(event("e" + i, "{\"n\":" + i + "}"));
        }
        assertThat(index.get(keys))
                .extracting(e -> e == null ? null : e.getJson())
                .isEqualTo(expected.stream().map(Event::getJson).toList());
    }

    static void fill(LogIndex index, int from, int to) {
        for (int i = from; i < to; i += 10) {
            List<Event> events = new ArrayList<>();
            for (int n = i; n < Math.min(to, i + 10); n++) {
                events.add(event("e" + n, "{\"n\":" + n + "}"));
            }
            index.put(new IndexBatch(events, List.of(position("fill", i)), 0));
        }
    }

    FileLogIndex open(IndexKeys keys) {
        return new IndexDirectory(files, STATE, limits).open(keys, "s", background);
    }

    long diskBytes() {
        return files.peek(STATE + "/index").stream().mapToLong(FileStore.FileInfo::length).sum();
    }

    String newest(String part) {
        return files.peek(STATE + "/index").stream()
                .map(FileStore.FileInfo::path)
                .filter(path -> path.contains(part))
                .max(String::compareTo)
                .orElseThrow();
    }

    static IndexBatch batch(Event... events) {
        return new IndexBatch(List.of(events), List.of(), 0);
    }

    static FilePosition position(String file, long offset) {
        return new FilePosition("/logs/" + file, file, 4, "abcd", offset);
    }
}
