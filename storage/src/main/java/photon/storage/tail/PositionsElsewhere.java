package photon.storage.tail;

import java.io.IOException;
import java.util.List;

/** What others have read and done of logs that they share with a tail. */
@FunctionalInterface
public interface PositionsElsewhere {
    /** A tail that reads all logs of its stream. */
    PositionsElsewhere NONE = List::of;

    /** As far as it is durable; it may be further by now. */
    List<FilePosition> read() throws IOException;
}
