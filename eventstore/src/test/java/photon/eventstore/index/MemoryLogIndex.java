package photon.eventstore.index;

import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import photon.proto.v1.Event;
import photon.storage.tail.FilePosition;

/** An index that is gone with its process: for tests. Unbounded. */
public final class MemoryLogIndex implements LogIndex {
    private final Map<ByteString, Event> events = new ConcurrentHashMap<>();
    private final Map<String, FilePosition> positions = new LinkedHashMap<>();
    private long eventsPut;
    private long badRecords;
    private IndexState opened = IndexState.EMPTY;

    @Override
    public IndexState opened() {
        return opened;
    }

    @Override
    public void put(IndexBatch batch) {
        for (Event event : batch.events()) {
            events.put(event.getKey(), event);
        }
        eventsPut += batch.events().size();
        for (FilePosition position : batch.positions()) {
            positions.put(position.key(), position);
        }
        badRecords += batch.badRecords();
    }

    @Override
    public void forget(List<String> fileKeys) {
        fileKeys.forEach(positions::remove);
    }

    @Override
    public List<@Nullable Event> get(List<ByteString> keys) {
        List<@Nullable Event> found = new ArrayList<>(keys.size());
        for (ByteString key : keys) {
            found.add(events.get(key));
        }
        return found;
    }

    /** As a process that opens the index anew would find it. */
    public void reopen() {
        opened = new IndexState(List.copyOf(positions.values()), eventsPut, badRecords);
    }

    @Override
    public void close() {}
}
