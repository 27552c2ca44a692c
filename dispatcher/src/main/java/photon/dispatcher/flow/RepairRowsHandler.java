package photon.dispatcher.flow;

import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import photon.core.event.LogEvent;
import photon.core.id.CommitToken;
import photon.core.id.Packed;
import photon.core.rpc.Handler;
import photon.proto.v1.AddRepairRowsRequest;
import photon.proto.v1.AddRepairRowsResponse;

/**
 * Takes repair rows from the verifier and answers when they are durable: only then may it go on.
 * Callers have one request outstanding each, which bounds what waits here.
 */
public final class RepairRowsHandler
        implements Handler<AddRepairRowsRequest, AddRepairRowsResponse> {
    private final Flow flow;

    public RepairRowsHandler(Flow flow) {
        this.flow = flow;
    }

    @Override
    public void handle(AddRepairRowsRequest request, Consumer<AddRepairRowsResponse> respond) {
        List<RepairRow> rows = new ArrayList<>(request.getRowsCount());
        for (photon.proto.v1.RepairRow row : request.getRowsList()) {
            rows.add(new RepairRow(LogEvent.fromProto(row.getEvent()), token(row.getLostToken())));
        }
        flow.addRepairRows(rows, () -> respond.accept(AddRepairRowsResponse.getDefaultInstance()));
    }

    private static CommitToken token(ByteString packed) {
        return Packed.tokens(packed).get(0);
    }
}
