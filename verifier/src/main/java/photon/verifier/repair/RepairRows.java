package photon.verifier.repair;

import com.google.protobuf.ByteString;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;
import photon.core.event.LogEvent;
import photon.core.id.CommitToken;
import photon.proto.v1.AddRepairRowsRequest;
import photon.proto.v1.RepairRow;

/**
 * Repair rows on their way to a dispatcher, cut into requests. A request stays the first until it
 * is answered, so that what is asked again is the same.
 */
final class RepairRows {
    private final int rowsMax;
    private final int bytesMax;
    private final Deque<RepairRow> waiting = new ArrayDeque<>();
    private @Nullable AddRepairRowsRequest asked;

    /**
     * @param rowsMax rows a request
     * @param bytesMax bytes a request, unless one row alone is larger
     */
    RepairRows(int rowsMax, int bytesMax) {
        this.rowsMax = rowsMax;
        this.bytesMax = bytesMax;
    }

    static RepairRow of(LogEvent event, CommitToken lostToken) {
        ByteBuffer token = ByteBuffer.allocate(CommitToken.BYTES);
        lostToken.write(token);
        return RepairRow.newBuilder()
                .setEvent(event.toProto())
                .setLostToken(ByteString.copyFrom(token.flip()))
                .build();
    }

    void add(RepairRow row) {
        waiting.add(row);
    }

    boolean isEmpty() {
        return waiting.isEmpty() && asked == null;
    }

    /** The request to send now: the same one until {@link #answered}. */
    AddRepairRowsRequest request() {
        if (asked == null) {
            asked = cut();
        }
        return asked;
    }

    /**
     * The request's rows are durable.
     *
     * @return how many
     */
    int answered() {
        int rows = request().getRowsCount();
        asked = null;
        return rows;
    }

    private AddRepairRowsRequest cut() {
        AddRepairRowsRequest.Builder request = AddRepairRowsRequest.newBuilder();
        long bytes = 0;
        while (!waiting.isEmpty() && request.getRowsCount() < rowsMax) {
            bytes += waiting.peek().getSerializedSize();
            if (bytes > bytesMax && request.getRowsCount() > 0) {
                break;
            }
            request.addRows(waiting.remove());
        }
        return request.build();
    }
}
