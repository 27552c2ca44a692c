package photon.eventstore.index;

import com.google.protobuf.ByteString;
import java.util.List;
import org.jspecify.annotations.Nullable;
import photon.proto.v1.Event;

/**
 * Primary events by their id. Of several with one id the last that was put is held. One loop puts;
 * any thread gets.
 */
public interface LogIndex extends AutoCloseable {
    /** What the index held when it was opened: reading goes on from here. */
    IndexState opened();

    /**
     * Puts events, and how far they bring the logs, in one atomic step: after a crash either all of
     * the batch is there or nothing.
     *
     * @throws LogIndexException if the store fails; the index may then only be closed
     */
    void put(IndexBatch batch);

    /**
     * Drops the positions of these files, by key.
     *
     * @throws LogIndexException if the store fails; the index may then only be closed
     */
    void forget(List<String> fileKeys);

    /**
     * As many as keys, in the same order; null where no event with exactly this whole key is held.
     *
     * @throws LogIndexException if the store fails
     */
    List<@Nullable Event> get(List<ByteString> keys);

    /** Nothing may be called afterwards, nor be running. Safe to call twice. */
    @Override
    void close();
}
